// SPDX-License-Identifier: Apache-2.0
// What __cluster_dims__ says of a kernel: clang has no such attribute, so the kernel's stub lies in
// a section whose name holds the numbers.
#pragma once

#include <optional>

#include "program/program.hpp"

namespace warpmem::program::cuda {

/// Returns the cluster of the kernel whose stub this is. Throws UserError when what stands in the
/// attribute are not one to three numbers.
std::optional<Dim3> kernel_cluster(const void* stub);

}  // namespace warpmem::program::cuda
