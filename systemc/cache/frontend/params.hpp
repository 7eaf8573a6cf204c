// SPDX-License-Identifier: Apache-2.0
// Configuration of the front end of a cache: the group "frontend".
#pragma once

#include <cstdint>
#include <string>

#include "base/params.hpp"
#include "base/view.hpp"
#include "cache/frontend/mrpb_params.hpp"
#include "units/cart_branch/cart_branch_unit.hpp"

namespace warpmem::cache {

enum class FrontendKind : std::uint8_t { fifo, nonblocking, bank_queues, cart, mrpb };
/// Which leaf queue of CART drains next (GU 2.4.4).
enum class CartDrain : std::uint8_t { same_or_longest_row, longest, round_robin, greedy };

using CartSize = units::CartLeaves;

struct FrontendParams {
  FrontendKind kind = FrontendKind::fifo;
  std::string added;                ///< an added kind, instead of `kind`; empty: none
  std::uint32_t latency = 1;        ///< cycles until a request takes part in the arbitration
  std::uint32_t overtakes = 256;    ///< most requests that may overtake one
  std::uint32_t queues = 16;        ///< bank_queues: B
  std::uint32_t queue_entries = 8;  ///< bank_queues: requests that a queue holds
  CartSize cart;
  CartDrain drain = CartDrain::same_or_longest_row;
  View cart_unit = View::fast_class;  ///< cart: view of the branches in the loop

  MrpbParams mrpb;

  /// L1D can have fifo (called none there), nonblocking, and mrpb, whose queues stand for an SM's
  /// warps or blocks. An L2 bank can have all but mrpb: bank_queues and cart sort by DRAM bank.
  void describe_l1d(Schema& schema);
  void describe_l2(Schema& schema);
  /// `prefix` is the full path of the group, for messages.
  void validate(Problems& problems, const std::string& prefix) const;

 private:
  /// What the front ends have in common that let requests overtake each other.
  void describe_reordering(Schema& schema, const char* condition);
};

}  // namespace warpmem::cache
