// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/access.hpp"

#include <cstdio>
#include <string>

#include "program/ptx/cluster_access.hpp"

namespace warpmem::program::ptx {
namespace {

std::string hex(std::uint64_t v) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
  return text;
}

std::string verb(const Warp& w) {
  switch (w.cta->launch->program->infos[w.top.pc].mem) {
    case MemOp::load:
      return "load";
    case MemOp::store:
      return "store";
    default:
      return "atomic";
  }
}

std::string access_text(const Warp& w, unsigned bytes, Addr address, const char* space) {
  return verb(w) + " of " + std::to_string(bytes) + " bytes at " + space + " address " +
         hex(address);
}

/// Returns the allocation closest to `address`, in words.
std::string nearest(const DeviceMemory& memory, Addr address) {
  const DeviceMemory::Allocation* best = nullptr;
  std::uint64_t best_distance = ~std::uint64_t(0);
  for (const auto& [begin, a] : memory.allocations()) {
    const std::uint64_t distance = address < begin             ? begin - address
                                   : address - begin < a.bytes ? 0
                                                               : address - begin - a.bytes;
    if (distance >= best_distance) continue;
    best = &a;
    best_distance = distance;
  }
  if (best == nullptr) return "nothing is allocated";
  const std::string block =
      "the allocation " + hex(best->begin) + " of " + std::to_string(best->bytes) + " bytes";
  if (address < best->begin)
    return std::to_string(best->begin - address) + " bytes before " + block;
  if (address - best->begin >= best->bytes)
    return std::to_string(address - best->begin - best->bytes) + " bytes past the end of " + block;
  return "runs over the end of " + block;
}

/// Says what is wrong with an access of `lane` outside every allocation.
std::string outside_text(const Warp& w, unsigned lane, unsigned bytes) {
  const Addr a = w.cta->address[lane];
  const std::string text = access_text(w, bytes, a, "global");
  if (a == 0) return text + ": null pointer";
  return text + ", out of range: " + nearest(*w.cta->launch->memory, a);
}

void count_outside(const Warp& w, const Inst& in, unsigned lane, unsigned bytes,
                   OutsideAccesses& outside) {
  if (!outside.any()) outside.first = fault_text(w, in, lane, outside_text(w, lane, bytes));
  switch (w.cta->launch->program->infos[w.top.pc].mem) {
    case MemOp::load:
      ++outside.loads;
      break;
    case MemOp::store:
      ++outside.stores;
      break;
    default:
      ++outside.atomics;
      break;
  }
}

[[noreturn]] void fault_misaligned(const Warp& w, const Inst& in, unsigned lane, unsigned bytes,
                                   const char* space) {
  fault(w, in, lane,
        access_text(w, bytes, w.cta->address[lane], space) + ": not aligned to " +
            std::to_string(bytes) + " bytes",
        KernelFault::Kind::misaligned_address);
}

}  // namespace

const DeviceMemory::Allocation* allocation_of(const Warp& w, unsigned lane, unsigned bytes) {
  DeviceMemory& memory = *w.cta->launch->memory;
  const auto* const allocation = memory.find(w.cta->address[lane], bytes);
  if (allocation != nullptr) memory.accesses(*allocation);
  return allocation;
}

const DeviceMemory::Allocation* allocation_in_bulk(const Warp& w, const Inst& in, unsigned lane,
                                                   unsigned bytes) {
  const auto* const allocation = allocation_of(w, lane, bytes);
  if (allocation != nullptr && allocation->registered() &&
      !w.cta->launch->memory->bulk_reaches_registered())
    throw UserError(fault_text(w, in, lane,
                               access_text(w, bytes, w.cta->address[lane], "host") +
                                   ": bulk copies of a timed run do not reach memory of "
                                   "cudaHostRegister; allowed: that of cudaHostAlloc, or "
                                   "run --functional"));
  return allocation;
}

namespace {

/// Lets these lanes read 0 and write to nothing; the machine sees no access of theirs.
void place_forgiven(Warp& w, LaneMask forgiven) {
  CtaState& c = *w.cta;
  c.forgiven.fill(0);
  for_lanes(forgiven, [&](unsigned i) { c.place[i] = c.forgiven.data() + i * Issue::kLaneBytes; });
  c.issue.lanes &= ~forgiven;
}

}  // namespace

