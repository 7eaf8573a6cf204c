// SPDX-License-Identifier: Apache-2.0
// The figures of docs/scaling/ are of the RTL that stands beside them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "files/unit_sources.hpp"

namespace warpmem::synth {
namespace {

namespace fs = std::filesystem;

TEST(KeptResults, AreOfTheRtlBesideThem) {
  const fs::path root = WARPMEM_SOURCE_DIR;
  unsigned files = 0;
  for (const auto& entry : fs::directory_iterator(root / "docs/scaling")) {
    const auto document = parse_json(read_text(entry.path()));
    const auto& kept = document.at("rtl_sha256");
    const auto check = [&](const std::string& unit, const std::string& digest) {
      EXPECT_EQ(rtl_digest(find_unit(root / "rtl", unit)), digest)
          << entry.path().filename() << ": " << unit
          << " has changed since; synthesize it again and run tools/scaling_page.py";
    };
    if (kept.is_string()) {
      check(document.at("unit"), kept);
    } else {
      EXPECT_FALSE(kept.empty());
      for (const auto& [unit, digest] : kept.items()) check(unit, digest);
    }
    ++files;
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace warpmem::synth
