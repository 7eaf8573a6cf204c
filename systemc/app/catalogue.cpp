// SPDX-License-Identifier: Apache-2.0
#include "app/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/nearest.hpp"
#include "base/text.hpp"
#include "base/yaml_source.hpp"

namespace warpmem::app {

namespace {

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  Workload workload(const YamlMember& entry) const {
    Workload w;
    w.name = entry.key;
    for (const YamlMember& member : entry.value.members) {
      const std::string& key = member.key;
      if (key == "file") {
        w.file = text(member);
      } else if (key == "suite") {
        w.suite = text(member);
      } else if (key == "stands_for") {
        w.stands_for = text(member);
      } else if (key == "papers") {
        for (const YamlNode& paper : member.value.items) w.papers.push_back(paper.text);
      } else if (key == "sizes") {
        sizes(member, w);
      } else {
        unknown(member);
      }
    }
    const auto has = [&](const char* size) { return w.sizes.count(size) != 0; };
    if (w.file.empty() || w.suite.empty() || w.stands_for.empty() || !has("tiny") ||
        !has("small") || !has("medium"))
      fail(entry.line, entry.key + " needs file, suite, stands_for and sizes: tiny, small, medium");
    return w;
  }

 private:
  void sizes(const YamlMember& member, Workload& w) const {
    for (const YamlMember& size : member.value.members) {
      if (std::find(kSizes.begin(), kSizes.end(), size.key) == kSizes.end()) unknown(size);
      w.sizes[size.key] = text(size);
    }
  }
  const std::string& text(const YamlMember& member) const {
    if (member.value.kind != YamlNode::Kind::scalar) fail(member.line, member.key + " is a text");
    return member.value.text;
  }
  [[noreturn]] void unknown(const YamlMember& member) const {
    fail(member.line, "unknown entry " + member.key);
  }
  [[noreturn]] void fail(unsigned line, const std::string& what) const {
    throw UserError(fmt::format("{}:{}: {}", path_, line, what));
  }

  const std::string& path_;
};

std::string text_of(const std::string& path) {
  std::string error;
  auto text = read_text_file(path, error);
  if (!text) throw UserError(path + ": " + error);
  return std::move(*text);
}

std::vector<Workload> workloads_in(const std::string& text, const std::string& path) {
  Problems problems;
  const auto root = parse_yaml(text, path, problems);
  problems.throw_if_any();
  std::vector<Workload> workloads;
  const Reader reader(path);
  if (root)
    for (const YamlMember& entry : root->members) workloads.push_back(reader.workload(entry));
  return workloads;
}

}  // namespace

std::vector<Workload> read_catalogue(const std::string& path) {
  return workloads_in(text_of(path), path);
}

// A run wants one entry, and the parser takes milliseconds for all of them.
std::optional<Workload> read_workload(const std::string& path, const std::string& name) {
  const std::string text = text_of(path);
  const std::size_t at = ("\n" + text).find("\n" + name + ":");
  if (name.empty() || at == std::string::npos) return std::nullopt;
  std::size_t end = text.find('\n', at);
  while (end + 1 < text.size() && text[end + 1] == ' ') end = text.find('\n', end + 1);
  // Empty lines stand for those before, so that messages have the line's number.
  const auto before = std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n');
  const std::string entry = std::string(std::size_t(before), '\n') + text.substr(at, end - at);
  std::vector<Workload> found = workloads_in(entry, path);
  if (found.empty()) return std::nullopt;  // a comment
  return std::move(found.front());
}

const std::string& arguments(const Workload& workload, const std::string& size) {
  const auto found = workload.sizes.find(size);
  if (found != workload.sizes.end()) return found->second;
  std::vector<std::string> names;
  for (const std::string& name : kSizes)
    if (workload.sizes.count(name) != 0) names.push_back(name);
  throw UserError(fmt::format("{} has no size {}; it has {}{}", workload.name, shown(size),
                              fmt::join(names, ", "), did_you_mean(size, names)));
}

}  // namespace warpmem::app