void place_global_slowly(Warp& w, const Inst& in, unsigned bytes) {
  CtaState& c = *w.cta;
  DeviceMemory& memory = *c.launch->memory;
  LaneMask forgiven = 0;
  std::array<Addr, kWarpLanes> renamed{};  // how far the machine's name is from the pointer
  for_lanes(w.lanes, [&](unsigned i) {
    const Addr a = c.address[i];
    const auto* const allocation = allocation_of(w, i, bytes);
    if (allocation == nullptr && memory.outside()) {
      count_outside(w, in, i, bytes, *memory.outside());
      forgiven |= LaneMask(1) << i;
      return;
    }
    if (allocation == nullptr) fault_outside(w, in, i, bytes);
    if (a % bytes != 0) fault_misaligned(w, in, i, bytes, "global");
    renamed[i] = allocation->machine - allocation->begin;
    if (!allocation->registered())
      c.launch->ranges[w.top.pc] = {allocation->begin, allocation->bytes};
  });
  place_linear(w, nullptr);
  if (forgiven != 0) place_forgiven(w, forgiven);
  for (unsigned i = 0; i < kWarpLanes; ++i) c.address[i] += renamed[i];
}

void fault_outside(Warp& w, const Inst& in, unsigned lane, unsigned bytes) {
  fault(w, in, lane, outside_text(w, lane, bytes), KernelFault::Kind::illegal_address);
}

void fault_window(Warp& w, const Inst& in, LaneMask bad, unsigned bytes, Space space,
                  std::uint64_t size) {
  const auto i = static_cast<unsigned>(__builtin_ctz(bad));
  const char* const name = space == Space::shared  ? "shared"
                           : space == Space::local ? "local"
                                                   : "parameter";
  const Addr a = w.cta->address[i];
  if (a % bytes != 0) fault_misaligned(w, in, i, bytes, name);
  fault(w, in, i,
        access_text(w, bytes, a, name) + ", out of range: there are " + std::to_string(size) +
            " bytes",
        KernelFault::Kind::illegal_address);
}

Space split_generic(Warp& w) {
  CtaState& c = *w.cta;
  const auto window_of = [&](unsigned i) { return c.address[i] / kWindowBytes * kWindowBytes; };
  const auto space_of = [&](unsigned i) {
    const Addr window = window_of(i);
    if (window == kSharedWindow)
      return is_own_shared(w, c.address[i] % kWindowBytes) ? Space::shared : Space::cluster;
    return window == kLocalWindow ? Space::local : Space::global;
  };
  const Space space = space_of(static_cast<unsigned>(__builtin_ctz(w.lanes)));
  LaneMask same = 0;
  for_lanes(w.lanes, [&](unsigned i) {
    if (space_of(i) != space) return;
    same |= LaneMask(1) << i;
    if (space != Space::global) c.address[i] %= kWindowBytes;
    if (space == Space::cluster || space == Space::shared)
      c.address[i] = in_cluster(w, c.address[i]);
  });
  w.replay = w.lanes & ~same;
  w.lanes = same;
  c.issue.lanes = same;
  return space;
}

void resolve_parameters(Warp& w, const Inst& in, unsigned bytes) {
  CtaState& c = *w.cta;
  auto& block = c.launch->parameters;
  // A whole warp mostly reads one parameter of the kernel.
  const Addr first = c.address[0];
  if (w.lanes == kAllLanes && first % bytes == 0 && first < block.size() &&
      bytes <= block.size() - first) {
    Addr differs = 0;
    for (unsigned i = 1; i < kWarpLanes; ++i) differs |= c.address[i] ^ first;
    if (differs == 0) {
      c.place.fill(block.data() + first);
      return;
    }
  }
  LaneMemory& own = w.frame().parameters;
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    c.place[i] = c.dummy.data();
    if (!(w.lanes >> i & 1)) continue;
    const Addr a = c.address[i];
    const bool in_block = a < kFrameParameters;
    const std::uint64_t offset = in_block ? a : a - kFrameParameters;
    const std::uint64_t size =
        in_block ? block.size() : c.launch->program->functions[w.frame().function].parameter_bytes;
    if (offset % bytes != 0 || bytes > size || offset > size - bytes)
      fault_window(w, in, LaneMask(1) << i, bytes, Space::param, size);
    c.place[i] = in_block ? block.data() + offset : own.at(offset, i);
  }
}

}  // namespace warpmem::program::ptx
