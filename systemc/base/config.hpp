// SPDX-License-Identifier: Apache-2.0
// A configuration: the fields behind a Schema, filled from YAML files and --set assignments. It
// remembers where each value came from.
//
//   Config config(schema);               // the fields hold their defaults now
//   config.load_file("configs/gu-dlmshr.yaml");
//   config.set("l1d.mshr.kind=dl");
//   config.finish([&](Problems& p) { params.validate(p); });  // throws all problems at once
//
// A file holds nested maps whose paths are the keys; "l1d.mshr: {kind: dl}" and "l1d.mshr.kind: dl"
// mean the same. `include: other.yaml` (or a list of files), relative to the including file, is
// loaded first, wherever it stands, and the file's own keys override it. A file that several others
// include is loaded once, at its first place.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/errors.hpp"
#include "base/key_index.hpp"
#include "base/params.hpp"

namespace warpmem {

struct YamlNode;

/// Where the value of a key came from.
struct Origin {
  enum class Kind : std::uint8_t { default_value, file, command_line };
  Kind kind = Kind::default_value;
  std::string file;
  unsigned line = 0;

  std::string text() const;  ///< "default", "gu-dlmshr.yaml:12" or "--set"
};

class Config {
 public:
  /// Takes the values that the fields hold now as the defaults. `schema` must outlive this object
  /// and get no more keys.
  explicit Config(Schema& schema);

  /// Applies a file. Whatever is wrong with it is kept for finish(); a key that is wrong keeps its
  /// earlier value.
  void load_file(const std::string& path);
  /// Applies `text` as if it were the file `name`.
  void load_text(const std::string& text, const std::string& name);
  /// Applies "key=value". Of two assignments to the same key the later one counts.
  void set(const std::string& assignment);

  /// Checks relations between keys. A problem whose `where` is a key path is reported with the
  /// place that set the key.
  using Validator = std::function<void(Problems&)>;
  /// Looks for keys without effect, runs `validate`, and throws one UserError with every problem
  /// found since the construction. To be called once, after everything is loaded.
  void finish(const Validator& validate = {});

  /// Keys of files that belong to somebody else (Schema::foreign), and keys that a file sets to
  /// something other than the default although they have no effect in this configuration, one
  /// sentence each; known after finish(). A file without keys has one, too. (With --set that is an
  /// error but for ParamCondition::only_noted.)
  const std::vector<std::string>& notes() const { return notes_; }
  const Problems& problems() const { return problems_; }
  /// Every file that was read, in the order of application.
  const std::vector<std::string>& files() const { return files_; }

  const Schema& schema() const { return schema_; }
  const KeyIndex& keys() const { return index_; }
  /// Precondition of both: the key exists.
  const Origin& origin(const std::string& key) const;
  const std::string& default_value(const std::string& key) const;
  /// Returns `key` with the place that set it, for messages: "gu-dlmshr.yaml:12: l1d.ways".
  std::string place(const std::string& key) const;

 private:
  void load(const std::string& path, const std::string& included_from);
  void apply_document(const YamlNode& root, const std::string& path);
  void apply_includes(const YamlNode& value, const std::string& path);
  void apply_map(const YamlNode& map, const std::string& prefix, const std::string& file,
                 std::unordered_map<std::string, unsigned>& lines);
  void apply_key(std::size_t key, const YamlNode& value, const Origin& origin);
  void apply_group(const std::string& path, const YamlNode& value, const Origin& origin,
                   std::unordered_map<std::string, unsigned>& lines);
  void assign(std::size_t key, const std::string& text, const Origin& origin);
  void reject(std::size_t key, const Origin& origin, const std::string& why);
  std::string place(const Origin& origin, const std::string& key) const;
  std::string group_contents(const std::string& group) const;
  void check_effects();
  void check_relations(const Validator& validate);

  Schema& schema_;
  KeyIndex index_;
  Problems problems_;
  std::vector<std::string> notes_;
  std::vector<std::string> files_;
  std::vector<std::string> defaults_;  // by position in schema_.params()
  std::vector<Origin> origins_;
  std::vector<bool> rejected_;     // some value for the key was refused
  std::vector<std::string> open_;  // files being read, outermost first, as canonical paths
  std::set<std::string> included_;
};

}  // namespace warpmem
