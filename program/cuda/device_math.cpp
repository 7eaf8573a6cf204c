// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/device_math.hpp"

namespace warpmem::program::cuda {

std::vector<std::string> clang_options(const DeviceMath& math) {
  std::vector<std::string> options;
  if (math.fast) options = {"-fcuda-approx-transcendentals", "-D__USE_FAST_MATH__=1"};
  if (math.flush_denormals.value_or(math.fast))
    options.emplace_back("-fcuda-flush-denormals-to-zero");
  if (!math.exact_division.value_or(!math.fast))
    options.insert(options.end(), {"-mllvm", "-nvptx-prec-divf32=0"});
  // clang's own option asks for functions that may be approximated, which ours are not.
  if (!math.exact_root.value_or(!math.fast)) options.emplace_back("-DWARPMEM_APPROXIMATE_ROOT=1");
  if (!math.contract.value_or(true)) options.emplace_back("-ffp-contract=off");
  return options;
}

}  // namespace warpmem::program::cuda
