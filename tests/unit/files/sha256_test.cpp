// SPDX-License-Identifier: Apache-2.0
#include "files/sha256.hpp"

#include <gtest/gtest.h>

namespace warpmem {
namespace {

// These are the examples of FIPS 180-4, and the block boundaries.
TEST(Sha256Test, GivesThePublishedDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, FieldsDoNotRunIntoEachOther) {
  Sha256 a, b;
  a.add_field("ab");
  a.add_field("c");
  b.add_field("a");
  b.add_field("bc");
  EXPECT_NE(a.hex(), b.hex());
}

TEST(Sha256Test, PiecesGiveTheDigestOfTheWhole) {
  Sha256 pieces;
  pieces.add("a");
  pieces.add("");
  pieces.add("bc");
  EXPECT_EQ(pieces.hex(), sha256_hex("abc"));
}

}  // namespace
}  // namespace warpmem
