// SPDX-License-Identifier: Apache-2.0
// Launches made of random numbers, for tests of what reads and writes traces.
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "program/cluster.hpp"
#include "program/reduction.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::program::trace::test {

class RandomKernel final : public KernelTrace {
 public:
  /// `cluster`: CTAs of a cluster, of which `ctas` is a multiple.
  RandomKernel(std::uint32_t seed, std::uint32_t ctas, std::uint32_t threads, unsigned steps,
               std::uint32_t cluster = 1)
      : random_(seed), steps_(steps) {
    traits_.name = "kernel_" + std::to_string(seed);
    traits_.grid.x = ctas;
    traits_.cluster.x = cluster;
    traits_.block.x = threads;
    traits_.warps_per_cta = (threads + kWarpLanes - 1) / kWarpLanes;
    traits_.registers_per_thread = below(200);
    traits_.shared_bytes = below(40000);
    traits_.local_bytes = below(1000);
    traits_.scoreboard_registers = 1 + below(300);
    for (unsigned k = 0; k < 3; ++k) add_tensor_map(1 + k * 2);
    for (unsigned k = 0; k < 40; ++k) add_instruction();
  }

  const KernelTraits& traits() const override { return traits_; }
  const InstInfo& inst(std::uint32_t index) const override { return insts_[index]; }
  std::uint32_t inst_count() const override { return static_cast<std::uint32_t>(insts_.size()); }
  const std::string& mnemonic(std::uint32_t index) const override { return names_[index]; }

  const std::vector<TensorMap>& tensor_maps() const override { return maps_; }

