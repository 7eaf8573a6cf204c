// SPDX-License-Identifier: Apache-2.0
#include "cosim/dau_library.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "cosim/wrappers/dau_abi.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;
using mha::DauSize;

namespace {

const UnitFiles kFiles = {"dau", {"dau/dau_sets.sv", "dau/dau.sv"}};

class LoadedDau final : public LibraryDau {
 public:
  explicit LoadedDau(const DauAbi& abi) : abi_(abi), unit_(abi.create()) {
    while (numbers_ < abi.size.sets) numbers_ *= 2;
  }
  ~LoadedDau() override { abi_.destroy(unit_); }
  LoadedDau(const LoadedDau&) = delete;
  LoadedDau& operator=(const LoadedDau&) = delete;

  mha::DauOut eval(const mha::DauIn& in) const override {
    mha::DauOut out;
    if (fits_pins(in)) {
      abi_.eval(unit_, &in, &out);
      return out;
    }
    const mha::DauIn driven = on_pins(in);
    abi_.eval(unit_, &driven, &out);
    if (!in.req_secondary || in.req_head < numbers_) return out;
    out.req_ready = out.req_link = false;
    out.rf = in.req_valid;
    out.req_set = out.req_slot = 0;
    return out;
  }
  void commit(const mha::DauIn& in) override {
    if (fits_pins(in)) {
      commit_pins(in);
    } else {
      commit_pins(on_pins(in));
    }
  }
  void watch(UnitRecorder<mha::DauIn>* recorder) override {
    watched_ = true;
    recorder_ = recorder;
  }
  void reset() override { abi_.reset(unit_); }
  const DauSize& size() const override { return abi_.size; }
  mha::DauSets inspect() const override {
    mha::DauSets sets;
    abi_.inspect(unit_, &sets);
    return sets;
  }

  std::string failure() const override {
    const char* const text = abi_.failure();
    return text == nullptr ? "" : text;
  }
  void open_waves(const fs::path& file) override {
    if (!abi_.open_waves(unit_, file.c_str()))
      throw UserError(fmt::format("{}: the waveform cannot be written", file.string()));
  }
  void write_coverage(const fs::path& file) override {
    if (!abi_.write_coverage(unit_, file.c_str()))
      throw UserError(fmt::format("{}: the coverage cannot be written", file.string()));
  }

 private:
  bool fits_pins(const mha::DauIn& in) const {
    return in.req_head < numbers_ && in.ret_head < numbers_;
  }
  /// Returns the inputs as the pins carry them. A number that they cannot carry names no set: there
  /// is no request and no RET, as far as the unit can see.
  mha::DauIn on_pins(const mha::DauIn& in) const {
    mha::DauIn driven = in;
    if (in.req_head >= numbers_) {
      driven.req_head = 0;
      if (in.req_secondary) driven.req_valid = false;
    }
    if (in.ret_head >= numbers_) {
      driven.ret_head = 0;
      driven.ret_valid = false;
    }
    return driven;
  }

  void commit_pins(const mha::DauIn& in) {
    if (recorder_ != nullptr) recorder_->add(in);
    abi_.commit(unit_, &in);
    if (watched_) throw_failure(kFiles.name, abi_.failure());
  }

  const DauAbi& abi_;
  void* unit_;
  UnitRecorder<mha::DauIn>* recorder_ = nullptr;
  bool watched_ = false;
  std::uint32_t numbers_ = 2;  // that fit the pins
};

UnitParameters parameters_of(const DauSize& size) {
  return {{"SETS", size.sets}, {"SLOTS", size.slots}, {"RESERVED", size.reserved}};
}

}  // namespace

std::unique_ptr<LibraryDau> make_library_dau(View view, const DauSize& size,
                                             const UnitPlaces& places, bool waves) {
  const fs::path library = build_unit(view, kFiles, parameters_of(size), places, waves);
  return std::make_unique<LoadedDau>(*static_cast<const DauAbi*>(load_unit(library, kDauEntry)));
}

std::unique_ptr<mha::Dau> make_dau(View view, const DauSize& size, UnitRecordings* recordings) {
  auto unit = make_library_dau(view, size, default_places());
  unit->watch(recordings == nullptr
                  ? nullptr
                  : recordings->recorder<mha::DauIn>(kFiles.name, parameters_of(size)));
  return unit;
}

DauSize dau_size(const UnitParameters& p) {
  return {parameter(p, "SETS"), parameter(p, "SLOTS"), parameter(p, "RESERVED")};
}

}  // namespace warpmem::cosim
