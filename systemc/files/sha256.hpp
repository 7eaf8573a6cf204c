// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) by OpenSSL, for names of cached results and the identity of programs.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace warpmem {

class Sha256 {
 public:
  /// Throws std::runtime_error when this machine's OpenSSL does not offer SHA-256.
  Sha256();
  void add(std::string_view bytes);
  /// Adds the length before the bytes, so that neighbouring fields cannot run into each other.
  void add_field(std::string_view bytes);
  /// Returns 64 hexadecimal digits. The object must not be used afterwards.
  std::string hex();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

/// Returns the digest of one text.
std::string sha256_hex(std::string_view bytes);

}  // namespace warpmem
