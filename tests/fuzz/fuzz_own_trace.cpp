// SPDX-License-Identifier: Apache-2.0
// A trace of warpmem's own format, byte by byte. own_trace_mutator.cpp gets past its checksums.
#include "program/trace/own_format.hpp"
#include "target.hpp"
#include "trace_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpmem;
  const std::string path = fuzz::scratch_file("fuzz.wmtrace", data, size);
  fuzz::succeeds([&] { fuzz::check_trace([&] { return program::trace::open_own_format(path); }); });
  return 0;
}
