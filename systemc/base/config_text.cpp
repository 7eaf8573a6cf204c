// SPDX-License-Identifier: Apache-2.0
#include "base/config_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "base/yaml_source.hpp"

namespace warpmem {
namespace {

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return text;
}

std::string group_doc(const Schema& schema, const std::string& group) {
  const ParamGroup* found = schema.find_group(group);
  return found == nullptr ? "" : one_line(found->doc);
}

/// Returns a text like "integer in cycles" or "choice".
std::string type_text(const Param& param) {
  if (param.unit.empty()) return param.type;
  return param.type + " in " + param.unit;
}

std::string comment_of(const Param& param) {
  std::string text = param.doc + " [" + type_text(param) + ": " + param.allowed + "]";
  if (!param.conditions.empty()) text += ", only with " + param.condition();
  if (!param.source.empty()) text += ", default: " + param.source;
  return one_line(text);
}

void dump_group(const Schema& schema, const KeyIndex& index, const std::string& group,
                unsigned depth, bool with_docs, std::string& out) {
  for (const std::string& name : index.children(group)) {
    const std::string path = group.empty() ? name : group + "." + name;
    out += std::string(2 * depth, ' ') + yaml_scalar(name) + ":";
    if (const auto key = index.find(path)) {
      const Param& param = schema.params()[*key];
      out += " " + yaml_scalar(param.get());
      if (with_docs) out += "  # " + comment_of(param);
      out += "\n";
    } else {
      const std::string doc = group_doc(schema, path);
      if (with_docs && !doc.empty()) out += "  # " + doc;
      out += "\n";
      dump_group(schema, index, path, depth + 1, with_docs, out);
    }
  }
}

std::string explain_key(const Config& config, const Param& param) {
  std::string out = param.name + ": " + param.doc + "\n";
  const auto line = [&](const char* what, const std::string& text) {
    if (!text.empty()) out += fmt::format("  {:<10} {}\n", what, text);
  };
  line("type", param.type);
  line("unit", param.unit);
  line("allowed", param.allowed);
  line("default", yaml_scalar(config.default_value(param.name)));
  line("value", yaml_scalar(param.get()) + " (" + config.origin(param.name).text() + ")");
  line("source", param.source);
  if (!param.conditions.empty())
    line("only with",
         param.condition() + (param.active() ? " (so it is)" : " (not so now: no effect)"));
  return out;
}

std::string explain_group(const Config& config, const std::string& group) {
  std::string out = group;
  const std::string doc = group_doc(config.schema(), group);
  out += (doc.empty() ? "" : ": " + doc) + "\n";
  const std::string prefix = group + ".";
  std::size_t width = 0;
  const auto inside = [&](const Param& p) { return p.name.compare(0, prefix.size(), prefix) == 0; };
  for (const Param& param : config.schema().params())
    if (inside(param)) width = std::max(width, param.name.size());
  for (const Param& param : config.schema().params())
    if (inside(param))
      out += fmt::format("  {:<{}}  {} ({})  {}\n", param.name, width, yaml_scalar(param.get()),
                         config.origin(param.name).text(), one_line(param.doc));
  return out;
}

/// Returns `text` as it may stand inside a table cell.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '|' || c == '<' || c == '*' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string code(const std::string& text) {
  std::string out = one_line(text);
  for (std::size_t i = 0; (i = out.find('|', i)) != std::string::npos; i += 2)
    out.insert(i, 1, '\\');
  return "`" + out + "`";
}

std::string group_of(const Param& param) {
  const std::size_t dot = param.name.rfind('.');
  return dot == std::string::npos ? "" : param.name.substr(0, dot);
}

void reference_table(const Schema& schema, const std::string& group, std::string& out) {
  const std::string doc = group_doc(schema, group);
  out += "## " + (group.empty() ? std::string("Top level") : code(group)) + "\n\n";
  if (!doc.empty()) out += cell(doc) + "\n\n";
  out += "| Key | Values | Default | Meaning | Source of the default |\n|---|---|---|---|---|\n";
  for (const Param& param : schema.params()) {
    if (group_of(param) != group) continue;
    std::string meaning = cell(param.doc);
    if (!param.conditions.empty()) meaning += ". Only with " + code(param.condition());
    out += fmt::format("| {} | {}: {} | {} | {} | {} |\n", code(param.name), type_text(param),
                       cell(param.allowed), code(yaml_scalar(param.get())), meaning,
                       cell(param.source));
  }
  out += "\n";
}

}  // namespace

std::string dump(const Schema& schema, bool with_docs) {
  std::string out;
  dump_group(schema, KeyIndex(schema), "", 0, with_docs, out);
  return out;
}

std::string explain(const Config& config, const std::string& key) {
  const std::string path(trimmed(key));
  if (const auto found = config.keys().find(path))
    return explain_key(config, config.schema().params()[*found]);
  if (!path.empty() && config.keys().is_group(path)) return explain_group(config, path);
  throw UserError(shown(path) + ": unknown key" + config.keys().suggest(path));
}

std::string reference_markdown(const Schema& schema) {
  std::vector<std::string> groups;
  for (const Param& param : schema.params()) {
    const std::string group = group_of(param);
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  std::string out;
  for (const std::string& group : groups) reference_table(schema, group, out);
  return out;
}

}  // namespace warpmem
