// SPDX-License-Identifier: Apache-2.0
// An Accel-Sim trace: a single kernel, or, when the input begins with the line "kernelslist.g", a
// list and, behind a line "kernel-1.traceg", the kernel it may name.
#include <string_view>

#include "program/trace/accelsim_reader.hpp"
#include "target.hpp"
#include "trace_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpmem;
  using program::trace::AccelsimReader;
  constexpr std::string_view kList = "kernelslist.g\n", kKernel = "kernel-1.traceg\n";
  const auto file = [](std::string_view name, std::string_view text) {
    return fuzz::scratch_file(std::string(name.substr(0, name.size() - 1)),
                              reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  };
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool list = text.substr(0, kList.size()) == kList;
  std::string path;
  if (list) {
    text.remove_prefix(kList.size());
    // The kernel begins behind a line of its own, not where the list names it.
    const std::size_t split = text.find("\n\nkernel-1.traceg\n");
    path = file(kList, text.substr(0, split));
    file(kKernel,
         split == text.npos ? std::string_view{} : text.substr(split + 2 + kKernel.size()));
  } else {
    path = file(kKernel, text);
  }
  fuzz::succeeds(
      [&] { fuzz::check_trace([&] { return std::make_unique<AccelsimReader>(path, !list); }); });
  return 0;
}
