// SPDX-License-Identifier: Apache-2.0
// A launch and its CTAs: the interpreter's loop.
#include <algorithm>
#include <cstdio>
#include <unordered_map>

#include "base/errors.hpp"
#include "program/ptx/lanes.hpp"
#include "program/ptx/module.hpp"
#include "program/ptx/module_data.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr std::uint64_t kMaxSharedBytes = std::uint64_t(1) << 24;
constexpr std::uint64_t kMaxThreads = 1024;

std::string coordinates(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
}

class PtxGrid;

class PtxCta final : public Cta {
 public:
  PtxCta(PtxGrid& grid, std::unique_ptr<CtaState> state) : grid_(grid), state_(std::move(state)) {
    const Program& p = *state_->launch->program;
    code_ = p.code.data();
    infos_ = p.infos.data();
  }
  ~PtxCta() override;

  const InstInfo* next(unsigned warp) const override {
    const Warp& w = state_->warps[warp];
    return w.finished ? nullptr : &infos_[w.top.pc];
  }

  const Issue& execute(unsigned warp) override {
    CtaState& c = *state_;
    Warp& w = c.warps[warp];
    const std::uint32_t pc = w.top.pc;
    const Inst& in = code_[pc];
    LaneMask lanes = w.top.lanes;
    if (in.guard != kNoRef) lanes &= predicate(w, in.guard);
    if (w.replay != 0) {
      lanes = w.replay;
      w.replay = 0;
    }
    w.lanes = lanes;
    Issue& issue = c.issue;
    issue.inst = &infos_[pc];
    issue.lanes = lanes;
    issue.space = Space::none;
    issue.address = nullptr;
    issue.data = nullptr;
    issue.operand = nullptr;
    issue.ranks = nullptr;
    issue.tiles = nullptr;
    issue.phases_ended = 0;
    issue.wait_failed = issue.suspended = false;
    if (in.control) {
      in.run(w, in);
    } else {
      if (lanes != 0) in.run(w, in);
      if (w.replay == 0 && ++w.top.pc == w.top.rpc) settle(w);
    }
    issue.exited = w.finished;
    return issue;
  }

  void stop_waiting(unsigned warp) override { state_->warps[warp].answers = true; }
  std::string waits_for(unsigned warp) const override {
    return ptx::waits_for(state_->warps[warp]);
  }
  LaneMask lanes_behind(unsigned warp) const override {
    LaneMask waiting = 0;
    for (const StackEntry& entry : state_->warps[warp].stack) waiting |= entry.lanes;
    return waiting & ~state_->warps[warp].top.lanes;
  }
  unsigned copies_arrived(unsigned warp) override {
    return ptx::copies_arrived(state_->warps[warp]);
  }
  std::uint8_t* shared_memory() override { return state_->shared.data(); }
  unsigned bulk_arrived(unsigned warp, const InstInfo& inst, unsigned lane, std::uint32_t mbarrier,
                        std::uint32_t bytes) override {
    return ptx::bulk_arrived(state_->warps[warp], code_[&inst - infos_], lane, mbarrier, bytes);
  }
  unsigned peer_mbarrier(std::uint32_t pc, std::uint32_t mbarrier, MbarrierOp op,
                         std::uint32_t number) override {
    return ptx::peer_mbarrier(*state_, pc, mbarrier, op, number);
  }

 private:
  PtxGrid& grid_;
  std::unique_ptr<CtaState> state_;
  const Inst* code_;
  const InstInfo* infos_;
};

class PtxGrid final : public Grid {
 public:
  explicit PtxGrid(Launch launch) : launch_(std::move(launch)) {}
  const KernelTraits& traits() const override { return launch_.traits; }

  std::unique_ptr<Cta> start_cta(std::uint64_t index, const SmView& view) override {
    std::unique_ptr<CtaState> state;
    if (pool_.empty()) {
      state = create();
    } else {
      state = std::move(pool_.back());
      pool_.pop_back();
    }
    reset(*state, index, view);
    join(*state, index);
    return std::make_unique<PtxCta>(*this, std::move(state));
  }

  std::string mnemonic(const InstInfo& inst) const override {
    const Program& program = *launch_.program;
    return std::string(program.spelling[static_cast<std::size_t>(&inst - program.infos.data())]);
  }

  std::string place(std::uint32_t pc) const override {
    const Program& program = *launch_.program;
    const auto found = std::find_if(program.infos.begin(), program.infos.end(),
                                    [pc](const InstInfo& info) { return info.pc == pc; });
    if (found == program.infos.end()) return {};
    const auto index = static_cast<std::size_t>(found - program.infos.begin());
    const auto source = program.source_names.find(program.source_file[index]);
    if (found->source_line == 0 || source == program.source_names.end()) return {};
    return source->second + ":" + std::to_string(found->source_line);
  }

