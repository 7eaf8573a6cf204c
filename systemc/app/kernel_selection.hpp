// SPDX-License-Identifier: Apache-2.0
// Which launches are timed: "3-5,7,name=bfs", where numbers begin with 1. An empty text means all
// of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpmem::app {

class KernelSelection {
 public:
  /// Parses the text. Throws UserError that names the wrong part.
  explicit KernelSelection(const std::string& text = {});

  bool all() const { return parts_.empty(); }
  /// Returns whether launch `number` of kernel `name` is timed, which traces of other tools have
  /// mangled. A name matches the whole, the whole without arguments, that without return type or
  /// template arguments, and the mangled one.
  bool selects(std::uint64_t number, const std::string& name);
  /// Throws UserError for the parts that no launch matched, with the launches there were.
  void require_all_used() const;

 private:
  struct Part {
    std::string text;
    std::uint64_t first = 0, last = 0;
    std::string name;  ///< empty: a range
    bool used = false;
  };
  std::vector<Part> parts_;
  std::uint64_t launches_ = 0;
  std::vector<std::string> names_;  ///< distinct, in order of appearance, the first few
};

/// Parses the text of "--ctas", a number from 1; empty means no limit. Throws UserError.
std::uint64_t parse_cta_limit(const std::string& text);

/// Returns the forms of a name like "void f<int>(int*)", mangled or not, that name= may give, from
/// the longest to "f", and then the mangled one.
std::vector<std::string> kernel_name_forms(const std::string& name);

}  // namespace warpmem::app
