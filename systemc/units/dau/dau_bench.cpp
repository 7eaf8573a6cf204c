// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "cache/mha/dl/dau_choice.hpp"
#include "cache/mha/dl/fast_dau.hpp"
#include "cosim/lockstep_unit.hpp"
#include "units/dau/dau_bench_coverage.hpp"
#include "units/dau/dau_bench_stimulus.hpp"
#include "units/dau/dau_unit.hpp"

namespace warpmem::cosim::dau {

using mha::DauIn;
using mha::DauOut;
using mha::DauSets;
using mha::DauSize;
using mha::DauState;

namespace {

struct StateField {
  const char* name;
  std::uint32_t (*of)(const DauSets&, std::uint32_t set);
};
constexpr StateField kStateFields[] = {
    {"state", [](const DauSets& s, std::uint32_t i) { return std::uint32_t(s.state[i]); }},
    {"count", [](const DauSets& s, std::uint32_t i) { return std::uint32_t{s.count[i]}; }},
    {"linked", [](const DauSets& s, std::uint32_t i) { return std::uint32_t{s.linked[i]}; }},
    {"next", [](const DauSets& s, std::uint32_t i) { return std::uint32_t{s.next[i]}; }},
    {"peer", [](const DauSets& s, std::uint32_t i) { return std::uint32_t{s.peer[i]}; }},
};

bool equal(const DauSets& a, const DauSets& b, std::size_t sets) {
  return std::memcmp(a.state, b.state, sets) == 0 && std::memcmp(a.count, b.count, sets) == 0 &&
         std::memcmp(a.linked, b.linked, sets) == 0 && std::memcmp(a.next, b.next, 2 * sets) == 0 &&
         std::memcmp(a.peer, b.peer, 2 * sets) == 0;
}

class DauBench : public BenchOf<units::DauDescription> {
 public:
  using Coverage = DauCoverage;
  static constexpr bool kChooses = true;

  static std::string text_of(const Size& s) {
    return fmt::format("{} sets of {} slots, {} reserved", s.sets, s.slots, s.reserved);
  }
  static void check(const Size& size, Problems& problems) {
    if (size.slots != 1 && size.slots != 2 && size.slots != 4 && size.slots != 8)
      problems.add("slots", fmt::format("{} is not 1, 2, 4 or 8", size.slots));
    if (size.reserved > size.sets)
      problems.add("reserved",
                   fmt::format("{} is more than the {} sets", size.reserved, size.sets));
  }
  static DauCoverage coverage_of(const Size& size) { return DauCoverage(size); }

  DauBench(const Size& size, std::uint64_t seed)
      : size_(size), class_(size), random_(size, seed), renaming_(size), before_(size.sets) {}

  DauOut eval_class(const DauIn& in) const { return class_.eval(in); }
  void commit_class(const DauIn& in) { class_.commit(in); }
  void reset_class() {
    class_.reset();
    renaming_.reset();
  }
  DauIn legal(const DauIn& in, bool directed) {
    directed_ = directed;
    return directed ? renaming_.renamed(in) : mha::dau_legal_input(class_, in);
  }
  DauOut follow(const DauIn& in, const DauOut& rtl, std::string* reason) const {
    return mha::dau_follow(class_, in, rtl, reason);
  }
  void commit_as(const DauIn& in, const DauOut& out) {
    class_.commit_as(in, out);
    if (directed_) renaming_.commit(out);
  }
  std::vector<DauIn> directed() const { return dau_directed_vectors(size_); }
  DauIn random() { return random_.next(class_.inspect().state); }

  static std::string line(const DauIn& in, const DauOut& out) {
    std::string request = "-";
    if (in.req_valid) {
      request = in.req_secondary ? fmt::format("secondary to {}", in.req_head) : "primary";
      request += out.req_ready ? fmt::format(": set {} slot {}{}", out.req_set, out.req_slot,
                                             out.req_link ? " linked" : "")
                               : ": rf";
    }
    const std::string ret =
        in.ret_valid ? fmt::format("RET {}{}", in.ret_head, out.ret_ready ? "" : " waits") : "-";
    return fmt::format("{:<34} {:<14} {} free, {} linkable{}", request, ret, out.n_free,
                       out.n_linkable, out.release_busy ? ", releasing" : "");
  }

  void before_edge(const DauIn&, const DauOut&, DauCoverage&) {
    std::copy_n(class_.inspect().state, size_.sets, before_.begin());
  }
  template <class Differ>
  void compare_state(const DauSets& systemc, const DauSets& rtl, const Differ& differ) const {
    const DauSets sets = class_.inspect();
    if (equal(sets, systemc, size_.sets) && equal(sets, rtl, size_.sets)) return;
    for (const StateField& f : kStateFields)
      for (std::uint32_t i = 0; i < size_.sets; ++i)
        differ(fmt::format("{}[{}] after the cycle", f.name, i), f.of(sets, i), f.of(systemc, i),
               f.of(rtl, i));
  }
  void after_edge(const DauIn&, DauCoverage& coverage) {
    coverage.add(before_.data(), class_.inspect().state);
  }

 private:
  DauSize size_;
  mha::FastDau class_;
  DauRandomStimulus random_;
  DauRenaming renaming_;
  bool directed_ = false;  // of the vectors that renaming_ knows
  std::vector<DauState> before_;
};

}  // namespace

std::unique_ptr<HardwareUnit> bench() { return std::make_unique<LockstepUnit<DauBench>>(); }

}  // namespace warpmem::cosim::dau