  void recycle(std::unique_ptr<CtaState> state) {
    leave(*state);
    pool_.push_back(std::move(state));
  }

 private:
  void join(CtaState& c, std::uint64_t index) {
    c.rank = launch_.clusters.rank_of(index);
    const std::uint64_t number = launch_.clusters.cluster_of(index);
    ClusterState& cluster = clusters_[number];
    c.cluster = &cluster;
    c.cluster_number = number;
    cluster.ctas[c.rank] = &c;
    cluster.started |= 1u << c.rank;
    ++cluster.resident;
  }
  void leave(CtaState& c) {
    c.cluster->ctas[c.rank] = nullptr;
    if (--c.cluster->resident == 0) clusters_.erase(c.cluster_number);
  }

  std::unique_ptr<CtaState> create() {
    auto state = std::make_unique<CtaState>(launch_);
    const FrameLayout& layout = launch_.program->functions[0];
    const Dim3 block = launch_.traits.block;
    state->shared.resize(launch_.traits.shared_bytes);
    state->warps.resize(launch_.traits.warps_per_cta);
    for (unsigned k = 0; k < state->warps.size(); ++k) {
      Warp& w = state->warps[k];
      w.cta = state.get();
      w.index = k;
      w.bank[1] = const_cast<std::uint8_t*>(
          reinterpret_cast<const std::uint8_t*>(launch_.program->constants.data()));
      w.frames.push_back(std::make_unique<Frame>());
      w.frames[0]->registers.resize((layout.register_bytes + sizeof(ConstantLanes) - 1) /
                                    sizeof(ConstantLanes));
      w.frames[0]->parameters.grow(layout.parameter_bytes);
      w.local.grow(layout.local_bytes);
      w.stack.reserve(kWarpLanes * 2);
      for (unsigned i = 0; i < kWarpLanes; ++i) {
        const std::uint64_t thread = std::uint64_t(k) * kWarpLanes + i;
        if (thread >= block.count()) continue;
        w.populated |= LaneMask(1) << i;
        w.tid[0][i] = static_cast<std::uint32_t>(thread % block.x);
        w.tid[1][i] = static_cast<std::uint32_t>(thread / block.x % block.y);
        w.tid[2][i] = static_cast<std::uint32_t>(thread / block.x / block.y);
      }
    }
    return state;
  }

  void reset(CtaState& c, std::uint64_t index, const SmView& view) {
    const Dim3 grid = launch_.traits.grid;
    c.view = view;
    c.ctaid.x = static_cast<std::uint32_t>(index % grid.x);
    c.ctaid.y = static_cast<std::uint32_t>(index / grid.x % grid.y);
    c.ctaid.z = static_cast<std::uint32_t>(index / grid.x / grid.y);
    c.live_warps = static_cast<unsigned>(c.warps.size());
    if (c.barriers.pending() != 0)  // abandoned at a fault
      for (auto& votes : c.votes) votes = {};
    c.barriers.reset();
    // Uninitialised shared and local memory and registers read as zero, whatever ran here before.
    std::fill(c.shared.begin(), c.shared.end(), std::uint8_t(0));
    for (Warp& w : c.warps) {
      Frame& frame = *w.frames[0];
      w.local.clear();
      if (!frame.registers.empty())
        std::memset(static_cast<void*>(frame.registers.data()), 0,
                    frame.registers.size() * sizeof(ConstantLanes));
      w.bank[0] = reinterpret_cast<std::uint8_t*>(frame.registers.data());
      w.top = {0, kNoPc, w.populated, 0};
      w.stack.clear();
      w.carry = w.replay = 0;
      w.finished = w.answers = w.at_cluster = w.apart = false;
      w.wait = {};
      w.arrivals.clear();
    }
  }

  Launch launch_;
  std::vector<std::unique_ptr<CtaState>> pool_;
  std::unordered_map<std::uint64_t, ClusterState> clusters_;  ///< those with a CTA that is there
};

PtxCta::~PtxCta() { grid_.recycle(std::move(state_)); }

}  // namespace

std::string place_of(const Warp& w, const Inst& in) {
  const Program& p = *w.cta->launch->program;
  const auto index = static_cast<std::size_t>(&in - p.code.data());
  return place_of(p.source_names, p.source_file[index], p.infos[index].source_line, p.file,
                  p.infos[index].line);
}

