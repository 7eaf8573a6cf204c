// SPDX-License-Identifier: Apache-2.0
#include "cosim/dau_lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "base/errors.hpp"
#include "cache/mha/dl/fast_dau.hpp"
#include "cosim/dau_library.hpp"
#include "cosim/dau_stimulus.hpp"
#include "cosim/lockstep_engine.hpp"

namespace warpmem::cosim {

using mha::Dau;
using mha::DauIn;
using mha::DauOut;
using mha::DauSets;
using mha::DauSize;
using mha::DauState;

namespace {

void check(const DauSize& size) {
  Problems problems;
  if (size.sets < 1 || size.sets > mha::kMostDauSets)
    problems.add("sets", fmt::format("{} is not 1 to {}", size.sets, mha::kMostDauSets));
  if (size.slots != 1 && size.slots != 2 && size.slots != 4 && size.slots != 8)
    problems.add("slots", fmt::format("{} is not 1, 2, 4 or 8", size.slots));
  if (size.reserved > size.sets)
    problems.add("reserved", fmt::format("{} is more than the {} sets", size.reserved, size.sets));
  problems.throw_if_any();
}

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

class DauBench {
 public:
  using In = DauIn;
  using Out = DauOut;
  using Options = DauLockstepOptions;
  using Result = DauLockstepResult;

  static constexpr const char* kUnit = "dau";
  static constexpr OutputField<DauOut> kOutputs[] = {
      {"req_ready", [](const DauOut& o) { return std::int64_t{o.req_ready}; }},
      {"rf", [](const DauOut& o) { return std::int64_t{o.rf}; }},
      {"req_set", [](const DauOut& o) { return std::int64_t{o.req_set}; }},
      {"req_slot", [](const DauOut& o) { return std::int64_t{o.req_slot}; }},
      {"req_link", [](const DauOut& o) { return std::int64_t{o.req_link}; }},
      {"ret_ready", [](const DauOut& o) { return std::int64_t{o.ret_ready}; }},
      {"release_busy", [](const DauOut& o) { return std::int64_t{o.release_busy}; }},
      {"n_free", [](const DauOut& o) { return std::int64_t{o.n_free}; }},
      {"n_linkable", [](const DauOut& o) { return std::int64_t{o.n_linkable}; }},
  };

  DauBench(const DauLockstepOptions& options, bool waves)
      : size_(options.size),
        class_(options.size),
        systemc_(make_library_dau(View::systemc, options.size, options.places)),
        rtl_(make_library_dau(View::rtl, options.size, options.places, waves)),
        random_(options.size, options.seed),
        before_(options.size.sets) {}

  DauOut eval_class(const DauIn& in) const { return class_.eval(in); }
  void commit_class(const DauIn& in) { class_.commit(in); }
  void reset_class() { class_.reset(); }
  LibraryDau& systemc() { return *systemc_; }
  LibraryDau& rtl() { return *rtl_; }
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

  void before_edge(const DauIn&, const DauOut&, DauLockstepResult&) {
    std::copy_n(class_.inspect().state, size_.sets, before_.begin());
  }
  template <class Differ>
  void after_edge(const DauIn&, DauLockstepResult& result, const Differ& differ) {
    const DauSets sets = class_.inspect();
    const DauSets of_systemc = systemc_->inspect();
    const DauSets of_rtl = rtl_->inspect();
    if (!equal(sets, of_systemc, size_.sets) || !equal(sets, of_rtl, size_.sets)) {
      for (const StateField& f : kStateFields)
        for (std::uint32_t i = 0; i < size_.sets; ++i)
          differ(fmt::format("{}[{}] after the cycle", f.name, i), f.of(sets, i),
                 f.of(of_systemc, i), f.of(of_rtl, i));
    }
    result.coverage.add(before_.data(), sets.state);
  }

 private:
  DauSize size_;
  mha::FastDau class_;
  std::unique_ptr<LibraryDau> systemc_;
  std::unique_ptr<LibraryDau> rtl_;
  DauRandomStimulus random_;
  std::vector<DauState> before_;
};

}  // namespace

DauLockstepResult run_dau_lockstep(const DauLockstepOptions& options) {
  check(options.size);
  return run_lockstep<DauBench>(options, DauLockstepResult(options.size, options.seed));
}

}  // namespace warpmem::cosim
