// SPDX-License-Identifier: Apache-2.0
// Units behind libraries as the machine's interfaces want them: what the miss handlers, front ends,
// L1D and SMs call is not always a unit's two calls.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "cache/frontend/unit_factories.hpp"
#include "cache/mha/dl/dau_choice.hpp"
#include "cache/mha/registry.hpp"
#include "cosim/unit_library.hpp"
#include "l1d/unit_factories.hpp"
#include "sm/laws/unit_factories.hpp"
#include "units/cart_branch/cart_branch_unit.hpp"
#include "units/tsma_index_gen/tsma_index_gen_unit.hpp"

namespace warpmem::cosim {

/// This is a unit of the machine in a view other than the class, as an `Interface` with eval(In)
/// and commit(In). `recordings` takes its inputs and may be nullptr. Throws UserError when the view
/// cannot be built.
template <class Interface, class Unit>
class LoadedUnit : public Interface {
 public:
  LoadedUnit(View view, const typename Unit::Size& size, const UnitPlaces& places,
             UnitRecordings* recordings)
      : unit_(view, size, places) {
    unit_.watch(recordings);
  }
  typename Unit::Out eval(const typename Unit::In& in) const override { return unit_.eval(in); }
  void commit(const typename Unit::In& in) override { unit_.commit(in); }

 private:
  LibraryUnit<Unit> unit_;
};

using LoadedMrpbDrain = LoadedUnit<cache::MrpbDrain, units::MrpbDrainDescription>;

class LoadedCartBranch final
    : public LoadedUnit<cache::CartBranchUnit, units::CartBranchDescription> {
 public:
  /// L2 uses it for any address.
  LoadedCartBranch(View view, const cache::CartSize& leaves, const UnitPlaces& places,
                   UnitRecordings* recordings)
      : LoadedUnit(view, {leaves, 32, 32}, places, recordings) {}
};

class LoadedBuclCtrl final : public LoadedUnit<l1d::BuclCtrl, units::BuclCtrlDescription> {
 public:
  using LoadedUnit::LoadedUnit;
  void idle(Cycle cycles) override {
    for (Cycle c = 0; c < cycles; ++c) commit({});
  }
};

template <class Unit>
class LoadedMshrFile final : public LoadedUnit<mha::MshrFile, Unit> {
 public:
  using LoadedUnit<mha::MshrFile, Unit>::LoadedUnit;
  const char* name() const override { return Unit::kName; }
};

/// This is a unit inside an adapter that has calls of its own.
template <class Unit>
class WatchedUnit : public LibraryUnit<Unit> {
 public:
  WatchedUnit(View view, const typename Unit::Size& size, const UnitPlaces& places,
              UnitRecordings* recordings)
      : LibraryUnit<Unit>(view, size, places) {
    this->watch(recordings);
  }
};

class LoadedLawsScore final : public sm::LawsScore {
 public:
  LoadedLawsScore(View view, const sm::LawsScoreSize& size, const UnitPlaces& places,
                  UnitRecordings* recordings)
      : unit_(view, size, places, recordings) {}
  units::LawsScoreOut eval() const override { return unit_.eval({}); }
  void commit(const units::LawsScoreIn& in) override { unit_.commit(in); }

 private:
  WatchedUnit<units::LawsScoreDescription> unit_;
};

class LoadedThrottle final : public sm::ThrottleUnit {
 public:
  LoadedThrottle(View view, const sm::ThrottleSize& size, const UnitPlaces& places,
                 UnitRecordings* recordings)
      : unit_(view, size, places, recordings), hold_(size.hold) {}
  units::ThrottleOut eval(bool fair) const override {
    units::ThrottleIn in;
    in.fair = fair;
    return unit_.eval(in);
  }
  void commit(const units::ThrottleIn& in) override { unit_.commit(in); }
  // One cycle may decide, and then the hold runs out; after that nothing changes.
  void idle(Cycle cycles, bool fair) override {
    units::ThrottleIn in;
    in.fair = fair;
    for (Cycle c = 0; c < std::min(cycles, hold_ + 1); ++c) unit_.commit(in);
  }

