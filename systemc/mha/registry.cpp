// SPDX-License-Identifier: Apache-2.0
#include "mha/registry.hpp"

#include "mha/conventional.hpp"
#include "mha/dl/dl_mshr.hpp"
#include "mha/dl/fast_dau.hpp"
#include "mha/tsma/tsma.hpp"

namespace warpmem::mha {

namespace {

std::unique_ptr<Dau> make_dau(View view, const DauSize& size, const UnitFactories& units) {
  if (view == View::fast_class) return std::make_unique<FastDau>(size);
  if (!units.dau) throw UserError("mshr.dau: this program has only the view 'class' of the DAU");
  return units.dau(view, size);
}

}  // namespace

std::unique_ptr<MissHandler> make_miss_handler(const MhaParams& params, const TagArray& tags,
                                               Allocate allocate, const ClockDomain& clock,
                                               const UnitFactories& units) {
  switch (params.kind) {
    case Kind::conventional:
    case Kind::set_associative:
      return std::make_unique<Conventional>(params, tags, allocate, clock);
    case Kind::dl:
      return std::make_unique<DlMshr>(params, tags, allocate, clock,
                                      make_dau(params.dau, params.dau_size(), units));
    case Kind::tsma:
    case Kind::htsma:
      return std::make_unique<Tsma>(params, tags, clock);
  }
  throw UserError("mshr.kind: unknown value");
}

}  // namespace warpmem::mha
