// SPDX-License-Identifier: Apache-2.0
#include "cosim/tsma_library.hpp"

#include <utility>

namespace warpmem::cosim {

namespace {

const UnitFiles kIndexGen = {"tsma_index_gen", {"tsma_index_gen/tsma_index_gen.sv"}};
const UnitFiles kSteer = {"htsma_steer", {"htsma_steer/htsma_steer.sv"}};

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
  explicit LoadedSteer(std::unique_ptr<LibrarySteer> unit) : unit_(std::move(unit)) {}
  // The steering has no registers, so each look at it is a cycle, for its checks and for a
  // recording.
  units::HtsmaSteerOut eval(const units::HtsmaSteerIn& in) const override {
    const units::HtsmaSteerOut out = unit_->eval(in);
    unit_->commit(in);
    return out;
  }

 private:
  std::unique_ptr<LibrarySteer> unit_;
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
  unit->watch(recordings, kIndexGen.name, {{"ENTRIES", entries}});
  return std::make_unique<LoadedIndexGen>(std::move(unit));
}

std::unique_ptr<mha::Steering> make_steer(View view, std::uint32_t ways,
                                          UnitRecordings* recordings) {
  auto unit = make_library_steer(view, ways, default_places());
  unit->watch(recordings, kSteer.name, {{"WAYS", ways}});
  return std::make_unique<LoadedSteer>(std::move(unit));
}

}  // namespace warpmem::cosim
