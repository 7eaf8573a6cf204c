// SPDX-License-Identifier: Apache-2.0
// A configuration file and, behind the first byte 0x1d, assignments as --set gives them, one a
// line. What is accepted lies in its ranges and survives dump and reload.
#include <vector>

#include "base/config.hpp"
#include "base/config_text.hpp"
#include "base/params.hpp"
#include "target.hpp"

namespace warpmem::fuzz {
namespace {

enum class Kind { plain, dl, counted };

/// This has a key of every type, with the conditions that a schema can have.
struct Machine {
  bool enabled = true;
  std::uint32_t ways = 4;
  std::uint64_t entries = 32;
  std::uint64_t bytes = 16 * 1024;
  std::uint64_t hertz = 1'000'000'000;
  double share = 0.5;
  std::string name = "l1d";
  Kind kind = Kind::plain;
  std::uint32_t count = 1;
  std::uint32_t depth = 2;
  std::uint32_t slots = 8;

  void describe(Schema& s) {
    s.text("name", name, "a text");
    s.group("l1d", "a cache", [&] {
      s.flag("enabled", enabled, "a flag");
      s.integer("ways", ways, {1, 64}, "an integer");
      s.size("bytes", bytes, {1024, std::uint64_t(1) << 40, true}, "a size");
      s.frequency("clock", hertz, {1'000, 10'000'000'000}, "a frequency");
      s.real("share", share, {0, 1}, "a real");
      s.group("mshr", "a group in a group", [&] {
        s.choice<Kind>("kind", kind, {{"plain", Kind::plain}, {"dl", Kind::dl}},
                       {"counted", Kind::counted, count, {1, 16}}, "a choice");
        s.integer("entries", entries, {1, 1u << 20}, "a wide integer");
        s.only_if(
            "l1d.mshr.kind: dl", [&] { return kind == Kind::dl; },
            [&] {
              s.integer("depth", depth, {1, 8}, "a key with a condition");
            });
        s.only_noted_if(
            "l1d.mshr.kind: dl", [&] { return kind == Kind::dl; },
            [&] {
              s.integer("slots", slots, {1, 8}, "a key that a sweep varies");
            });
      });
    });
  }
  void validate(Problems& problems) const {
    if (ways > entries) problems.add("l1d.ways", "more than l1d.mshr.entries");
  }
  bool in_range() const {
    return ways >= 1 && ways <= 64 && bytes >= 1024 && (bytes & (bytes - 1)) == 0 &&
           bytes <= std::uint64_t(1) << 40 && hertz >= 1'000 && hertz <= 10'000'000'000 &&
           share >= 0 && share <= 1 && entries >= 1 && entries <= 1u << 20 && count >= 1 &&
           count <= 16 && depth >= 1 && depth <= 8 && slots >= 1 && slots <= 8;
  }
};

struct Loaded {
  Machine machine;
  Schema schema;
  Loaded() { machine.describe(schema); }
};

void check_reload(const std::string& dumped, bool with_docs) {
  Loaded again;
  Config config(again.schema);
  config.load_text(dump(again.schema, with_docs), "default.yaml");
  config.load_text(dumped, "dumped.yaml");
  config.finish([&](Problems& p) { again.machine.validate(p); });
  require(dump(again.schema, with_docs) == dumped, "a dump reads back as something else");
}

}  // namespace
}  // namespace warpmem::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpmem;
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = input.find('\x1d');
  fuzz::Loaded loaded;
  Config config(loaded.schema);
  config.load_text(input.substr(0, split), "fuzz.yaml");
  bool valid = false;
  try {
    for (std::size_t at = split; at < input.size();) {
      const std::size_t end = std::min(input.find('\n', at + 1), input.size());
      config.set(input.substr(at + 1, end - at - 1));
      at = end;
    }
    config.finish([&](Problems& p) { loaded.machine.validate(p); });
    valid = true;
  } catch (const UserError& e) {
    fuzz::require(e.what()[0] != '\0', "an error without words");
    for (const std::string& problem : config.problems().list())
      fuzz::require(problem.find(':') != std::string::npos, "a problem without a place");
  }
  fuzz::require(loaded.machine.in_range(), "a value outside its range was taken");
  const std::string dumped = dump(loaded.schema), documented = dump(loaded.schema, true);
  for (const Param& p : loaded.schema.params()) explain(config, p.name);
  if (valid) {
    fuzz::check_reload(dumped, false);
    fuzz::check_reload(documented, true);
  }
  return 0;
}
