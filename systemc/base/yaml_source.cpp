// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_source.hpp"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/text.hpp"

namespace warpmem {
namespace {

constexpr std::size_t kMaxFileBytes = 1u << 20;

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& name, Problems& problems) : name_(name), problems_(problems) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 2) problem(mark, "a second document begins here; a file holds one");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    complete(make(mark, YamlNode::Kind::null, "", anchor));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    problem(mark, "aliases (*name) are not supported; use include:");
    complete(make(mark, YamlNode::Kind::null, "", 0));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = make(mark, YamlNode::Kind::scalar, tag, anchor);
    node.text = value;
    complete(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back({make(mark, YamlNode::Kind::list, tag, anchor), {}, false});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back({make(mark, YamlNode::Kind::map, tag, anchor), {}, false});
  }
  void OnMapEnd() override { close(); }

  unsigned documents() const { return documents_; }
  YamlNode take_root() { return std::move(root_); }

 private:
  /// A list or map whose end has not come yet.
  struct Open {
    YamlNode node;
    YamlNode key;  // key of the member whose value comes next
    bool has_key;
  };

  void problem(const YAML::Mark& mark, const std::string& what) {
    problems_.add(name_ + ":" + std::to_string(mark.line + 1), what);
  }

  YamlNode make(const YAML::Mark& mark, YamlNode::Kind kind, const std::string& tag,
                YAML::anchor_t anchor) {
    if (anchor != 0) problem(mark, "anchors (&name) are not supported; use include:");
    if (!tag.empty() && tag != "?" && tag != "!") problem(mark, "tags (!name) are not supported");
    YamlNode node;
    node.kind = kind;
    node.line = static_cast<unsigned>(mark.line) + 1;
    return node;
  }

  void close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    complete(std::move(node));
  }

  /// Puts a finished node where it belongs.
  void complete(YamlNode node) {
    if (open_.empty()) {
      if (documents_ == 1) root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.has_key) {
      parent.key = std::move(node);
      parent.has_key = true;
    } else {
      parent.has_key = false;
      if (parent.key.kind == YamlNode::Kind::scalar) {
        parent.node.members.push_back(
            {std::move(parent.key.text), parent.key.line, std::move(node)});
      } else {
        problems_.add(name_ + ":" + std::to_string(parent.key.line), "a key must be a word");
      }
    }
  }

  const std::string& name_;
  Problems& problems_;
  std::vector<Open> open_;
  YamlNode root_;
  unsigned documents_ = 0;
};

/// Returns the line of the first byte that no text holds, or 0: control characters, malformed
/// UTF-8.
unsigned first_bad_line(const std::string& text) {
  unsigned line = 1;
  for (const char c : text) {
    if (c == '\n') ++line;
    const auto u = static_cast<unsigned char>(c);
    if ((u < 0x20 && c != '\n' && c != '\r' && c != '\t') || u == 0x7f) return line;
  }
  if (is_utf8(text)) return 0;
  std::istringstream lines(text);
  std::string one;
  for (line = 1; std::getline(lines, one); ++line)
    if (!is_utf8(one)) return line;
  return line;
}

bool reads_as_plain(const std::string& text) {
  constexpr const char* kSafe =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-:, ()";
  if (text.empty() || text.find_first_not_of(kSafe) != std::string::npos) return false;
  if (std::string("-:., ()+").find(text.front()) != std::string::npos) return false;
  if (text.back() == ' ' || text.back() == ':') return false;
  if (text.find(": ") != std::string::npos) return false;
  return text != "null" && text != "Null" && text != "NULL";
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (u < 0x20 || u == 0x7f) {
      out += fmt::format("\\x{:02x}", u);
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::optional<YamlNode> parse_yaml(const std::string& text, const std::string& name,
                                   Problems& problems) {
  if (const unsigned line = first_bad_line(text)) {
    problems.add(name + ":" + std::to_string(line),
                 "not a text file: a byte that is not UTF-8 text");
    return std::nullopt;
  }
  TreeBuilder builder(name, problems);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (builder.documents() < 2 && parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::DeepRecursion& error) {
    problems.add(name + ":" + std::to_string(error.mark.line + 1), "nested too deeply");
    return std::nullopt;
  } catch (const YAML::Exception& error) {
    problems.add(name + ":" + std::to_string(error.mark.line + 1),
                 fmt::format("not valid YAML at column {}: {}", error.mark.column + 1, error.msg));
    return std::nullopt;
  }
  YamlNode root = builder.take_root();
  if (root.kind == YamlNode::Kind::null) root.kind = YamlNode::Kind::map;
  if (root.kind != YamlNode::Kind::map) {
    problems.add(name + ":" + std::to_string(root.line),
                 "a configuration is a map of keys (l1d: ...), not a list or a single value");
    return std::nullopt;
  }
  return root;
}

std::optional<std::string> read_text_file(const std::string& path, std::string& error) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    error = std::string("cannot be opened: ") + std::strerror(errno);
    return std::nullopt;
  }
  std::string text;
  std::array<char, 16384> piece{};  // most files fit; one of the limit's size would be zeroed first
  do {
    in.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  } while (in && text.size() <= kMaxFileBytes);
  if (in.bad()) {  // a directory opens, and fails when read
    error = std::string("cannot be read: ") + std::strerror(errno);
    return std::nullopt;
  }
  if (text.size() > kMaxFileBytes) {
    error = "is longer than 1 MiB, too long for a configuration";
    return std::nullopt;
  }
  return text;
}

std::string yaml_scalar(const std::string& text) {
  return reads_as_plain(text) ? text : quoted(text);
}

std::string yaml_item(const std::string& text) {
  return text.find(',') == std::string::npos ? yaml_scalar(text) : quoted(text);
}

}  // namespace warpmem
