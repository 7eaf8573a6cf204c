// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/kernel_cluster.hpp"

#include <cstdlib>
#include <string>

#include "base/errors.hpp"
#include "program/cuda/named_sections.hpp"

namespace warpmem::program::cuda {
namespace {

Dim3 numbers(const std::string& text) {
  std::uint32_t side[3] = {1, 1, 1};
  const char* p = text.c_str();
  for (unsigned i = 0; i < 3; ++i) {
    char* end = nullptr;
    side[i] = static_cast<std::uint32_t>(std::strtoul(p, &end, 0));
    while (end != p && (*end == ' ' || *end == 'u' || *end == 'U')) ++end;
    if (end != p && *end == '\0') return {side[0], side[1], side[2]};
    if (end == p || *end != ',') break;
    p = end + 1;
  }
  throw UserError("__cluster_dims__(" + text + "); allowed: one to three numbers");
}

}  // namespace

std::optional<Dim3> kernel_cluster(const void* stub) {
  const auto text = section_of(stub, "warpmem.cluster ");
  return text ? std::optional<Dim3>(numbers(*text)) : std::nullopt;
}

}  // namespace warpmem::program::cuda