 private:
  WatchedUnit<units::ThrottleUnitDescription> unit_;
  Cycle hold_;
};

class LoadedIndexGen final : public mha::IndexGenerator {
 public:
  LoadedIndexGen(View view, std::uint32_t entries, const UnitPlaces& places,
                 UnitRecordings* recordings)
      : unit_(view, {entries}, places, recordings), out_(unit_.eval({})) {}
  std::uint32_t idx() const override { return out_.idx; }
  bool full() const override { return out_.full; }
  void commit(const In& in) override {
    unit_.commit({in.take, in.release, static_cast<std::uint16_t>(in.release_idx)});
    out_ = unit_.eval({});
  }

 private:
  WatchedUnit<units::TsmaIndexGenDescription> unit_;
  units::TsmaIndexGenOut out_;  // registers: the inputs of the cycle do not matter
};

class LoadedSteer final : public mha::Steering {
 public:
  LoadedSteer(View view, std::uint32_t ways, const UnitPlaces& places, UnitRecordings* recordings)
      : unit_(view, {ways}, places, recordings) {}
  // The steering has no registers, so each look at it is a cycle, for its checks and for a
  // recording.
  units::HtsmaSteerOut eval(const units::HtsmaSteerIn& in) const override {
    const units::HtsmaSteerOut out = unit_.eval(in);
    unit_.commit(in);
    return out;
  }

 private:
  mutable WatchedUnit<units::HtsmaSteerDescription> unit_;
};

/// The pins carry the numbers of all sets, and some more. A number beyond names no set: then there
/// is no request and no RET, as far as the unit can see.
class LoadedDau final : public mha::Dau {
 public:
  LoadedDau(View view, const mha::DauSize& size, const UnitPlaces& places,
            UnitRecordings* recordings)
      : LoadedDau(view, size, places) {
    unit_.watch(recordings);
    if (view == View::rtl && places.own.has(units::DauDescription::kName)) followed_.emplace(size);
  }
  /// This one belongs to no machine: nobody waits for an exception of it.
  LoadedDau(View view, const mha::DauSize& size, const UnitPlaces& places)
      : unit_(view, size, places) {
    while (numbers_ < size.sets) numbers_ *= 2;
  }

  mha::DauOut eval(const mha::DauIn& in) const override {
    if (fits_pins(in)) return unit_.eval(in);
    mha::DauOut out = unit_.eval(on_pins(in));
    if (!in.req_secondary || in.req_head < numbers_) return out;
    out.req_ready = out.req_link = false;
    out.rf = in.req_valid;
    out.req_set = out.req_slot = 0;
    return out;
  }
  void commit(const mha::DauIn& in) override {
    const mha::DauIn driven = fits_pins(in) ? in : on_pins(in);
    if (followed_) follow(driven);
    unit_.commit(driven);
  }
  void reset() override {
    if (followed_) followed_->reset();
    unit_.reset();
  }
  const mha::DauSize& size() const override { return unit_.size(); }
  mha::DauSets inspect() const override { return unit_.state(); }

 private:
  bool fits_pins(const mha::DauIn& in) const {
    return in.req_head < numbers_ && in.ret_head < numbers_;
  }
  mha::DauIn on_pins(const mha::DauIn& in) const {
    mha::DauIn driven = in;
    if (in.req_head >= numbers_) {
      driven.req_head = 0;
      if (in.req_secondary) driven.req_valid = false;
    }
    if (in.ret_head >= numbers_) {
      driven.ret_head = 0;
      driven.ret_valid = false;
    }
    return driven;
  }

  void follow(const mha::DauIn& in) {
    std::string reason;
    const mha::DauOut out = mha::dau_follow(*followed_, in, unit_.eval(in), &reason);
    if (!reason.empty()) throw UnitFailure(units::DauDescription::kName, "the unit " + reason);
    followed_->commit_as(in, out);
  }

  LibraryUnit<units::DauDescription> unit_;
  std::optional<mha::FastDau> followed_;  // makes the choices of a user's RTL, and judges them
  std::uint32_t numbers_ = 2;             // that fit the pins
};

}  // namespace warpmem::cosim
