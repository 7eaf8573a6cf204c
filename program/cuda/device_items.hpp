// SPDX-License-Identifier: Apache-2.0
// What stands at the top of a PTX text, and its words: as much as joining texts needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmem::program::cuda {

struct Token {
  enum class Kind { word, number, punctuation, string, space } kind;
  std::string_view text;
};

enum class Linkage { local, visible, weak, external };

/// This is what stands at the top of a text: a function, a variable or a directive.
struct Item {
  enum class Kind { function, variable, directive } kind = Kind::directive;
  Linkage linkage = Linkage::local;
  bool defines = false;
  bool entry = false;  ///< a kernel
  std::string name;
  std::vector<Token> tokens;
};

/// Returns the items of a text, whose tokens lie in it, without comments and debugging sections.
std::vector<Item> items_of(std::string_view text);

}  // namespace warpmem::program::cuda