  bool next_cta(CtaTrace& cta) override {
    if (done_ == traits_.grid.count()) return false;
    ++done_;
    cta.warps.resize(traits_.warps_per_cta);
    for (WarpTrace& warp : cta.warps) fill(warp);
    return true;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  void add_instruction() {
    InstInfo i;
    i.pc = (inst_count() << 14) + below(1u << 14);
    i.line = below(1u << 16);
    i.source_line = below(1000);
    i.op_class = static_cast<OpClass>(below(kOpClasses));
    if (i.op_class == OpClass::memory) {
      i.mem = static_cast<MemOp>(1 + below(4));
      i.space = static_cast<Space>(1 + below(6));
      if (is_atomic_in_local(i, i.space)) i.space = Space::global;
      i.bytes = static_cast<std::uint8_t>(1u << below(5));
      i.volatile_access = below(2) != 0;
      i.async = static_cast<AsyncCopy>(below(5));
      i.async_groups = static_cast<std::uint8_t>(below(256));
      if (below(8) == 0) make_mbarrier(i);
      if (below(8) == 0) make_bulk_copy(i);
      if (traits_.clustered() && below(2) == 0) make_cluster_access(i);
    } else if (traits_.clustered() && i.op_class == OpClass::barrier) {
      i.cluster_barrier = static_cast<ClusterBarrier>(below(4));
    }
    add_registers(i.sources);
    add_registers(i.destinations);
    insts_.push_back(i);
    names_.push_back("op." + std::to_string(below(1000)));
  }

  void add_tensor_map(unsigned rank) {
    TensorMap map;
    map.base = 4096 + 16 * below(1000);
    map.rank = rank;
    map.element_bytes = 1u << below(4);
    map.swizzle = Swizzle::none;
    for (unsigned d = 0; d < rank; ++d) {
      map.size[d] = 1 + below(1000);
      map.stride[d] = d == 0 ? map.element_bytes : 16 * (1 + below(100));
      map.box[d] = d == 0 ? 16 * (1 + below(15)) : 1 + below(4);
    }
    maps_.push_back(map);
  }

  void make_mbarrier(InstInfo& i) {
    i.mem = MemOp::atomic;
    i.space = Space::shared;
    i.async = AsyncCopy::mbarrier;
    i.async_groups = static_cast<std::uint8_t>(below(static_cast<unsigned>(MbarrierOp::count)));
  }
  void make_bulk_copy(InstInfo& i) {
    i.mem = below(2) != 0 ? MemOp::load : MemOp::store;
    i.space = Space::global;
    i.async = below(2) != 0 ? AsyncCopy::bulk : AsyncCopy::bulk_prefetch;
    i.tile = below(2) != 0;
    if (i.async != AsyncCopy::bulk || i.tile || below(3) != 0) return;
    i.mem = MemOp::reduction;
    i.async_groups = Reduction{AtomicOp::xor_, Element::u64}.code();
  }

  void make_cluster_access(InstInfo& i) {
    constexpr AsyncCopy kParts[] = {AsyncCopy::none, AsyncCopy::mbarrier, AsyncCopy::bulk_peer,
                                    AsyncCopy::peer_write};
    i.space = Space::cluster;
    i.async = kParts[below(4)];
    i.tile = false;
    i.async_groups = 0;
    if (i.async != AsyncCopy::none) i.mem = MemOp::store;
  }

  template <unsigned most>
  void add_registers(RegisterList<most>& list) {
    for (std::uint64_t left = below(most + 1); left != 0; --left) list.add(any_register());
  }
  std::uint16_t any_register() {
    return static_cast<std::uint16_t>(below(traits_.scoreboard_registers));
  }

  void fill(WarpTrace& warp) {
    warp.clear();
    const unsigned count = 1 + below(steps_);
    for (unsigned k = 0; k < count; ++k) {
      Step s;
      s.inst = below(4) == 0 ? below(inst_count()) : (k + 1) % inst_count();
      const InstInfo& i = insts_[s.inst];
      s.lanes = below(3) != 0 ? ~LaneMask(0) : static_cast<LaneMask>(random_());
      s.space = i.space;
      if (i.space == Space::generic) s.space = below(2) != 0 ? Space::shared : Space::global;
      if (i.op_class == OpClass::barrier && below(2) != 0) {
        s.barrier = static_cast<std::uint8_t>(below(16));
        s.barrier_waits = below(2) != 0;
        s.barrier_warps = static_cast<std::uint16_t>(below(33));
      }
      s.exited = k + 1 == count;
      s.first_address = static_cast<std::uint32_t>(warp.addresses.size());
      if (i.mem != MemOp::none) {
        if (s.space == Space::cluster) {
          add_places(warp, s.lanes);
        } else {
          add_addresses(warp, s.lanes);
        }
      }
      add_operands(warp, i, s.lanes);
      warp.steps.push_back(s);
    }
  }

  void add_addresses(WarpTrace& warp, LaneMask lanes) {
    const Addr base = random_();
    const bool strided = below(2) != 0;
    const std::uint64_t stride = below(64);
    for (LaneMask left = lanes, k = 0; left != 0; left &= left - 1, ++k)
      warp.addresses.push_back(strided ? base + k * stride : random_());
  }

  void add_places(WarpTrace& warp, LaneMask lanes) {
    for (LaneMask left = lanes; left != 0; left &= left - 1)
      warp.addresses.push_back(cluster_address(below(traits_.cluster.x), below(40000)));
  }

  void add_operands(WarpTrace& warp, const InstInfo& i, LaneMask lanes) {
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
      const std::uint32_t map = below(static_cast<unsigned>(maps_.size()));
      const bool clustered = traits_.clustered();
      for (unsigned k = 0; k < operands_a_lane(i, clustered); ++k) {
        auto number = static_cast<std::uint32_t>(random_());
        if (is_bulk_copy(i.async) && k == 1)
          number = i.tile ? maps_[map].box_bytes() : (number | kBulkBytes) & ~(kBulkBytes - 1);
        if (is_bulk_copy(i.async) && clustered && k == kBulkOperands)
          number &= (1u << traits_.cluster.x) - 1;
        warp.addresses.push_back(i.tile && k == kBulkOperands + (clustered ? 1 : 0) ? map : number);
      }
    }
  }

  std::mt19937_64 random_;
  unsigned steps_;
  KernelTraits traits_;
  std::vector<InstInfo> insts_;
  std::vector<TensorMap> maps_;
  std::vector<std::string> names_;
  std::uint64_t done_ = 0;
};

}  // namespace warpmem::program::trace::test
