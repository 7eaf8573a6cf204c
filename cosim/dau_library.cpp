// SPDX-License-Identifier: Apache-2.0
#include "cosim/dau_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

#include "base/errors.hpp"
#include "base/sha256.hpp"
#include "base/text_file.hpp"
#include "cosim/build_cache.hpp"
#include "cosim/build_tool.hpp"
#include "cosim/verilator.hpp"
#include "cosim/wrappers/dau_abi.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;
using mha::DauSize;
using mha::View;

namespace {

std::vector<std::string> size_macros(const DauSize& size) {
  return {fmt::format("-DWARPMEM_SETS={}u", size.sets),
          fmt::format("-DWARPMEM_SLOTS={}u", size.slots),
          fmt::format("-DWARPMEM_RESERVED={}u", size.reserved)};
}

fs::path build_core(const DauSize& size, const UnitPlaces& places) {
  const fs::path wrapper = places.source / "cosim/wrappers/dau_core_library.cpp";
  Sha256 hash;
  for (const char* file : {"cosim/wrappers/dau_core_library.cpp", "cosim/wrappers/dau_abi.hpp",
                           "systemc/mha/dl/dau.hpp", "systemc/units/dau/dau_core.hpp",
                           "systemc/units/dau/dau_set.hpp"})
    hash.add_field(read_text(places.source / file));
  std::vector<std::string> command = shared_library_command();
  for (const std::string& macro : size_macros(size)) command.push_back(macro);
  for (const std::string& word : command) hash.add_field(word);
  return cached_file("dau-systemc", hash.hex(), ".so", [&](const fs::path& folder) {
    command.push_back("-I" + places.source.string());
    command.push_back("-I" + (places.source / "systemc").string());
    command.push_back(wrapper.string());
    command.push_back("-o");
    command.push_back("unit.so");
    run_tool(command, folder, "compile.log", "g++", "compiling the SystemC view of dau");
    return folder / "unit.so";
  });
}

fs::path build_rtl(const DauSize& size, const UnitPlaces& places, bool waves) {
  VerilatedUnit unit;
  unit.name = "dau";
  unit.rtl = places.rtl;
  unit.sources = {"dau/dau_sets.sv", "dau/dau.sv"};
  unit.headers = {"common/check.svh"};
  unit.parameters = {{"SETS", size.sets}, {"SLOTS", size.slots}, {"RESERVED", size.reserved}};
  unit.wrapper = places.source / "cosim/wrappers/dau_rtl_library.cpp";
  unit.wrapper_headers = {places.source / "cosim/wrappers/dau_abi.hpp",
                          places.source / "systemc/mha/dl/dau.hpp"};
  unit.macros = size_macros(size);
  unit.include_folders = {places.source, places.source / "systemc"};
  unit.waves = waves;
  return build_verilated(unit);
}

/// Libraries stay loaded: their functions are in use for as long as any DAU is.
const DauAbi& load(const fs::path& file) {
  static std::mutex mutex;
  static std::map<fs::path, const DauAbi*> loaded;
  const std::lock_guard<std::mutex> lock(mutex);
  const DauAbi*& abi = loaded[file];
  if (abi != nullptr) return *abi;
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw UserError(fmt::format("cannot load {}", dlerror()));
  void* const entry = dlsym(handle, kDauEntry);
  if (entry == nullptr) throw UserError(fmt::format("{}: {}", file.string(), dlerror()));
  abi = reinterpret_cast<const DauAbi* (*)()>(entry)();
  return *abi;
}

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
      abi_.commit(unit_, &in);
      return;
    }
    const mha::DauIn driven = on_pins(in);
    abi_.commit(unit_, &driven);
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

 private:
  bool fits_pins(const mha::DauIn& in) const {
    return in.req_head < numbers_ && in.ret_head < numbers_;
  }
  /// A number that the pins cannot carry names no set: no request and no RET, as far as the unit
  /// can see.
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

  const DauAbi& abi_;
  void* unit_;
  std::uint32_t numbers_ = 2;  // that fit the pins
};

}  // namespace

UnitPlaces default_places() {
  const char* const home = std::getenv("WARPMEM_HOME");
  const fs::path root = home != nullptr ? home : WARPMEM_SOURCE_DIR;
  return {root / "rtl", root};
}

std::unique_ptr<LibraryDau> make_library_dau(View view, const DauSize& size,
                                             const UnitPlaces& places, bool waves) {
  assert(view != View::fast_class);
  const fs::path file =
      view == View::rtl ? build_rtl(size, places, waves) : build_core(size, places);
  return std::make_unique<LoadedDau>(load(file));
}

}  // namespace warpmem::cosim