std::string fault_text(const Warp& w, const Inst& in, unsigned lane, const std::string& what) {
  const CtaState& c = *w.cta;
  const Program& p = *c.launch->program;
  auto index = static_cast<std::size_t>(&in - p.code.data());
  // A fault inside a texture fetch or a library's function is told of what fetches or calls.
  const auto in_library = [&](std::uint32_t depth) {
    return p.functions[w.frames[depth]->function].library != Library::none;
  };
  const Library library = p.functions[w.frames[w.top.depth]->function].library;
  std::uint32_t depth = w.top.depth;
  for (auto entry = w.stack.rbegin(); entry != w.stack.rend() && in_library(depth); ++entry) {
    if (entry->depth == depth) continue;
    depth = entry->depth;
    index = entry->pc - 1;
  }
  char pc[16];
  std::snprintf(pc, sizeof pc, "0x%x", p.infos[index].pc);
  const std::string place = place_of(p.source_names, p.source_file[index],
                                     p.infos[index].source_line, p.file, p.infos[index].line);
  return "kernel " + p.kernel + ", PC " + pc + ", " + place + ": `" +
         std::string(p.spelling[index]) + "`, CTA " + coordinates(c.ctaid.x, c.ctaid.y, c.ctaid.z) +
         " thread " + coordinates(w.tid[0][lane], w.tid[1][lane], w.tid[2][lane]) + ": " + what +
         (library == Library::texture ? "; is the texture bound?"
          : library == Library::heap
              ? "; was the memory allocated in a kernel, and not freed before?"
              : "");
}

void fault(const Warp& w, const Inst& in, unsigned lane, const std::string& what,
           KernelFault::Kind kind) {
  throw KernelFault(kind, fault_text(w, in, lane, what));
}

std::unique_ptr<Grid> make_grid(const Module& module, std::string_view entry, Dim3 grid, Dim3 block,
                                std::uint64_t dynamic_shared_bytes,
                                const std::vector<std::uint8_t>& parameters, DeviceMemory& memory,
                                std::optional<Dim3> cluster, Addr grid_barrier, Addr heap) {
  const detail::ModuleData& d = module.data();
  const Entry* const info = module.find_entry(entry);
  if (info == nullptr)
    throw UserError(d.name + ": there is no kernel `" + std::string(entry) + "`");
  const Program& program = d.program(static_cast<std::size_t>(info - d.entries.data()));
  const std::string where = "kernel " + program.kernel + ": ";
  if (!d.bound) throw UserError(where + "the module is not bound to a device memory");
  if (parameters.size() != info->parameter_bytes)
    throw UserError(where + "the launch passes " + std::to_string(parameters.size()) +
                    " bytes of parameters, the kernel takes " +
                    std::to_string(info->parameter_bytes));
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0)
    throw UserError(where + "grid " + coordinates(grid.x, grid.y, grid.z) + " of blocks " +
                    coordinates(block.x, block.y, block.z) + " has a dimension of 0");
  const std::uint64_t limit =
      info->max_threads != 0 && info->max_threads < kMaxThreads ? info->max_threads : kMaxThreads;
  if (block.x > limit || block.y > limit || block.z > limit || block.count() > limit)
    throw UserError(where + "a block of " + coordinates(block.x, block.y, block.z) +
                    " threads is too large; at most " + std::to_string(limit));
  const std::uint64_t shared = program.static_shared_bytes + dynamic_shared_bytes;
  if (dynamic_shared_bytes > kMaxSharedBytes || shared > kMaxSharedBytes)
    throw UserError(where + std::to_string(program.static_shared_bytes) + " bytes of static and " +
                    std::to_string(dynamic_shared_bytes) +
                    " of dynamic shared memory are too many");

  const std::optional<Dim3> stated = cluster ? cluster : info->cluster;
  const Dim3 shape = stated.value_or(Dim3{});
  if (shape.x == 0 || shape.y == 0 || shape.z == 0 || shape.count() > kMostClusterCtas)
    throw UserError(where + "a cluster of " + coordinates(shape.x, shape.y, shape.z) +
                    " blocks; allowed: 1 to " + std::to_string(kMostClusterCtas) + " in all");
  if (grid.x % shape.x != 0 || grid.y % shape.y != 0 || grid.z % shape.z != 0)
    throw UserError(where + "a grid of " + coordinates(grid.x, grid.y, grid.z) +
                    " blocks is no multiple of the cluster " +
                    coordinates(shape.x, shape.y, shape.z));

  Launch launch;
  launch.program = &program;
  launch.explicit_cluster = stated.has_value();
  launch.memory = &memory;
  launch.grid_barrier = grid_barrier;
  launch.heap = heap;
  launch.dynamic_shared_bytes = dynamic_shared_bytes;
  launch.parameters = parameters;
  launch.ranges.resize(program.code.size());
  KernelTraits& t = launch.traits;
  t.name = program.kernel;
  t.grid = grid;
  t.block = block;
  t.cluster = shape;
  launch.clusters = Clusters(t);
  t.warps_per_cta = static_cast<unsigned>((block.count() + kWarpLanes - 1) / kWarpLanes);
  t.registers_per_thread = program.registers_per_thread;
  t.shared_bytes = shared;
  t.local_bytes = program.local_bytes;
  t.scoreboard_registers = program.scoreboard_registers;
  t.bulk_copy = program.bulk_copy;
  return std::make_unique<PtxGrid>(std::move(launch));
}

}  // namespace warpmem::program::ptx
