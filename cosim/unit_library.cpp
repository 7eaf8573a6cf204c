// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cassert>
#include <cstdlib>
#include <map>
#include <mutex>
#include <systemc>
#include <utility>

#include "base/text_file.hpp"
#include "cosim/build_tool.hpp"
#include "cosim/own_unit.hpp"
#include "cosim/precompiled.hpp"
#include "files/kept_files.hpp"
#include "files/named_files.hpp"
#include "files/unit_sources.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> include_folders(const UnitPlaces& places) {
  return {places.source, places.source / "systemc"};
}

std::vector<fs::path> headers_of(const Wrapper& wrapper, const UnitPlaces& places) {
  std::vector<fs::path> headers;
  for (const std::string& header : wrapper.headers) headers.push_back(places.source / header);
  return headers;
}

/// Returns SystemC's own header, as the compiler reads it for a module.
fs::path systemc_header(bool short_run, const fs::path& work) {
  Sha256 hash;
  hash.add_field(sc_core::sc_release());
  return precompiled("systemc", {"systemc"}, library_compile_command(short_run), hash, work);
}

/// Builds the C++ core, or the SC_MODULE around it.
fs::path build_systemc(View view, const UnitShape& unit, const UnitPlaces& places) {
  const bool core = view == View::core;
  const Wrapper wrapper = core ? core_wrapper(unit) : module_wrapper(unit);
  Sha256 hash;
  hash.add_field(wrapper.text);
  hash_with_named_files(hash, places.source, headers_of(wrapper, places), include_folders(places));
  std::vector<std::string> command = shared_library_command(places.short_run);
  for (const std::string& word : command) hash.add_field(word);
  return cached_file(
      unit.name + (core ? "-core" : "-systemc"), hash.hex(), ".so",
      [&](const fs::path& folder) {
        write_text(folder / "wrapper.cpp", wrapper.text);
        if (!core)
          command.insert(command.end(),
                         {"-include", systemc_header(places.short_run, folder).string()});
        for (const fs::path& include : include_folders(places))
          command.push_back("-I" + include.string());
        command.insert(command.end(), {"wrapper.cpp", "-o", "unit.so"});
        if (!core) command.emplace_back("-lsystemc");
        run_tool(command, folder, "compile.log", "compiling the SystemC of " + unit.name);
        return folder / "unit.so";
      },
      !places.use_cache);
}

fs::path build_rtl(const UnitShape& shape, const UnitPlaces& places, bool waves) {
  VerilatedUnit unit = verilated_unit(shape, places);
  const UnitSources sources = find_unit(places.rtl, shape.name, places.own);
  unit.rtl = places.rtl;
  unit.own = places.own.has(shape.name);
  unit.own_folders = sources.include_folders;
  for (const fs::path& file : sources.files) unit.sources.push_back(file.string());
  unit.parameters = shape.parameters;
  unit.waves = waves;
  unit.coverage = places.coverage;
  unit.anew = !places.use_cache;
  unit.short_run = places.short_run;
  return build_verilated(unit);
}

}  // namespace

UnitPlaces default_places() {
  const char* const home = std::getenv("WARPMEM_HOME");
  const fs::path root = home != nullptr ? home : WARPMEM_SOURCE_DIR;
  UnitPlaces places;
  places.rtl = root / "rtl";
  places.source = root;
  return places;
}

UnitShape shape_of_view(View view, const UnitShape& unit, const UnitPlaces& places) {
  UnitShape shape = unit;
  if (view == View::rtl && places.own.has(unit.name)) {
    const bool all_pins = own_state_pins(unit, places) == unit.state_pins;  // judges all ports
    shape.shows_state = unit.shows_state && all_pins;
  }
  return shape;
}

VerilatedUnit verilated_unit(const UnitShape& shape, const UnitPlaces& places) {
  const Wrapper wrapper = rtl_wrapper(shape);
  VerilatedUnit unit;
  unit.name = shape.name;
  unit.wrapper = wrapper.text;
  unit.wrapper_headers = headers_of(wrapper, places);
  unit.include_folders = include_folders(places);
  return unit;
}

fs::path build_unit(View view, const UnitShape& unit, const UnitPlaces& places, bool waves) {
  assert(view != View::fast_class);
  if (view == View::rtl && !places.library.empty()) return places.library;
  return view == View::rtl ? build_rtl(unit, places, waves) : build_systemc(view, unit, places);
}

const void* load_unit(const fs::path& library, const char* entry) {
  static std::mutex mutex;
  static std::map<std::pair<fs::path, std::string>, const void*> loaded;
  const std::lock_guard<std::mutex> lock(mutex);
  const void*& abi = loaded[{library, entry}];
  if (abi != nullptr) return abi;
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw UserError(fmt::format("cannot load {}", dlerror()));
  void* const function = dlsym(handle, entry);
  if (function == nullptr) throw UserError(fmt::format("{}: {}", library.string(), dlerror()));
  abi = reinterpret_cast<const void* (*)()>(function)();
  return abi;
}

}  // namespace warpmem::cosim
