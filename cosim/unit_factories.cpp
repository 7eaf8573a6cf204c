// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_factories.hpp"

#include "cosim/cart_library.hpp"
#include "cosim/dau_library.hpp"
#include "cosim/l1d_library.hpp"
#include "cosim/laws_library.hpp"
#include "cosim/tsma_library.hpp"
#include "mha/dl/fast_dau.hpp"

namespace warpmem::cosim {

const mha::UnitFactories& unit_factories() {
  static const mha::UnitFactories factories = {
      [](mha::View view, const mha::DauSize& size) -> std::unique_ptr<mha::Dau> {
        if (view == mha::View::fast_class) return std::make_unique<mha::FastDau>(size);
        return make_library_dau(view, size, default_places());
      },
      make_index_gen, make_steer};
  return factories;
}

const sm::UnitFactories& sm_unit_factories() {
  static const sm::UnitFactories factories = {make_laws_score, make_throttle_unit};
  return factories;
}

const l2::UnitFactories& l2_unit_factories() {
  static const l2::UnitFactories factories = {make_cart_branch};
  return factories;
}

const l1d::UnitFactories& l1d_unit_factories() {
  static const l1d::UnitFactories factories = {make_mrpb_drain, make_bucl_ctrl};
  return factories;
}

}  // namespace warpmem::cosim
