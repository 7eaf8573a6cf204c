// SPDX-License-Identifier: Apache-2.0
// The programs of the process: what they register, their modules, and what a host address names.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "program/cuda/api.hpp"
#include "program/cuda/device_link.hpp"
#include "program/cuda/runtime.hpp"
#include "program/cuda/source_name.hpp"
#include "program/demangled.hpp"
namespace warpmem::program::cuda {
namespace {

constexpr std::size_t kLongestName = 4096;  // bytes of a variable's name

/// What stands at `text`, as far as it is in memory: it comes from the program and may be anything.
std::string text_at(const char* text) {
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::string found;
  for (;; ++text) {
    const Addr address = address_of(text);
    if (found.empty() || address % page_bytes == 0) {
      unsigned char resident = 0;
      void* const page = pointer_to(address / page_bytes * page_bytes);
      if (mincore(page, page_bytes, &resident) != 0) return {};
    }
    if (*text == '\0' || found.size() == kLongestName) return found;
    found += *text;
  }
}

}  // namespace

Binary* Runtime::register_binary(const char* ptx, bool relocatable) {
  binaries_.push_back(std::make_unique<Binary>());
  binaries_.back()->text = ptx;
  binaries_.back()->relocatable = relocatable;
  if (device_) load_all();
  return binaries_.back().get();
}

unsigned Runtime::architecture() const {
  unsigned newest = 60;
  for (const auto& binary : binaries_) {
    constexpr std::string_view kTarget = ".target sm_";
    constexpr std::size_t kHead = 1000;  // bytes that a target stands in
    const std::string_view head(binary->text, strnlen(binary->text, kHead));
    const std::size_t at = head.find(kTarget);
    if (at == std::string_view::npos) continue;
    const std::string number(head.substr(at + kTarget.size(), 4));
    newest = std::max(newest, static_cast<unsigned>(std::strtoul(number.c_str(), nullptr, 10)));
  }
  return newest;
}

void Runtime::unregister_binary(Binary* binary) {
  for (auto it = kernels_.begin(); it != kernels_.end();)
    it = it->second.binary == binary ? kernels_.erase(it) : std::next(it);
  for (auto it = variables_.begin(); it != variables_.end();)
    it = it->second.binary == binary ? variables_.erase(it) : std::next(it);
  // The module stays: its variables keep their place in device memory.
}

void Runtime::register_kernel(Binary* binary, const void* host, std::string name) {
  kernels_[host] = {binary, std::move(name)};
}

void Runtime::register_variable(Binary* binary, const void* host, std::string name) {
  variables_[host] = {binary, std::move(name)};
}

void Runtime::register_managed(Binary* binary, void* host, std::string name, std::uint64_t bytes) {
  binary->managed.push_back({name, static_cast<std::uint8_t*>(host), bytes});
  register_variable(binary, host, std::move(name));
}

void Runtime::registered(const Binary& binary) {
  if (binary.managed.empty()) return;
  const ptx::Module module(binary.text, source_name(binary.text));
  for (const Binary::Managed& variable : binary.managed)
    module.write_initial(variable.name, variable.host);
}

std::map<std::string, Addr> Runtime::pin_managed(const Binary& binary) {
  std::map<std::string, Addr> addresses;
  for (const Binary::Managed& variable : binary.managed) {
    memory_->take_host(address_of(variable.host), variable.bytes, true);
    addresses[variable.name] = address_of(variable.host);
  }
  return addresses;
}

std::shared_ptr<ptx::Module> Runtime::parsed(std::string_view text, const std::string& name) {
  return std::make_shared<ptx::Module>(text, name, device_->properties().early_loads);
}

std::shared_ptr<ptx::Module> Runtime::load(std::string_view text, const std::string& name,
                                           const std::map<std::string, Addr>& managed) {
  auto module = parsed(text, name);
  place(*module, managed);
  return module;
}

void Runtime::place(ptx::Module& module, const std::map<std::string, Addr>& managed) {
  module.bind(*memory_, managed);
  for (const ptx::Variable& variable : module.variables()) {
    if (variable.address == 0 || managed.count(variable.name) != 0) continue;
    device_->allocated(variable.address, variable.bytes, false);
    device_->host_wrote(variable.address, variable.bytes);
  }
}

void Runtime::load_all() {
  std::vector<Binary*> relocatable;
  std::vector<std::string_view> texts;
  std::vector<std::string> names;
  std::map<std::string, Addr> managed;
  for (const auto& binary : binaries_) {
    if (binary->module) continue;
    if (!binary->relocatable) {
      binary->module = load(binary->text, source_name(binary->text), pin_managed(*binary));
      continue;
    }
    relocatable.push_back(binary.get());
    managed.merge(pin_managed(*binary));
    texts.emplace_back(binary->text);
    names.push_back(source_name(binary->text));
  }
  if (relocatable.empty()) return;
  const std::string name = names.size() == 1 ? names[0] : "linked device code";
  const auto module = load(link_device_code(texts, names), name, managed);
  for (Binary* const binary : relocatable) binary->module = module;
}

RegisteredKernel* Runtime::find_kernel(const void* host) {
  device();
  const auto it = kernels_.find(host);
  return it == kernels_.end() ? nullptr : &it->second;
}

const ptx::Entry* Runtime::entry(const RegisteredKernel& kernel) {
  return kernel.binary->module->find_entry(kernel.name);
}

ptx::KernelFacts Runtime::facts(const RegisteredKernel& kernel) {
  return kernel.binary->module->facts(kernel.name);
}

const ptx::Variable* Runtime::find_variable(const void* host) {
  device();
  auto it = variables_.find(host);
  if (it == variables_.end() && host != nullptr) {
    // Programs older than CUDA 5 give a symbol's name.
    const std::string name = text_at(static_cast<const char*>(host));
    it = std::find_if(variables_.begin(), variables_.end(), [&](const auto& variable) {
      return variable.second.name == name || demangled(variable.second.name) == name;
    });
  }
  if (it == variables_.end()) return nullptr;
  return it->second.binary->module->find_variable(it->second.name);
}

}  // namespace warpmem::program::cuda
