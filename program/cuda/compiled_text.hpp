// SPDX-License-Identifier: Apache-2.0
// What is changed in texts that clang reads or has written.
#pragma once

#include <string>

namespace warpmem::program::cuda {

/// Objects for separate device compilation call a function whose name ends in a number of their own
/// (nvcc's linker would define it); they call the runtime's one instead.
std::string with_common_registration(const std::string& assembly);

/// A source for any C++ compiler that has the assembler's text in it.
std::string assembly_as_source(const std::string& assembly);

/// Global loads that say nothing about caches get .cg, as ptxas -dlcm=cg reads them.
std::string with_loads_past_l1(const std::string& ptx);

/// Shared memory ends without destructors. clang refuses a variable there whose type has one that
/// does something, which is what barriers of libcu++ have from sm_80 on.
std::string without_barrier_destructor(const std::string& text);

/// Product and quotient in libcu++'s complex are declared for both sides and defined without a word
/// of that, which nvcc understands as the declaration, and clang as another function.
std::string with_complex_on_both_sides(const std::string& text);

/// nvcc takes no notice of a factor of unrolling that is not positive; clang refuses it.
std::string without_idle_unrolls(const std::string& text);

/// Variables of the device whose type has no name are static for clang, which then hides them from
/// the host; nvcc's are found. The type gets a name.
std::string with_named_types(const std::string& text);

/// Messages of clang, with the cause in place of what it means for clang.
std::string explained(const std::string& messages);

/// Messages of the linker, or in their place that the program has no main().
std::string linker_explained(const std::string& messages);

/// PTX text for the architecture of that number.
std::string with_target(std::string ptx, int arch);

}  // namespace warpmem::program::cuda
