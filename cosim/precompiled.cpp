// SPDX-License-Identifier: Apache-2.0
#include "cosim/precompiled.hpp"

#include <fmt/format.h>

#include "base/text_file.hpp"
#include "cosim/build_tool.hpp"
#include "files/kept_files.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;

fs::path precompiled(const std::string& name, const std::vector<std::string>& headers,
                     std::vector<std::string> command, Sha256 hash, const fs::path& work) {
  // A compiler takes its own files only.
  run_tool({command.front(), "--version"}, work, "version.txt", "looking for the compiler");
  hash.add_field(read_text(work / "version.txt"));
  std::string text;
  for (const std::string& header : headers) text += fmt::format("#include <{}>\n", header);
  hash.add_field(text);
  for (const std::string& word : command) hash.add_field(word);
  const fs::path file =
      cached_file(name + "-headers", hash.hex(), ".gch", [&](const fs::path& folder) {
        write_text(folder / "headers.hpp", text);
        command.insert(command.end(), {"-x", "c++-header", "headers.hpp", "-o", "headers.gch"});
        run_tool(command, folder, "compile.log", "reading the headers of " + name);
        return folder / "headers.gch";
      });
  return fs::path(file).replace_extension();  // the compiler looks for the .gch itself
}

}  // namespace warpmem::cosim
