// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/device_items.hpp"

#include <algorithm>
#include <cctype>

namespace warpmem::program::cuda {

namespace {

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}
bool continues_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

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
    if (text == ".entry") item.entry = true;
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

}  // namespace

std::vector<Item> items_of(std::string_view text) { return Splitter(text).items(); }

}  // namespace warpmem::program::cuda
