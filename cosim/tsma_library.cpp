// SPDX-License-Identifier: Apache-2.0
#include "cosim/tsma_library.hpp"

#include <utility>

namespace warpmem::cosim {

using mha::View;

namespace {

const UnitFiles kIndexGen = unit_files("tsma_index_gen", {"tsma_index_gen/tsma_index_gen.sv"},
                                       {"systemc/units/tsma_index_gen/tsma_index_gen_ports.hpp",
                                        "systemc/units/tsma_index_gen/tsma_index_gen_core.hpp"});
const UnitFiles kSteer = unit_files("htsma_steer", {"htsma_steer/htsma_steer.sv"},
                                    {"systemc/units/htsma_steer/htsma_steer_ports.hpp",
                                     "systemc/units/htsma_steer/htsma_steer_core.hpp"});

class LoadedIndexGen final : public mha::IndexGenerator {
 public:
  explicit LoadedIndexGen(std::unique_ptr<LibraryIndexGen> unit)
      : unit_(std::move(unit)), out_(unit_->eval({})) {}
  std::uint32_t idx() const override { return out_.idx; }
  bool full() const override { return out_.full; }
  void commit(const In& in) override {
    unit_->commit({in.take, in.release, static_cast<std::uint16_t>(in.release_idx)});
    out_ = unit_->eval({});
  }

 private:
  std::unique_ptr<LibraryIndexGen> unit_;
  units::TsmaIndexGenOut out_;  // registers: the inputs of the cycle do not matter
};

class LoadedSteer final : public mha::Steering {
 public:
  LoadedSteer(std::unique_ptr<LibrarySteer> unit, UnitRecorder<units::HtsmaSteerIn>* recorder)
      : unit_(std::move(unit)), recorder_(recorder) {}
  // It has no clock: each look at it is a cycle of a recording.
  units::HtsmaSteerOut eval(const units::HtsmaSteerIn& in) const override {
    if (recorder_ != nullptr) recorder_->add(in);
    return unit_->eval(in);
  }

 private:
  std::unique_ptr<LibrarySteer> unit_;
  UnitRecorder<units::HtsmaSteerIn>* recorder_;
};

}  // namespace

std::unique_ptr<LibraryIndexGen> make_library_index_gen(View view, std::uint32_t entries,
                                                        const UnitPlaces& places, bool waves) {
  return std::make_unique<LibraryIndexGen>(
      build_unit(view, kIndexGen, {{"ENTRIES", entries}}, places, waves));
}

std::unique_ptr<LibrarySteer> make_library_steer(View view, std::uint32_t ways,
                                                 const UnitPlaces& places, bool waves) {
  return std::make_unique<LibrarySteer>(build_unit(view, kSteer, {{"WAYS", ways}}, places, waves));
}

std::unique_ptr<mha::IndexGenerator> make_index_gen(View view, std::uint32_t entries,
                                                    UnitRecordings* recordings) {
  auto unit = make_library_index_gen(view, entries, default_places());
  unit->record(recordings, kIndexGen.name, {{"ENTRIES", entries}});
  return std::make_unique<LoadedIndexGen>(std::move(unit));
}

std::unique_ptr<mha::Steering> make_steer(View view, std::uint32_t ways,
                                          UnitRecordings* recordings) {
  UnitRecorder<units::HtsmaSteerIn>* const recorder =
      recordings == nullptr
          ? nullptr
          : recordings->recorder<units::HtsmaSteerIn>(kSteer.name, {{"WAYS", ways}});
  return std::make_unique<LoadedSteer>(make_library_steer(view, ways, default_places()), recorder);
}

}  // namespace warpmem::cosim
