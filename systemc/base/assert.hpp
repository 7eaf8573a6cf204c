// SPDX-License-Identifier: Apache-2.0
// assert() whose cost a program can do without: the same objects are linked into the tests, which
// evaluate the conditions, and into the runtime library, which skips them
// (systemc/app/CMakeLists.txt). Elsewhere, in plugins for instance, it is that of <cassert>.
#pragma once

#include <cassert>

#ifdef WARPMEM_ASSERTIONS_BY_LINK
namespace warpmem::detail {
/// Defined in assertions_on.cpp of this folder, or in a program's own file where they are skipped.
__attribute__((visibility("hidden"))) extern const bool assertions_on;
}  // namespace warpmem::detail

#undef assert
// The runtime library never evaluates a condition, so the code for it lies out of the way.
#define assert(condition)                                                                      \
  (__builtin_expect_with_probability(!::warpmem::detail::assertions_on, 1, 1.0) || (condition) \
       ? static_cast<void>(0)                                                                  \
       : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
