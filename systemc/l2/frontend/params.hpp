// SPDX-License-Identifier: Apache-2.0
// Configuration of the front end of an L2 bank: the group "l2.frontend".
#pragma once

#include <cstdint>

#include "base/params.hpp"
#include "mha/params.hpp"

namespace warpmem::l2 {

enum class FrontendKind : std::uint8_t { fifo, nonblocking, bank_queues, cart };
/// Which leaf queue of CART drains next (GU 2.4.4).
enum class Drain : std::uint8_t { same_or_longest_row, longest, round_robin, greedy };

/// The leaf queues of a CART branch (GU 2.4.2).
struct CartSize {
  std::uint32_t rows = 4;     ///< DRAM rows at a time
  std::uint32_t columns = 2;  ///< leaf queues of a row
  std::uint32_t depth = 2;    ///< requests of a leaf queue
  std::uint32_t leaves() const { return rows * columns; }
};

struct FrontendParams {
  FrontendKind kind = FrontendKind::fifo;
  std::uint32_t latency = 1;        ///< cycles until a request takes part in the arbitration
  std::uint32_t overtakes = 256;    ///< most requests that may overtake one
  std::uint32_t queues = 16;        ///< bank_queues: B
  std::uint32_t queue_entries = 8;  ///< bank_queues: requests of a queue
  CartSize cart;
  Drain drain = Drain::same_or_longest_row;
  mha::View cart_unit = mha::View::fast_class;  ///< cart: view of the branches in the loop

  void describe(Schema& schema);
  void validate(Problems& problems) const;
};

}  // namespace warpmem::l2
