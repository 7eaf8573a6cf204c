// SPDX-License-Identifier: Apache-2.0
#include "cache/mha/registry.hpp"

#include <fmt/format.h>

#include <utility>

#include "cache/mha/checked_handler.hpp"
#include "cache/mha/checked_pipe.hpp"
#include "cache/mha/conventional.hpp"
#include "cache/mha/dl/dl_mshr.hpp"
#include "cache/mha/dl/fast_dau.hpp"
#include "cache/mha/tsma/tsma.hpp"

namespace warpmem::mha {

namespace {

/// Makes the class, or another view of a unit by its factory.
template <class Fast, class Factory, class Size>
auto make_unit(View view, const Factory& factory, const Size& size, const char* key)
    -> decltype(factory(view, size)) {
  if (view == View::fast_class) return std::make_unique<Fast>(size);
  if (!factory)
    throw UserError(fmt::format("mshr.{}: this program has only the view 'class' of it", key));
  return factory(view, size);
}

/// Makes the class of a kind of the tree's own.
std::unique_ptr<MissHandler> make_class(const MhaParams& params, const TagArray& tags,
                                        Allocate allocate, const ClockDomain& clock,
                                        const UnitFactories& units) {
  switch (params.kind) {
    case Kind::conventional:
    case Kind::set_associative:
      return std::make_unique<Conventional>(params, tags, allocate, clock);
    case Kind::dl:
      return std::make_unique<DlMshr>(
          params, tags, allocate, clock,
          make_unit<FastDau>(params.dau, units.dau, params.dau_size(), "dau"));
    case Kind::tsma:
    case Kind::htsma: {
      std::unique_ptr<Steering> steering;
      if (params.kind == Kind::htsma)
        steering = make_unit<FastSteering>(params.steer, units.steer, tags.ways(), "steer");
      return std::make_unique<Tsma>(params, tags, clock,
                                    make_unit<FastIndexGenerator>(params.index_gen, units.index_gen,
                                                                  params.entries, "index_gen"),
                                    std::move(steering));
    }
  }
  throw UserError("mshr.kind: unknown value");
}

}  // namespace

AddedMissHandlers& added_miss_handlers() {
  static AddedMissHandlers added;
  return added;
}

std::unique_ptr<MissHandler> make_miss_handler(const MhaParams& params, const TagArray& tags,
                                               Allocate allocate, const ClockDomain& clock,
                                               const UnitFactories& units, std::uint32_t sectors) {
  if (!params.added.empty())
    return added_miss_handlers().make(params.added, params, tags, allocate, clock);
  auto handler = make_class(params, tags, allocate, clock, units);
  if (params.file == View::fast_class) return handler;
  if (!units.file) throw UserError("mshr.file: this program has only the view 'class' of it");
  const MshrSize size = file_size(params, tags.ways(), sectors);
  auto file = units.file(params.file, size);
  if (size.piped())
    return std::make_unique<CheckedPipe>(size, params, tags, std::move(handler), std::move(file),
                                         units.file_edges);
  return std::make_unique<CheckedHandler>(size, params, tags, std::move(handler), std::move(file),
                                          units.file_edges);
}

}  // namespace warpmem::mha
