// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_factories.hpp"

#include <type_traits>

#include "base/assert.hpp"
#include "cache/mha/dl/fast_dau.hpp"
#include "cosim/unit_adapters.hpp"
#include "units/all_units.hpp"

namespace warpmem::cosim {

namespace {

/// Returns a function that makes an `Adapter` from these places, with these recordings.
template <class Adapter>
auto maker(const UnitPlaces& places, UnitRecordings* recordings) {
  return [places, recordings](View view, const auto& size) {
    return std::make_unique<Adapter>(view, size, places, recordings);
  };
}

/// Makes the whole MSHR file of a kind.
auto file_maker(const UnitPlaces& places, UnitRecordings* recordings) {
  return [places, recordings](View view, const mha::MshrSize& size) {
    std::unique_ptr<mha::MshrFile> file;
    units::for_each_unit([&](auto description) {
      using Unit = decltype(description);
      if constexpr (std::is_same_v<typename Unit::Size, mha::MshrSize>)
        if (Unit::kAttacked.kind == size.kind)
          file = std::make_unique<LoadedMshrFile<Unit>>(view, size, places, recordings);
    });
    assert(file != nullptr);
    return file;
  };
}

}  // namespace

mha::UnitFactories unit_factories(const UnitPlaces& places, UnitRecordings* recordings) {
  return {[places, recordings](View view, const mha::DauSize& size) -> std::unique_ptr<mha::Dau> {
            if (view == View::fast_class) return std::make_unique<mha::FastDau>(size);
            return std::make_unique<LoadedDau>(view, size, places, recordings);
          },
          maker<LoadedIndexGen>(places, recordings), maker<LoadedSteer>(places, recordings),
          file_maker(places, recordings)};
}

sm::UnitFactories sm_unit_factories(const UnitPlaces& places, UnitRecordings* recordings) {
  return {maker<LoadedLawsScore>(places, recordings), maker<LoadedThrottle>(places, recordings)};
}

cache::FrontendFactories frontend_unit_factories(const UnitPlaces& places,
                                                 UnitRecordings* recordings) {
  return {maker<LoadedCartBranch>(places, recordings), maker<LoadedMrpbDrain>(places, recordings)};
}

l1d::UnitFactories l1d_unit_factories(const UnitPlaces& places, UnitRecordings* recordings) {
  return {maker<LoadedBuclCtrl>(places, recordings)};
}

}  // namespace warpmem::cosim
