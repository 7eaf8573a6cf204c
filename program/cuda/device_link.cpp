// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/device_link.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <unordered_set>

#include "base/errors.hpp"
#include "program/cuda/device_items.hpp"
#include "program/demangled.hpp"

namespace warpmem::program::cuda {

namespace {

/// Writes the items of one unit: its own names told apart, its files numbered after the others'.
class UnitWriter {
 public:
  UnitWriter(std::size_t unit, unsigned first_file, const std::vector<Item>& items)
      : suffix_("$unit" + std::to_string(unit)), first_file_(first_file) {
    for (const Item& item : items)
      if (item.kind != Item::Kind::directive && item.linkage == Linkage::local && unit > 0)
        own_.insert(item.name);
  }

  std::string name(const Item& item) const {
    return own_.count(item.name) ? item.name + suffix_ : item.name;
  }

  void write(const Item& item, std::string& out) {
    bool file_follows = false;
    for (const Token& token : item.tokens) {
      if (token.kind == Token::Kind::number && file_follows) {
        const unsigned file =
            static_cast<unsigned>(std::strtoul(std::string(token.text).c_str(), nullptr, 10));
        out += std::to_string(first_file_ + file);
        last_file_ = std::max(last_file_, first_file_ + file);
        file_follows = false;
        continue;
      }
      out += token.text;
      if (token.text == ".file" || token.text == ".loc") file_follows = true;
      if (token.kind == Token::Kind::word && own_.count(std::string(token.text))) out += suffix_;
    }
    out += '\n';
  }

  unsigned last_file() const { return last_file_; }

 private:
  std::string suffix_;
  unsigned first_file_;
  unsigned last_file_ = 0;
  std::unordered_set<std::string> own_;
};

/// This tells which unit defines a symbol; .visible definitions come before .weak ones.
struct Definition {
  std::size_t unit;
  Linkage linkage;
};
using Definitions = std::unordered_map<std::string, Definition>;

Definitions definitions_of(const std::vector<std::vector<Item>>& units,
                           const std::vector<std::string>& names) {
  Definitions definitions;
  for (std::size_t u = 0; u < units.size(); ++u)
    for (const Item& item : units[u]) {
      if (!item.defines || item.linkage == Linkage::local) continue;
      const auto [known, fresh] = definitions.insert({item.name, {u, item.linkage}});
      if (fresh) continue;
      if (item.linkage == Linkage::visible && known->second.linkage == Linkage::visible)
        throw UserError("device code: " + demangled(item.name) + " is defined in " +
                        names[known->second.unit] + " and in " + names[u]);
      if (item.linkage == Linkage::visible) known->second = {u, item.linkage};
    }
  return definitions;
}

}  // namespace

std::string with_one_name(std::string unit) {
  constexpr std::string_view kMark = "__static__";
  const std::vector<Item> items = items_of(unit);
  std::unordered_map<std::string, std::string> renamed;
  for (const Item& item : items) {
    const std::size_t mark = item.name.find(kMark);
    if (item.defines && mark != std::string::npos) renamed[item.name.substr(0, mark)] = item.name;
  }
  if (renamed.empty()) return unit;
  std::string out;
  for (const Item& item : items) {
    if (item.linkage == Linkage::external && renamed.count(item.name) != 0) continue;
    for (const Token& token : item.tokens) {
      const auto found =
          token.kind == Token::Kind::word ? renamed.find(std::string(token.text)) : renamed.end();
      out += found == renamed.end() ? token.text : found->second;
    }
    out += '\n';
  }
  return out;
}

std::string link_device_code(const std::vector<std::string_view>& units,
                             const std::vector<std::string>& names) {
  std::vector<std::vector<Item>> items;
  for (const std::string_view text : units) items.push_back(items_of(text));
  const Definitions definitions = definitions_of(items, names);

  // Declarations come first, since a definition may use what a later unit defines.
  std::string head, declarations, bodies;
  std::unordered_set<std::string> declared, written;
  unsigned last_file = 0;
  for (std::size_t u = 0; u < items.size(); ++u) {
    UnitWriter writer(u, last_file, items[u]);
    for (const Item& item : items[u]) {
      if (item.kind == Item::Kind::directive) {
        const std::string_view word = item.tokens.front().text;
        if (word == ".file" || word == ".pragma") {
          writer.write(item, bodies);
        } else if (u == 0) {
          writer.write(item, head);
        }
        continue;
      }
      const auto definition = definitions.find(item.name);
      const bool shared_name = item.linkage != Linkage::local;
      if (!item.defines) {
        const bool needed = !shared_name || definition == definitions.end();
        if (needed && declared.insert(writer.name(item)).second) writer.write(item, declarations);
        continue;
      }
      if (shared_name && (definition->second.unit != u || !written.insert(item.name).second))
        continue;
      writer.write(item, item.kind == Item::Kind::variable ? declarations : bodies);
    }
    last_file = std::max(last_file, writer.last_file());
  }
  return head + declarations + bodies;
}

}  // namespace warpmem::program::cuda
