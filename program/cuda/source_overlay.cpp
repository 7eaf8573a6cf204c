// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/source_overlay.hpp"

#include "base/text_file.hpp"
#include "program/cuda/compiled_text.hpp"
#include "program/cuda/launch_syntax.hpp"
#include "program/cuda/register_syntax.hpp"

namespace warpmem::program::cuda {

namespace {

namespace fs = std::filesystem;

std::string yaml_string(const fs::path& path) {
  std::string text = "\"";
  for (const char c : path.string()) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

}  // namespace

std::vector<std::string> overlay_options(const std::vector<fs::path>& files,
                                         const fs::path& folder) {
  std::string roots;
  unsigned number = 0;
  for (const fs::path& file : files) {
    const std::string original = read_text(file);
    std::string text = with_named_types(without_idle_unrolls(original));
    if (file.filename() == "complex") text = with_complex_on_both_sides(text);
    if (file.filename() == "barrier") text = without_barrier_destructor(text);
    if (const auto launches = with_joined_launches(text)) text = *launches;
    if (const auto registers = with_escaped_registers(text)) text = *registers;
    if (text == original) continue;
    const fs::path copy = folder / ("joined-" + std::to_string(number++));
    write_text(copy, text);
    roots += (roots.empty() ? "" : ",") + ("{\"type\":\"file\",\"name\":" + yaml_string(file)) +
             ",\"external-contents\":" + yaml_string(copy) + "}";
  }
  if (roots.empty()) return {};
  const fs::path overlay = folder / "overlay.yaml";
  write_text(overlay, "{\"version\":0,\"use-external-names\":false,\"roots\":[" + roots + "]}\n");
  return {"-ivfsoverlay", overlay.string()};
}

}  // namespace warpmem::program::cuda
