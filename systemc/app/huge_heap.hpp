// SPDX-License-Identifier: Apache-2.0
// The heap in pages of 2 MiB, where the host grants them on request. A machine of a hundred SMs has
// its bytes all over some hundred MiB, and waits for the host's translation of addresses
// (docs/scaling-up.md).
#pragma once

#include <cstddef>

namespace warpmem::app {

/// Lets the heap grow by so many bytes that may be huge pages, and by 16 MiB at a time thereafter.
/// What is not used of them takes no memory. malloc() no longer adapts its limits to the program.
void expect_heap(std::size_t bytes);

}  // namespace warpmem::app
