// SPDX-License-Identifier: Apache-2.0
// TSMA's index generator and the hybrid's steering as synthesizable SystemC and as RTL.
#pragma once

#include <cstdint>
#include <memory>

#include "cache/mha/tsma/index_generator.hpp"
#include "cache/mha/tsma/steering.hpp"
#include "cosim/unit_library.hpp"
#include "units/tsma_index_gen/tsma_index_gen_ports.hpp"

namespace warpmem::cosim {

using LibraryIndexGen = LibraryUnit<units::TsmaIndexGenIn, units::TsmaIndexGenOut>;
using LibrarySteer = LibraryUnit<units::HtsmaSteerIn, units::HtsmaSteerOut>;

/// These return the units in the view `systemc` or `rtl`, bare. They throw UserError when one
/// cannot be built.
std::unique_ptr<LibraryIndexGen> make_library_index_gen(View view, std::uint32_t entries,
                                                        const UnitPlaces& places,
                                                        bool waves = false);
std::unique_ptr<LibrarySteer> make_library_steer(View view, std::uint32_t ways,
                                                 const UnitPlaces& places, bool waves = false);

/// These return the units as the miss handler uses them. `recordings` takes their inputs and may be
/// nullptr.
std::unique_ptr<mha::IndexGenerator> make_index_gen(View view, std::uint32_t entries,
                                                    UnitRecordings* recordings);
std::unique_ptr<mha::Steering> make_steer(View view, std::uint32_t ways,
                                          UnitRecordings* recordings);

}  // namespace warpmem::cosim
