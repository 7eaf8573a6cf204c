// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cassert>
#include <cstdlib>
#include <map>
#include <mutex>

#include "base/sha256.hpp"
#include "base/text_file.hpp"
#include "cosim/build_cache.hpp"
#include "cosim/build_tool.hpp"
#include "cosim/verilator.hpp"

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

fs::path build_core(const UnitFiles& files, const UnitParameters& parameters,
                    const UnitPlaces& places) {
  const fs::path source = wrapper(files, "core", places);
  Sha256 hash;
  hash.add_field(read_text(source));
  for (const std::string& header : files.headers) hash.add_field(read_text(places.source / header));
  std::vector<std::string> command = shared_library_command();
  for (const std::string& macro : macros(parameters)) command.push_back(macro);
  for (const std::string& word : command) hash.add_field(word);
  return cached_file(files.name + "-systemc", hash.hex(), ".so", [&](const fs::path& folder) {
    command.push_back("-I" + places.source.string());
    command.push_back("-I" + (places.source / "systemc").string());
    command.push_back(source.string());
    command.push_back("-o");
    command.push_back("unit.so");
    run_tool(command, folder, "compile.log", "compiling the SystemC view of " + files.name);
    return folder / "unit.so";
  });
}

fs::path build_rtl(const UnitFiles& files, const UnitParameters& parameters,
                   const UnitPlaces& places, bool waves) {
  VerilatedUnit unit;
  unit.name = files.name;
  unit.rtl = places.rtl;
  unit.sources = files.rtl;
  unit.headers = {"common/check.svh"};
  unit.parameters = parameters;
  unit.wrapper = wrapper(files, "rtl", places);
  for (const std::string& header : files.headers)
    unit.wrapper_headers.push_back(places.source / header);
  unit.macros = macros(parameters);
  unit.include_folders = {places.source, places.source / "systemc"};
  unit.waves = waves;
  unit.coverage = places.coverage;
  return build_verilated(unit);
}

}  // namespace

UnitPlaces default_places() {
  const char* const home = std::getenv("WARPMEM_HOME");
  const fs::path root = home != nullptr ? home : WARPMEM_SOURCE_DIR;
  return {root / "rtl", root, {}, false};
}

UnitFiles unit_files(const std::string& name, std::vector<std::string> rtl,
                     const std::vector<std::string>& headers) {
  UnitFiles files{name, std::move(rtl), {}};
  for (const char* const header : {"unit_abi", "core_unit", "rtl_unit", "verilated_top"})
    files.headers.push_back(fmt::format("cosim/wrappers/{}.hpp", header));
  files.headers.insert(files.headers.end(), headers.begin(), headers.end());
  return files;
}

fs::path build_unit(mha::View view, const UnitFiles& files, const UnitParameters& parameters,
                    const UnitPlaces& places, bool waves) {
  assert(view != mha::View::fast_class);
  if (view == mha::View::rtl && !places.library.empty()) return places.library;
  return view == mha::View::rtl ? build_rtl(files, parameters, places, waves)
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
