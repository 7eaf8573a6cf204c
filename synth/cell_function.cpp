// SPDX-License-Identifier: Apache-2.0
#include "synth/cell_function.hpp"

#include <algorithm>
#include <cassert>
#include <cctype>

namespace warpmem::synth {
namespace {

/// Evaluates the text for all values of the inputs at once: a value is the whole truth table.
class FunctionParser {
 public:
  FunctionParser(const std::string& text, const std::vector<std::string>& inputs)
      : text_(text), inputs_(inputs), rows_(std::size_t{1} << inputs.size()) {}

  std::optional<std::vector<bool>> parse() {
    auto value = disjunction();
    skip_blanks();
    if (failed_ || at_ != text_.size()) return std::nullopt;
    return value;
  }

 private:
  using Table = std::vector<bool>;

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  char next() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  static bool starts_operand(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '!' || c == '(';
  }

  Table disjunction() {
    Table value = conjunction();
    while (next() == '|' || next() == '+') {
      ++at_;
      const Table other = conjunction();
      for (std::size_t i = 0; i < rows_; ++i) value[i] = value[i] || other[i];
    }
    return value;
  }
  Table conjunction() {
    Table value = exclusive();
    while (!failed_ && (next() == '&' || next() == '*' || starts_operand(next()))) {
      if (next() == '&' || next() == '*') ++at_;
      const Table other = exclusive();
      for (std::size_t i = 0; i < rows_; ++i) value[i] = value[i] && other[i];
    }
    return value;
  }
  Table exclusive() {
    Table value = operand();
    while (next() == '^') {
      ++at_;
      const Table other = operand();
      for (std::size_t i = 0; i < rows_; ++i) value[i] = value[i] != other[i];
    }
    return value;
  }
  Table operand() {
    bool inverted = false;
    for (; next() == '!'; ++at_) inverted = !inverted;
    Table value(rows_);
    if (next() == '(') {
      ++at_;
      value = disjunction();
      if (next() == ')')
        ++at_;
      else
        failed_ = true;
    } else {
      value = named();
    }
    for (; next() == '\''; ++at_) inverted = !inverted;
    if (inverted) value.flip();
    return value;
  }
  Table named() {
    skip_blanks();
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    const std::string name = text_.substr(start, at_ - start);
    if (name == "0" || name == "1") return Table(rows_, name == "1");
    Table value(rows_);
    const auto found = std::find(inputs_.begin(), inputs_.end(), name);
    if (found == inputs_.end()) {
      failed_ = true;
      return value;
    }
    const auto bit = static_cast<std::size_t>(found - inputs_.begin());
    for (std::size_t i = 0; i < rows_; ++i) value[i] = ((i >> bit) & 1) != 0;
    return value;
  }

  const std::string& text_;
  const std::vector<std::string>& inputs_;
  std::size_t rows_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<CellFunction> CellFunction::parse(const std::string& text,
                                                const std::vector<std::string>& inputs) {
  if (inputs.empty() || inputs.size() > kMostInputs) return std::nullopt;
  auto table = FunctionParser(text, inputs).parse();
  if (!table) return std::nullopt;
  CellFunction function;
  function.inputs_ = inputs.size();
  function.table_ = std::move(*table);
  return function;
}

Signal CellFunction::output(const std::vector<Signal>& inputs) const {
  assert(inputs.size() == inputs_);
  Signal result{0, 0};
  for (std::size_t row = 0; row < table_.size(); ++row) {
    double probability = 1;
    for (std::size_t i = 0; i < inputs_; ++i)
      probability *= ((row >> i) & 1) != 0 ? inputs[i].one : 1 - inputs[i].one;
    if (table_[row]) result.one += probability;
    // Both rows that differ in input i add up to the probability of all other inputs.
    for (std::size_t i = 0; i < inputs_; ++i)
      if (table_[row] != table_[row ^ (std::size_t{1} << i)])
        result.transitions += probability * inputs[i].transitions;
  }
  return result;
}

}  // namespace warpmem::synth
