// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_factories.hpp"

#include "cosim/cart_library.hpp"
#include "cosim/dau_library.hpp"
#include "cosim/l1d_library.hpp"
#include "cosim/laws_library.hpp"
#include "cosim/tsma_library.hpp"
#include "mha/dl/fast_dau.hpp"

namespace warpmem::cosim {

namespace {

/// `make` with the recordings as its last argument.
template <class Make>
auto recorded(Make make, UnitRecordings* recordings) {
  return
      [make, recordings](mha::View view, const auto& size) { return make(view, size, recordings); };
}

}  // namespace

mha::UnitFactories unit_factories(UnitRecordings* recordings) {
  return {[recordings](mha::View view, const mha::DauSize& size) -> std::unique_ptr<mha::Dau> {
            if (view == mha::View::fast_class) return std::make_unique<mha::FastDau>(size);
            return make_dau(view, size, recordings);
          },
          recorded(make_index_gen, recordings), recorded(make_steer, recordings)};
}

sm::UnitFactories sm_unit_factories(UnitRecordings* recordings) {
  return {recorded(make_laws_score, recordings), recorded(make_throttle_unit, recordings)};
}

l2::UnitFactories l2_unit_factories(UnitRecordings* recordings) {
  return {recorded(make_cart_branch, recordings)};
}

l1d::UnitFactories l1d_unit_factories(UnitRecordings* recordings) {
  return {recorded(make_mrpb_drain, recordings), recorded(make_bucl_ctrl, recordings)};
}

}  // namespace warpmem::cosim
