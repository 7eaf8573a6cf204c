// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/device_link.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <unordered_map>
#include <unordered_set>

#include "base/errors.hpp"
#include "program/demangled.hpp"

namespace warpmem::program::cuda {

namespace {

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}
bool continues_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

struct Token {
  enum class Kind { word, number, punctuation, string, space } kind;
  std::string_view text;
};

/// Returns the tokens of a text without its comments; white space is kept.
std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  const auto end_of = [&](std::size_t from, const char* mark, std::size_t length) {
    const std::size_t found = text.find(mark, from);
    return found == std::string_view::npos ? text.size() : found + length;
  };
  while (at < text.size() && text[at] != '\0') {
    const std::size_t begin = at;
    const char c = text[at];
    Token::Kind kind = Token::Kind::punctuation;
    if (text.substr(at, 2) == "//") {
      at = end_of(at, "\n", 0);
      continue;
    }
    if (text.substr(at, 2) == "/*") {
      at = end_of(at + 2, "*/", 2);
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(c))) {
      kind = Token::Kind::space;
      ++at;
    } else if (c == '"') {
      kind = Token::Kind::string;
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
      at = std::min(at + 1, text.size());
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      kind = Token::Kind::number;
      while (at < text.size() && continues_word(text[at])) ++at;
    } else if (starts_word(c)) {
      kind = Token::Kind::word;
      for (++at; at < text.size() && continues_word(text[at]);) ++at;
    } else {
      ++at;
    }
    tokens.push_back({kind, text.substr(begin, at - begin)});
  }
  return tokens;
}

enum class Linkage { local, visible, weak, external };

/// This is what stands at the top of a text: a function, a variable or a directive.
struct Item {
  enum class Kind { function, variable, directive } kind = Kind::directive;
  Linkage linkage = Linkage::local;
  bool defines = false;
  std::string name;
  std::vector<Token> tokens;
};

bool is_directive_line(std::string_view word) {
  for (const char* w : {".version", ".target", ".address_size", ".file", ".loc", ".pragma"})
    if (word == w) return true;
  return false;
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : tokens_(tokens_of(text)) {}

  std::vector<Item> items() {
    std::vector<Item> items;
    while (skip_space()) {
      Item item = next();
      if (!item.tokens.empty()) items.push_back(std::move(item));
    }
    return items;
  }

 private:
  bool skip_space() {
    while (at_ < tokens_.size() && tokens_[at_].kind == Token::Kind::space) ++at_;
    return at_ < tokens_.size();
  }

  Item next() {
    const std::string_view first = tokens_[at_].text;
    if (first == ".section") {  // debugging sections describe a text that no longer exists
      take_block();
      return {};
    }
    Item item;
    if (is_directive_line(first)) {
      while (at_ < tokens_.size() && tokens_[at_].text != "\n")
        item.tokens.push_back(tokens_[at_++]);
      return item;
    }
    read_item(item);
    return item;
  }

  void take_block() {
    while (at_ < tokens_.size() && tokens_[at_].text != "{") ++at_;
    for (int depth = 0; at_ < tokens_.size();) {
      const std::string_view text = tokens_[at_++].text;
      if (text == "{") ++depth;
      if (text == "}" && --depth == 0) return;
    }
  }

  void read_item(Item& item) {
    int parentheses = 0, braces = 0;
    bool initialised = false;
    for (; at_ < tokens_.size(); ++at_) {
      const Token& token = tokens_[at_];
      item.tokens.push_back(token);
      if (braces == 0) read_head(item, token, parentheses, initialised);
      if (token.text == "(") ++parentheses;
      if (token.text == ")") --parentheses;
      if (token.text == "=") initialised = true;
      if (token.text == "{") ++braces;
      if (token.text == "}" && --braces == 0 && !initialised) {
        ++at_;
        item.defines = true;
        return;
      }
      if (token.text == ";" && braces == 0) {
        ++at_;
        break;
      }
    }
    item.defines = item.kind == Item::Kind::variable && item.linkage != Linkage::external;
  }

  static void read_head(Item& item, const Token& token, int parentheses, bool initialised) {
    const std::string_view text = token.text;
    if (text == ".visible") item.linkage = Linkage::visible;
    if (text == ".weak" || text == ".common") item.linkage = Linkage::weak;
    if (text == ".extern") item.linkage = Linkage::external;
    if (text == ".func" || text == ".entry") item.kind = Item::Kind::function;
    if (item.kind != Item::Kind::function)
      for (const char* space : {".global", ".const", ".shared"})
        if (text == space) item.kind = Item::Kind::variable;
    if (token.kind == Token::Kind::word && text[0] != '.' && parentheses == 0 && !initialised &&
        item.name.empty())
      item.name = text;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

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
  const std::vector<Item> items = Splitter(unit).items();
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
  for (const std::string_view text : units) items.push_back(Splitter(text).items());
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
