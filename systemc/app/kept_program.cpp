// SPDX-License-Identifier: Apache-2.0
#include "app/kept_program.hpp"

#include <cstdio>
#include <optional>
#include <string>
#include <system_error>

#include "app/cuda_compiler.hpp"
#include "app/made_programs.hpp"
#include "base/environment_error.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "files/kept_files.hpp"
#include "files/sha256.hpp"

namespace warpmem::app {

namespace fs = std::filesystem;

namespace {

/// Two sources may make the same program, which is kept once.
fs::path place_of(const fs::path& folder, const std::string& hash) {
  return folder / (hash + ".program");
}

/// Writes the program; who may read it may run it.
void put(const std::string& program, const fs::path& executable) {
  remove_output(executable);
  write_text(executable, program);
  std::error_code error;
  const fs::perms readers =
      fs::status(executable, error).permissions() &
      (fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  fs::permissions(executable, static_cast<fs::perms>(static_cast<unsigned>(readers) >> 2),
                  fs::perm_options::add, error);
  if (error) throw EnvironmentError(executable.string() + ": " + error.message());
}

/// Returns nothing when none is kept, or when another process deletes it right now.
std::optional<std::string> kept_program(const fs::path& folder, const fs::path& index,
                                        const fs::path& source) try {
  if (!fs::exists(index)) return std::nullopt;
  const std::string hash = MadePrograms(read_text(index)).hash_of(source.string());
  const fs::path program = place_of(folder, hash);
  if (hash.empty() || !fs::exists(program)) return std::nullopt;
  used_from_cache(index);
  used_from_cache(program);
  return read_text(program);
} catch (const UserError&) {
  return std::nullopt;
}

}  // namespace

int compile_once(const fs::path& source, const fs::path& executable, bool anew) {
  const fs::path folder = cache_folder() / "programs";
  const fs::path index = folder / (sha256_hex(source.string()) + ".json");
  if (!anew) {
    if (const auto kept = kept_program(folder, index, source)) {
      put(*kept, executable);
      return 0;
    }
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw EnvironmentError(folder.string() + ": cannot create the cache: " + error.message());

  const WorkFolder work(cache_folder() / "work-");
  const fs::path program = work.path() / source.stem(), dependencies = work.path() / "dependencies";
  const auto began = fs::file_time_type::clock::now();
  const int status =
      compile_cuda({source.string(), "-o", program.string(), "-MD", "-MF", dependencies.string()});
  if (status != 0) {
    std::fputs(
        "warpmem: note: options of nvcc, as -arch=sm_70 or -std=c++17, go in "
        "NVCC_APPEND_FLAGS, or compile with `warpmem cc`\n",
        stderr);
    return status;
  }
  const std::string made_program = read_text(program);
  put(made_program, executable);
  const std::string hash = sha256_hex(made_program);
  fs::rename(program, place_of(folder, hash), error);
  if (error) throw EnvironmentError(place_of(folder, hash).string() + ": " + error.message());
  MadePrograms made;
  made.made(source.string(), hash, dependencies, began);
  write_text(index, made.text());
  limit_cache();
  return 0;
}

}  // namespace warpmem::app
