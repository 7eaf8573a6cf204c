// SPDX-License-Identifier: Apache-2.0
// libFuzzer's mutations of a file of the own format: mostly of what its blocks hold, packed again
// with right checksums; now and then of the bytes of the file itself.
#include <algorithm>

#include "own_trace_file.hpp"
#include "target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  using namespace warpmem::fuzz;
  if (seed % 8 == 0) return LLVMFuzzerMutate(data, size, most);
  Bytes records = unpack_trace(data, size);
  const std::size_t had = records.size();
  const std::size_t room = std::max(had + had / 8 + 64, most);
  records.resize(room);
  records.resize(LLVMFuzzerMutate(records.data(), had, room));
  const Bytes file = pack_trace(records.data(), records.size());
  if (file.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(file.begin(), file.end(), data);
  return file.size();
}
