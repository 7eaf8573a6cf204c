// SPDX-License-Identifier: Apache-2.0
// A unit whose class, SystemC and RTL run in lockstep by its bench (lockstep_engine.hpp).
#pragma once

#include <memory>
#include <string>

#include "base/errors.hpp"
#include "cosim/hardware_unit.hpp"
#include "cosim/lockstep_engine.hpp"

namespace warpmem::cosim {

template <class Bench>
class LockstepUnit final : public DescribedUnit<typename Bench::Unit> {
 public:
  using Unit = typename Bench::Unit;

  std::string views(const LockstepOptions& options) const override {
    const std::string first = Bench::kClass;
    if (!LockstepRun<Bench>::observed(options)) return first + ", systemc and rtl";
    return first + (Bench::kChooses ? ", which follows the choices, and rtl" : " and rtl");
  }
  std::string text_of(const SizeValues& size) const override {
    return Bench::text_of(cosim::size_of<Unit>(size));
  }
  void check(const SizeValues& values, Problems& problems) const override {
    const auto size = cosim::size_of<Unit>(values);
    check_limits(size_entries<Unit>(size), problems);
    Bench::check(size, problems);
  }
  LockstepResult run(const SizeValues& values, const LockstepOptions& options) const override {
    Problems problems;
    check(values, problems);
    problems.throw_if_any();
    return run_lockstep<Bench>(cosim::size_of<Unit>(values), options);
  }
};

}  // namespace warpmem::cosim
