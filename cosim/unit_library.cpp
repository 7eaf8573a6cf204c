// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cassert>
#include <cstdlib>
#include <map>
#include <mutex>

#include "cosim/build_cache.hpp"
#include "cosim/build_tool.hpp"
#include "cosim/verilator.hpp"
#include "files/named_files.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> macros(const UnitParameters& parameters) {
  std::vector<std::string> list;
  for (const auto& [name, value] : parameters)
    list.push_back(fmt::format("-DWARPMEM_{}={}u", name, value));
  return list;
}

fs::path wrapper(const UnitFiles& files, const char* view, const UnitPlaces& places) {
  return places.source / fmt::format("cosim/wrappers/{}_{}_library.cpp", files.name, view);
}

std::vector<fs::path> include_folders(const UnitPlaces& places) {
  return {places.source, places.source / "systemc"};
}

fs::path build_core(const UnitFiles& files, const UnitParameters& parameters,
                    const UnitPlaces& places) {
  const fs::path source = wrapper(files, "core", places);
  Sha256 hash;
  hash_with_named_files(hash, places.source, {source}, include_folders(places));
  std::vector<std::string> command = shared_library_command(places.short_run);
  for (const std::string& macro : macros(parameters)) command.push_back(macro);
  for (const std::string& word : command) hash.add_field(word);
  return cached_file(
      files.name + "-systemc", hash.hex(), ".so",
      [&](const fs::path& folder) {
        for (const fs::path& include : include_folders(places))
          command.push_back("-I" + include.string());
        command.push_back(source.string());
        command.push_back("-o");
        command.push_back("unit.so");
        run_tool(command, folder, "compile.log", "compiling the SystemC view of " + files.name);
        return folder / "unit.so";
      },
      !places.use_cache);
}

fs::path build_rtl(const UnitFiles& files, const UnitParameters& parameters,
                   const UnitPlaces& places, bool waves) {
  VerilatedUnit unit;
  unit.name = files.name;
  unit.rtl = places.rtl;
  unit.sources = files.rtl;
  unit.parameters = parameters;
  unit.wrapper = wrapper(files, "rtl", places);
  unit.macros = macros(parameters);
  unit.include_folders = include_folders(places);
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

fs::path build_unit(View view, const UnitFiles& files, const UnitParameters& parameters,
                    const UnitPlaces& places, bool waves) {
  assert(view != View::fast_class);
  if (view == View::rtl && !places.library.empty()) return places.library;
  return view == View::rtl ? build_rtl(files, parameters, places, waves)
                           : build_core(files, parameters, places);
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
