// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_factories.hpp"

#include "cache/mha/dl/fast_dau.hpp"
#include "cosim/unit_adapters.hpp"

namespace warpmem::cosim {

namespace {

/// Returns a function that makes an `Adapter` with these recordings.
template <class Adapter>
auto maker(UnitRecordings* recordings) {
  return [recordings](View view, const auto& size) {
    return std::make_unique<Adapter>(view, size, recordings);
  };
}

}  // namespace

mha::UnitFactories unit_factories(UnitRecordings* recordings) {
  return {[recordings](View view, const mha::DauSize& size) -> std::unique_ptr<mha::Dau> {
            if (view == View::fast_class) return std::make_unique<mha::FastDau>(size);
            return std::make_unique<LoadedDau>(view, size, recordings);
          },
          maker<LoadedIndexGen>(recordings), maker<LoadedSteer>(recordings)};
}

sm::UnitFactories sm_unit_factories(UnitRecordings* recordings) {
  return {maker<LoadedLawsScore>(recordings), maker<LoadedThrottle>(recordings)};
}

cache::FrontendFactories frontend_unit_factories(UnitRecordings* recordings) {
  return {maker<LoadedCartBranch>(recordings), maker<LoadedMrpbDrain>(recordings)};
}

l1d::UnitFactories l1d_unit_factories(UnitRecordings* recordings) {
  return {maker<LoadedBuclCtrl>(recordings)};
}

}  // namespace warpmem::cosim
