// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_factories.hpp"

#include "cache/mha/dl/fast_dau.hpp"
#include "cosim/cart_library.hpp"
#include "cosim/dau_library.hpp"
#include "cosim/l1d_library.hpp"
#include "cosim/laws_library.hpp"
#include "cosim/tsma_library.hpp"

namespace warpmem::cosim {

namespace {

/// Returns `make` with the recordings as its last argument.
template <class Make>
auto recorded(Make make, UnitRecordings* recordings) {
  return [make, recordings](View view, const auto& size) { return make(view, size, recordings); };
}

}  // namespace

mha::UnitFactories unit_factories(UnitRecordings* recordings) {
  return {[recordings](View view, const mha::DauSize& size) -> std::unique_ptr<mha::Dau> {
            if (view == View::fast_class) return std::make_unique<mha::FastDau>(size);
            return make_dau(view, size, recordings);
          },
          recorded(make_index_gen, recordings), recorded(make_steer, recordings)};
}

sm::UnitFactories sm_unit_factories(UnitRecordings* recordings) {
  return {recorded(make_laws_score, recordings), recorded(make_throttle_unit, recordings)};
}

cache::FrontendFactories frontend_unit_factories(UnitRecordings* recordings) {
  return {recorded(make_cart_branch, recordings), recorded(make_mrpb_drain, recordings)};
}

l1d::UnitFactories l1d_unit_factories(UnitRecordings* recordings) {
  return {recorded(make_bucl_ctrl, recordings)};
}

}  // namespace warpmem::cosim
