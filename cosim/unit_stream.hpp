// SPDX-License-Identifier: Apache-2.0
// A file with what one instance of a unit had on its inputs, cycle by cycle: a text header, the
// unit's name and parameters, then blocks of numbers, packed (zstd). Inputs that stay are one
// record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/output_file.hpp"
#include "cosim/unit_parameters.hpp"

namespace warpmem::cosim {

/// This writes such a file, which is there after finish(), by the rules of base/output_file.hpp.
class UnitStreamWriter {
 public:
  /// Opens the file. Throws EnvironmentError when it cannot be written.
  UnitStreamWriter(std::filesystem::path file, const std::string& unit,
                   const UnitParameters& parameters);

  void put(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) block_.push_back(static_cast<char>(number | 0x80));
    block_.push_back(static_cast<char>(number));
  }
  /// Says that the numbers since the last call belong together.
  void end_record() {
    if (block_.size() >= kBlockBytes) write_block();
  }
  /// Writes the rest. Throws UserError when something could not be written.
  void finish();

 private:
  static constexpr std::size_t kBlockBytes = 1 << 20;

  void write_block();

  std::filesystem::path file_;
  OutputFile out_;
  std::string block_;
};

class UnitStreamReader {
 public:
  /// Opens the file. Throws UserError when it cannot be read or is none of these.
  explicit UnitStreamReader(std::filesystem::path file);

  const std::string& unit() const { return unit_; }
  const UnitParameters& parameters() const { return parameters_; }

  /// Goes to the next record; false at the end. Throws UserError when the file is broken.
  bool next_record() { return at_ < block_.size() || read_block(); }
  /// Returns the next number of the record. Throws UserError when it has no more.
  std::uint64_t number();
  /// Throws the UserError for a file that is broken.
  [[noreturn]] void broken(const char* how) const;

 private:
  bool read_block();

  std::filesystem::path file_;
  std::ifstream in_;
  std::string unit_;
  UnitParameters parameters_;
  std::string block_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace warpmem::cosim
