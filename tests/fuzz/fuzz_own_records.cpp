// SPDX-License-Identifier: Apache-2.0
// The records of a trace of warpmem's own format, put into blocks with right checksums.
#include "own_trace_file.hpp"
#include "program/trace/own_format.hpp"
#include "target.hpp"
#include "trace_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpmem;
  const fuzz::Bytes file = fuzz::pack_trace(data, size);
  const std::string path = fuzz::scratch_file("fuzz.wmtrace", file.data(), file.size());
  fuzz::succeeds([&] { fuzz::check_trace([&] { return program::trace::open_own_format(path); }); });
  return 0;
}
