// SPDX-License-Identifier: Apache-2.0
// Waveforms as FST files, which GTKWave and Surfer read: numbers and texts in scopes, over time. A
// save file for GTKWave, with every signal in place, comes beside each. Verilator brings the
// functions that write the format, as C sources; they are compiled when first asked for and kept in
// the cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/work_folder.hpp"

namespace warpmem::cosim {

/// The functions of the library that writes FST files.
struct FstWriter;

class WaveFile {
 public:
  /// Throws UserError when a tool is missing, EnvironmentError when the file cannot be written.
  explicit WaveFile(std::filesystem::path file);
  ~WaveFile();
  WaveFile(const WaveFile&) = delete;
  WaveFile& operator=(const WaveFile&) = delete;

  // ---- signals, before the first time -----------------------------------------------------------
  void begin_scope(const std::string& name);
  void end_scope();
  /// Returns the handle of a signal of 1 to 64 bits.
  unsigned number(const std::string& name, unsigned bits);
  /// Returns the handle of a signal whose values are texts.
  unsigned text(const std::string& name);

  // ---- values -----------------------------------------------------------------------------------
  void set(unsigned signal, std::uint64_t value);
  void set(unsigned signal, const char* value);
  /// The values set since the last call hold from `time` on, which is not before that of the last
  /// call.
  void at(Femtoseconds time);

  /// Must be the last call: the files are there afterwards.
  void finish();
  const std::filesystem::path& file() const { return file_; }
  /// Empty: a device or a pipe has none beside it.
  const std::filesystem::path& save_file() const { return save_file_; }

 private:
  struct Signal {
    std::string name;   ///< with its scopes, "unit.state.set_3.next"
    unsigned bits = 0;  ///< 0: a text
    std::uint32_t handle = 0;
    std::uint64_t value = 0;
    const char* text = "";
    std::uint64_t shown = 0;  ///< what the file has
    const char* shown_text = nullptr;
    bool in_file = false;
    bool known = false;    ///< it has been set
    bool changed = false;  ///< since the last at()
  };

  unsigned add(const std::string& name, unsigned bits);
  void note_change(unsigned signal);
  std::string save_text() const;

  std::filesystem::path file_, save_file_;
  WorkFolder work_;
  const FstWriter& writer_;
  void* context_;
  std::vector<std::string> scopes_;
  std::vector<Signal> signals_;
  std::vector<unsigned> changed_;
  Femtoseconds first_ = kNever;
};

}  // namespace warpmem::cosim
