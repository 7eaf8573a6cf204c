// SPDX-License-Identifier: Apache-2.0
#include "program/trace/own_format_code.hpp"

#include <fmt/format.h>

#include <utility>

#include "program/async.hpp"
#include "program/reduction.hpp"
#include "program/trace/own_format.hpp"
#include "program/trace/own_format_records.hpp"

namespace warpmem::program::trace {

void CodeReader::read_instruction() {
  if (insts_.size() == OwnFormatLimits::kInstructions)
    in_.fail(fmt::format("more than {} static instructions", OwnFormatLimits::kInstructions));
  KnownInst known;
  known.mnemonic = in_.text("mnemonic length");
  InstInfo& i = known.info;
  i.pc = pcs_.take(static_cast<std::uint32_t>(in_.number("pc", 0, 0xffffffff)));
  i.line = static_cast<std::uint32_t>(in_.number("line", 0, 0xffffffff));
  i.source_line = static_cast<std::uint32_t>(in_.number("source line", 0, 0xffffffff));
  i.op_class = static_cast<OpClass>(in_.byte("instruction class", kOpClasses - 1));
  i.mem =
      static_cast<MemOp>(in_.byte("memory operation", static_cast<std::uint8_t>(MemOp::reduction)));
  i.space = read_space();
  i.bytes = in_.byte("bytes a lane", Issue::kLaneBytes);
  if (i.mem != MemOp::none && i.bytes == 0) in_.fail("a memory instruction of 0 bytes a lane");
  i.volatile_access = in_.byte("volatile flag", 1) != 0;
  read_async_part(i);
  const bool mbarrier = i.async == AsyncCopy::mbarrier;
  i.async_groups =
      mbarrier
          ? in_.byte("operation on an mbarrier", static_cast<std::uint8_t>(MbarrierOp::count) - 1)
          : in_.byte("groups that may be outstanding, or the code of a reduction", 255);
  if (mbarrier && (i.mem == MemOp::none || i.op_class != OpClass::memory))
    in_.fail("an operation on an mbarrier that accesses no memory");
  if (i.cluster_barrier != ClusterBarrier::none && i.op_class != OpClass::barrier)
    in_.fail("a part in the barrier of the cluster that is no barrier");
  if (i.async == AsyncCopy::peer_write) check_peer_write(i);
  if (is_bulk_copy(i.async)) check_bulk_copy(i);
  const std::uint64_t most = traits_->scoreboard_registers;
  const auto read_registers = [&](const char* what, auto& list) {
    for (unsigned left = in_.byte(what, list.kMost); left != 0; --left)
      list.add(read_register(most));
  };
  read_registers("number of sources", i.sources);
  read_registers("number of destinations", i.destinations);
  insts_.push_back(std::move(known));
}

void CodeReader::read_async_part(InstInfo& i) {
  const std::uint8_t part = in_.byte();
  const AsyncCopy last = traits_->clustered() ? AsyncCopy::peer_write : AsyncCopy::bulk_wait_read;
  i.tile = (part & kTileBit) != 0;
  i.async = static_cast<AsyncCopy>(part & kAsyncPart);
  i.cluster_barrier = static_cast<ClusterBarrier>((part & ~kTileBit) >> kClusterBarrierShift);
  const bool tiles = i.async == AsyncCopy::bulk || i.async == AsyncCopy::bulk_prefetch;
  if (i.async > last || (i.tile && !tiles))
    in_.fail(
        fmt::format("part in asynchronous copies {}; allowed: 0 to {}, {} and {} also of "
                    "tiles ({} more)",
                    part & (kAsyncPart | kTileBit), static_cast<unsigned>(last),
                    static_cast<unsigned>(AsyncCopy::bulk),
                    static_cast<unsigned>(AsyncCopy::bulk_prefetch), kTileBit));
  if (i.cluster_barrier != ClusterBarrier::none && !traits_->clustered())
    in_.fail("a barrier of the cluster in a launch without clusters");
}

void CodeReader::read_tensor_map() {
  if (tensor_maps_.size() == OwnFormatLimits::kTensorMaps)
    in_.fail(fmt::format("more than {} tensor maps", OwnFormatLimits::kTensorMaps));
  TensorMap map;
  map.rank = in_.byte("dimensions of a tensor", TensorMap::kRanks);
  map.element_bytes = in_.byte("bytes of an element", 8);
  map.swizzle =
      static_cast<Swizzle>(in_.byte("swizzle", static_cast<std::uint8_t>(Swizzle::bytes_128)));
  map.base = in_.number();
  for (unsigned d = 0; d < map.rank; ++d) {
    map.size[d] = in_.number();
    map.stride[d] = in_.number();
    map.box[d] = static_cast<std::uint32_t>(in_.number("box", 1, TensorMap::kMostInBox));
  }
  const unsigned bytes = map.element_bytes;
  if (bytes == 0 || (bytes & (bytes - 1)) != 0 || map.stride[0] != bytes)
    in_.fail(
        fmt::format("a tensor of elements of {} bytes, {} from one to the next; allowed: 1, "
                    "2, 4, 8, and as many",
                    bytes, map.stride[0]));
  const std::string problem = map.problem();
  if (!problem.empty()) in_.fail("a tensor map: " + problem);
  tensor_maps_.push_back(map);
}

void CodeReader::check_peer_write(const InstInfo& i) const {
  if (i.op_class != OpClass::memory || (i.mem != MemOp::store && i.mem != MemOp::reduction))
    in_.fail("an asynchronous write that neither stores nor reduces");
  if (i.mem == MemOp::reduction && !Reduction::is_code(i.async_groups))
    in_.fail(fmt::format("{} is no code of a reduction", i.async_groups));
}

void CodeReader::check_bulk_copy(const InstInfo& i) const {
  if (i.async == AsyncCopy::bulk_peer) {
    if (i.space != Space::cluster) in_.fail("a copy to another block outside the cluster");
    return check_peer_write(i);
  }
  const bool reduces = i.mem == MemOp::reduction && i.async == AsyncCopy::bulk;
  if (i.op_class != OpClass::memory || i.space != Space::global ||
      (i.mem != MemOp::load && i.mem != MemOp::store && !reduces))
    in_.fail("a bulk copy that neither loads, stores nor reduces global memory");
  if (reduces && !Reduction::is_code(i.async_groups))
    in_.fail(fmt::format("{} is no code of a reduction", i.async_groups));
}

std::uint16_t CodeReader::read_register(std::uint64_t count) {
  if (count == 0) in_.fail("a register in a kernel without scoreboard registers");
  return static_cast<std::uint16_t>(in_.number("register", 0, count - 1));
}

Space CodeReader::read_space() {
  const Space last = traits_->clustered() ? Space::cluster : Space::generic;
  return static_cast<Space>(in_.byte("space", static_cast<std::uint8_t>(last)));
}

}  // namespace warpmem::program::trace
