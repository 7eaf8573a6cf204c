// SPDX-License-Identifier: Apache-2.0
#include "base/transaction.hpp"

#include <gtest/gtest.h>

#include <set>

namespace warpmem {
namespace {

TEST(TransactionPool, ARecycledTransactionHasEveryFieldRewritten) {
  TransactionPool pool;
  Transaction& used = pool.get(tlm::TLM_WRITE_COMMAND, 0x1234, 128);
  unsigned char other[4] = {};
  used.set_data_ptr(other);
  used.set_streaming_width(1);
  used.set_byte_enable_ptr(used.byte_enable.data());
  used.set_byte_enable_length(128);
  used.set_dmi_allowed(true);
  used.set_gp_option(tlm::TLM_FULL_PAYLOAD);
  used.set_response_status(tlm::TLM_OK_RESPONSE);
  used.access.kind = AccessKind::atomic;
  used.access.sm = 3;
  used.access.warp = 7;
  used.access.cta = 9;
  used.access.pc = 0x40;
  used.access.lanes = 0xffff;
  used.access.degree = 32;
  used.access.bypass_l1d = used.access.prefetch = used.access.local = true;
  used.access.l1d_index = used.access.l2_index = used.access.tag = 5;
  used.access.atomic_sequence = 8;
  used.access.mark(Stage::dram_done, 77);
  used.release();

  Transaction& t = pool.get(tlm::TLM_READ_COMMAND, 0x80, 32);
  ASSERT_EQ(&t, &used) << "the pool hands out the last one freed first";
  EXPECT_EQ(t.get_command(), tlm::TLM_READ_COMMAND);
  EXPECT_EQ(t.get_address(), 0x80u);
  EXPECT_EQ(t.get_data_ptr(), t.data.data());
  EXPECT_EQ(t.get_data_length(), 32u);
  EXPECT_EQ(t.get_streaming_width(), 32u);
  EXPECT_EQ(t.get_byte_enable_ptr(), nullptr);
  EXPECT_EQ(t.get_byte_enable_length(), 0u);
  EXPECT_FALSE(t.is_dmi_allowed());
  EXPECT_EQ(t.get_gp_option(), tlm::TLM_MIN_PAYLOAD);
  EXPECT_EQ(t.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_EQ(t.get_ref_count(), 1);
  EXPECT_EQ(t.access.kind, AccessKind::load);
  EXPECT_EQ(t.access.sm, 0);
  EXPECT_EQ(t.access.warp, 0);
  EXPECT_EQ(t.access.cta, 0u);
  EXPECT_EQ(t.access.pc, 0u);
  EXPECT_EQ(t.access.lanes, 0u);
  EXPECT_EQ(t.access.degree, 1);
  EXPECT_FALSE(t.access.bypass_l1d || t.access.prefetch || t.access.local);
  EXPECT_EQ(t.access.l1d_index + t.access.l2_index + t.access.tag, 0u);
  EXPECT_EQ(t.access.atomic_sequence, 0u);
  EXPECT_EQ(t.access.at(Stage::dram_done), 0u);
  t.release();
}

TEST(TransactionPool, TheExtensionStaysOnARecycledTransaction) {
  TransactionPool pool;
  for (int n = 0; n < 3; ++n) {
    Transaction& t = pool.get(tlm::TLM_READ_COMMAND, 0, 4);
    ASSERT_EQ(t.get_extension<Access>(), &t.access);
    t.release();
  }
}

TEST(TransactionPool, AccessIsCopiedFromTheOrigin) {
  TransactionPool pool;
  Access origin;
  origin.sm = 4;
  origin.kind = AccessKind::store;
  origin.mark(Stage::issue, 12);
  Transaction& t = pool.get_for(origin, tlm::TLM_WRITE_COMMAND, 0, 8);
  EXPECT_EQ(t.access.sm, 4);
  EXPECT_EQ(kind_of(t), AccessKind::store);
  EXPECT_EQ(access_of(t).at(Stage::issue), 12u);
  EXPECT_EQ(t.get_extension<Access>(), &t.access) << "its own, not the origin's";
  t.release();
}

TEST(TransactionPool, OutstandingCountsUntilTheLastReferenceGoes) {
  TransactionPool pool;
  EXPECT_EQ(pool.outstanding(), 0u);
  Transaction& a = pool.get(tlm::TLM_READ_COMMAND, 0, 4);
  Transaction& b = pool.get(tlm::TLM_READ_COMMAND, 0, 4);
  a.acquire();
  EXPECT_EQ(pool.outstanding(), 2u);
  a.release();
  b.release();
  EXPECT_EQ(pool.outstanding(), 1u);
  a.release();
  EXPECT_EQ(pool.outstanding(), 0u);
}

TEST(TransactionPool, ManyAtOnceAreDistinctAndComeBackWithoutGrowth) {
  TransactionPool pool;
  std::set<Transaction*> first, second;
  for (int n = 0; n < 1000; ++n) first.insert(&pool.get(tlm::TLM_READ_COMMAND, 0, 128));
  EXPECT_EQ(first.size(), 1000u);
  for (Transaction* t : first) t->release();
  for (int n = 0; n < 1000; ++n) second.insert(&pool.get(tlm::TLM_READ_COMMAND, 0, 128));
  unsigned again = 0;
  for (Transaction* t : second) again += first.count(t) != 0;
  EXPECT_GE(again, 1000u - 64u) << "but for the rest of the last block";
  for (Transaction* t : second) t->release();
  EXPECT_EQ(pool.outstanding(), 0u);
}

TEST(TransactionPool, APayloadWithoutTheExtensionHasTheDefaults) {
  tlm::tlm_generic_payload plain;
  plain.set_command(tlm::TLM_WRITE_COMMAND);
  EXPECT_EQ(kind_of(plain), AccessKind::store);
  plain.set_command(tlm::TLM_READ_COMMAND);
  EXPECT_EQ(kind_of(plain), AccessKind::load);
  EXPECT_EQ(access_of(plain).degree, 1);
  EXPECT_EQ(mutable_access(plain), nullptr);
  mark(plain, Stage::issue, 5);  // nowhere to record, no harm
}

TEST(TransactionPool, ADeepCopyTakesTheExtensionAlong) {
  TransactionPool pool;
  Transaction& t = pool.get(tlm::TLM_WRITE_COMMAND, 0x40, 4);
  t.access.sm = 6;
  t.data[0] = 0xab;
  {
    unsigned char data[4] = {};
    tlm::tlm_generic_payload copy;
    copy.set_data_ptr(data);
    copy.deep_copy_from(t);
    EXPECT_EQ(copy.get_address(), 0x40u);
    EXPECT_EQ(data[0], 0xab);
    EXPECT_EQ(access_of(copy).sm, 6);
    EXPECT_NE(copy.get_extension<Access>(), &t.access);
  }
  EXPECT_EQ(t.access.sm, 6);
  t.release();
}

}  // namespace
}  // namespace warpmem
