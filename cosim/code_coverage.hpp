// SPDX-License-Identifier: Apache-2.0
// Which lines and which bits of the RTL a run went through, as Verilator counts them: a point for
// every branch, and one for every bit of every signal, which is covered once the bit has changed.
//
// Points that no input can cover stand, with the reason, in coverage_exclusions.txt beside the RTL:
//
//   # a comment
//   toggle dau.sv new_tail[*] : the tail of a chain of one set is its head
//   line dau.sv for (int unsigned i *having_bit* : evaluated at elaboration
//
// In FILE and WHAT `*` stands for any text. WHAT is a signal, or the text of a line without the
// blanks around it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpmem::cosim {

struct CodePoint {
  bool toggle = false;  ///< false: it is a line
  std::string file;     ///< path below rtl/; of a file that lies elsewhere, its own
  std::uint32_t line = 0;
  std::string scope;  ///< path of instances below the unit, "u_sets"; empty: the unit itself
  std::string what;   ///< "req_set_o[1]", "if", "else"
  std::uint64_t count = 0;
  std::string excluded;  ///< why it is not asked for; empty: it is
};

class CodeCoverage {
 public:
  CodeCoverage() = default;
  /// Reads Verilator's file; `rtl` is the folder of the units. Throws UserError, with file and
  /// line, when an exclusion cannot be read.
  CodeCoverage(const std::filesystem::path& data, const std::filesystem::path& rtl,
               std::uint64_t cycles = 0);

  struct Sum {
    std::uint64_t points = 0;  ///< points that are asked for
    std::uint64_t covered = 0;
    std::uint64_t excluded = 0;  ///< points that are excluded and not covered
    double percent() const {
      return points == 0 ? 100.0 : 100.0 * static_cast<double>(covered) / double(points);
    }
  };
  Sum toggles() const { return sum(true); }
  Sum lines() const { return sum(false); }

  bool empty() const { return points_.empty(); }
  std::uint64_t cycles() const { return cycles_; }  ///< cycles in which the points were counted
  /// Returns the changes a cycle of every bit of every signal, by its path below the unit:
  /// "u_sets.head_q[3]".
  std::map<std::string, double> transitions() const;
  const std::vector<CodePoint>& points() const { return points_; }
  /// Returns "toggle dau/dau.sv:83 before_freed[2]" for each point that is asked for and not
  /// covered.
  std::vector<std::string> missing() const;
  /// Returns two lines for people, and one for each missing point.
  std::string table() const;

 private:
  Sum sum(bool toggle) const;

  std::vector<CodePoint> points_;
  std::uint64_t cycles_ = 0;
};

/// This is the least share of the toggles that a run of full length must cover, in percent.
inline constexpr double kLeastToggles = 95.0;
/// This is the least share of the lines that it must cover, in percent.
inline constexpr double kLeastLines = 100.0;

}  // namespace warpmem::cosim
