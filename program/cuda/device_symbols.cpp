// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/device_symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "program/cuda/device_items.hpp"

namespace warpmem::program::cuda {

namespace {

/// Functions that every module finds; those of CUDA's device runtime are refused at the launch.
bool of_runtime(std::string_view name) {
  for (const char* own : {"vprintf", "__assertfail", "malloc", "free"})
    if (name == own) return true;
  return name.substr(0, 4) == "cuda";
}

/// Shared memory whose size the launch says is declared in every unit and defined in none.
bool is_shared_memory(const Item& item) {
  return std::any_of(item.tokens.begin(), item.tokens.end(),
                     [](const Token& token) { return token.text == ".shared"; });
}

}  // namespace

std::string device_symbols(const std::string& unit) {
  std::set<std::string> visible, weak, needed;
  for (const Item& item : items_of(unit)) {
    if (item.kind == Item::Kind::directive || item.linkage == Linkage::local || item.entry)
      continue;
    if (item.kind == Item::Kind::variable && is_shared_memory(item)) continue;
    if (item.defines)
      (item.linkage == Linkage::weak ? weak : visible).insert(item.name);
    else if (!of_runtime(item.name))
      needed.insert(item.name);
  }
  // A section that no program loads; a reference from it is one all the same.
  std::string text = "\t.section .warpmem.device,\"\",@progbits\n";
  const auto define = [&](const std::string& name, const char* binding) {
    text += fmt::format("\t.{0} \"{1}.device\"\n\t.hidden \"{1}.device\"\n\"{1}.device\":\n",
                        binding, name);
  };
  for (const std::string& name : visible) define(name, "globl");
  for (const std::string& name : weak)
    if (visible.count(name) == 0) define(name, "weak");
  for (const std::string& name : needed)
    if (visible.count(name) + weak.count(name) == 0)
      text += fmt::format("\t.hidden \"{0}.device\"\n\t.quad \"{0}.device\"\n", name);
  return text;
}

}  // namespace warpmem::program::cuda
