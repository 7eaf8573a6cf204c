// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/module.hpp"

#include <algorithm>
#include <cstring>

#include "base/errors.hpp"
#include "program/ptx/module_data.hpp"

namespace warpmem::program::ptx {
namespace {

std::vector<Parameter> parameters_of(const Function& f, std::uint32_t& end,
                                     const std::string& file) {
  std::vector<Parameter> result;
  std::uint64_t at = 0;
  for (const auto index : f.parameters) {
    const VariableDecl& v = f.variables[index];
    at = (at + v.alignment - 1) / v.alignment * v.alignment;
    // CUDA allows 4 KiB (32 KiB since sm_70); more is a mistake.
    if (v.bytes > 32764 || at + v.bytes > 32764)
      throw UserError(file + ":" + std::to_string(v.line) + ": the parameters of `" + f.name +
                      "` exceed 32764 bytes");
    Parameter p;
    p.name = std::string(v.name);
    p.offset = static_cast<std::uint32_t>(at);
    p.bytes = static_cast<std::uint32_t>(v.bytes);
    p.alignment = v.alignment;
    result.push_back(std::move(p));
    at += v.bytes;
  }
  end = static_cast<std::uint32_t>(at);
  return result;
}

}  // namespace

const Program& detail::ModuleData::program(std::size_t entry) const {
  auto& slot = programs[entry];
  if (slot == nullptr) slot = build_program(*this, entry_function[entry]);
  return *slot;
}

Module::Module(std::string_view text, std::string name, bool early_loads)
    : data_(std::make_unique<detail::ModuleData>()) {
  detail::ModuleData& d = *data_;
  d.text = std::string(text);
  d.name = std::move(name);
  d.early_loads = early_loads;
  d.ast = parse(d.text, d.name);
  for (std::uint32_t i = 0; i < d.ast.functions.size(); ++i) {
    const Function& f = d.ast.functions[i];
    if (!f.entry || !f.defined) continue;
    Entry e;
    e.name = f.name;
    e.line = f.line;
    e.parameters = parameters_of(f, e.parameter_bytes, d.name);
    const Reach reached = reach(d.ast, i);
    e.static_shared_bytes = reached.static_shared_bytes;
    e.allocates = std::any_of(reached.functions.begin(), reached.functions.end(),
                              [&](auto r) { return d.ast.functions[r].library == Library::heap; });
    e.max_threads = f.max_threads;
    e.cluster = f.cluster;
    d.entries.push_back(std::move(e));
    d.entry_function.push_back(i);
  }
  d.programs.resize(d.entries.size());
  d.function_address.assign(d.ast.functions.size(), 0);
  for (const auto& v : d.ast.variables) {
    Variable variable;
    variable.name = std::string(v.name);
    variable.space = v.space;
    variable.bytes = v.external ? 0 : v.bytes;
    variable.alignment = v.alignment;
    d.variables.push_back(variable);
    if (v.space == Space::global || v.space == Space::constant)
      d.device_variables.push_back(variable);
  }
}

Module::~Module() = default;
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;

const std::string& Module::name() const { return data_->name; }
const std::vector<Entry>& Module::entries() const { return data_->entries; }

const Entry* Module::find_entry(std::string_view entry) const {
  for (const auto& e : data_->entries)
    if (e.name == entry) return &e;
  return nullptr;
}

const std::vector<Variable>& Module::variables() const { return data_->device_variables; }

const Variable* Module::find_variable(std::string_view variable) const {
  for (const auto& v : data_->device_variables)
    if (v.name == variable) return &v;
  return nullptr;
}

namespace {

/// A function's address is a place in device memory that holds nothing: unlike all others there,
/// and the same in every module that is bound to it.
void place_functions(detail::ModuleData& d, DeviceMemory& memory) {
  constexpr std::uint64_t kApart = 16;
  const auto taken =
      static_cast<std::uint64_t>(std::count_if(d.ast.functions.begin(), d.ast.functions.end(),
                                               [](const Function& f) { return f.has_address; }));
  if (taken == 0) return;
  Addr next = memory.allocate(taken * kApart);
  if (next == 0)
    throw UserError(d.name + ": no room for the addresses of " + std::to_string(taken) +
                    " functions in device memory");
  for (std::size_t f = 0; f < d.ast.functions.size(); ++f)
    if (d.ast.functions[f].has_address) {
      d.function_address[f] = next;
      next += kApart;
    }
}

/// Returns the address of what an initial value names; 0 when it has none.
Addr address_of(const detail::ModuleData& d, const std::string& symbol) {
  const auto variable = d.ast.variable_index.find(symbol);
  if (variable != d.ast.variable_index.end()) return d.variables[variable->second].address;
  const auto function = d.ast.function_index.find(symbol);
  return function == d.ast.function_index.end() ? 0 : d.function_address[function->second];
}

}  // namespace

bool Module::bound() const { return data_->bound; }

void Module::write_initial(std::string_view variable, std::uint8_t* to) const {
  const detail::ModuleData& d = *data_;
  for (const VariableDecl& decl : d.ast.variables) {
    if (decl.name != variable) continue;
    const unsigned element = size_bytes(decl.type);
    for (const Initialiser& value : decl.values) {
      if (!value.symbol.empty())
        throw UserError(d.name + ":" + std::to_string(value.line) +
                        ": the initial value of the managed variable `" + std::string(decl.name) +
                        "` is an address of device memory, which it cannot have here");
      std::memcpy(to + value.element * element, &value.bits, element);
    }
  }
}

void Module::bind(DeviceMemory& memory, const std::map<std::string, Addr>& placed) {
  detail::ModuleData& d = *data_;
  if (d.bound) throw UserError(d.name + ": the module is bound already");
  std::size_t device = 0;
  for (std::size_t i = 0; i < d.variables.size(); ++i) {
    Variable& v = d.variables[i];
    if (v.space != Space::global && v.space != Space::constant) continue;
    const auto elsewhere = placed.find(v.name);
    if (elsewhere != placed.end()) {
      v.address = elsewhere->second;
    } else if (!d.ast.variables[i].external) {
      v.address = memory.allocate(std::max<std::uint64_t>(v.bytes, 1));
      if (v.address == 0)
        throw UserError(d.name + ":" + std::to_string(d.ast.variables[i].line) + ": no room for `" +
                        v.name + "` (" + std::to_string(v.bytes) + " bytes) in device memory");
    }
    d.device_variables[device++].address = v.address;
  }
  place_functions(d, memory);
  for (std::size_t i = 0; i < d.variables.size(); ++i) {
    const VariableDecl& decl = d.ast.variables[i];
    if (d.variables[i].address == 0 || placed.count(d.variables[i].name) != 0) continue;
    const unsigned element = size_bytes(decl.type);
    std::uint8_t* const to = DeviceMemory::host(d.variables[i].address);
    for (const Initialiser& value : decl.values) {
      std::uint64_t bits = value.bits;
      if (!value.symbol.empty()) {
        const Addr address = address_of(d, value.symbol);
        if (address == 0)
          throw UserError(d.name + ":" + std::to_string(value.line) + ": the initial value of `" +
                          std::string(decl.name) + "` is the address of `" + value.symbol +
                          "`, which is neither a variable in device memory nor a function");
        bits += address;
      }
      std::memcpy(to + value.element * element, &bits, element);
    }
  }
  d.bound = true;
}

namespace {

std::size_t entry_index(const detail::ModuleData& d, std::string_view entry) {
  for (std::size_t i = 0; i < d.entries.size(); ++i)
    if (d.entries[i].name == entry) return i;
  throw UserError(d.name + ": there is no kernel `" + std::string(entry) + "`");
}

}  // namespace

KernelFacts Module::facts(std::string_view entry) const {
  const std::size_t i = entry_index(*data_, entry);
  const Program& p = data_->program(i);
  return {p.registers_per_thread, p.static_shared_bytes, p.local_bytes,
          data_->entries[i].max_threads};
}

}  // namespace warpmem::program::ptx
