// SPDX-License-Identifier: Apache-2.0
// What a unit gets and must answer, cycle by cycle, as text for testbenches that know nothing of
// warpmem (tb/). Lines of the file, the first four:
//   # dau SETS=4 SLOTS=2 RESERVED=1           unit, and the parameters of its RTL
//   # req_valid_i:1 req_head_i:2 ...          input pins and their bits
//   # req_ready_o:1 rf_o:1 ...                output pins and their bits
//   5 17 1000                                 bits of inputs, of outputs; cycles
// and for each cycle "reset inputs outputs care" in binary, the first pin foremost:
//   reset    1: a clock edge with rst_n low comes first
//   outputs  what the unit must answer before the clock edge
//   care     0 where the answer means nothing in this cycle
// Of pins wider than 64 bits the lowest 64 are there.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/output_file.hpp"
#include "cosim/unit_wrapper.hpp"

namespace warpmem::cosim {

template <class Unit>
class VectorFile {
 public:
  using In = typename Unit::In;
  using Out = typename Unit::Out;
  using Size = typename Unit::Size;

  /// Throws EnvironmentError when the file cannot be written, here and below.
  VectorFile(const std::filesystem::path& file, const Size& size) : size_(size), file_(file) {
    names_ = fmt::format("# {}", Unit::kName);
    for (const auto& [name, value] : parameters_of<Unit>(size))
      names_ += fmt::format(" {}={}", name, value);
    inputs_ = list_pins<In>("_i");
    outputs_ = list_pins<Out>("_o");
  }

  /// The unit is reset before its next cycle.
  void reset() { reset_ = true; }
  void add(const In& in, const Out& out) {
    text_ += reset_ ? "1 " : "0 ";
    reset_ = false;
    append(in);
    text_ += ' ';
    append(out);
    text_ += ' ';
    append_care(out);
    text_ += '\n';
    ++cycles_;
  }
  /// Must be the last call.
  void finish() {
    file_.write(fmt::format("{}\n{} {} {}\n", names_, inputs_, outputs_, cycles_));
    file_.write(text_);
    file_.commit();
  }

 private:
  static constexpr unsigned kMostBits = 64;

  /// Calls f(member, width, pin without its end) for each port.
  template <class Ports, class F>
  void each_port(F&& f) const {
    Ports::fields(
        [&](const char* name, auto field, unsigned width, const char* stem = nullptr) {
          f(field, std::min(width, kMostBits), stem != nullptr ? stem : name);
        },
        size_);
  }

  /// Adds the names to the head of the file and returns the number of bits.
  template <class Ports>
  unsigned list_pins(const char* end) {
    unsigned bits = 0;
    names_ += "\n#";
    each_port<Ports>([&](auto, unsigned width, const char* stem) {
      names_ += fmt::format(" {}{}:{}", stem, end, width);
      bits += width;
    });
    return bits;
  }

  template <class Ports>
  void append(const Ports& ports) {
    each_port<Ports>([&](auto field, unsigned width, const char*) {
      const auto value = static_cast<std::uint64_t>(ports.*field);
      for (unsigned bit = width; bit-- != 0;) text_ += value >> bit & 1 ? '1' : '0';
    });
  }

  void append_care(const Out& out) {
    each_port<Out>([&](auto, unsigned width, const char* stem) {
      text_.append(width, matters(out, stem) ? '1' : '0');
    });
  }

  /// Returns whether the pin means something in this cycle.
  bool matters(const Out& out, std::string_view stem) const {
    for (const auto& [pin, valid] : Unit::kValidWith) {
      if (pin == nullptr || std::string_view(pin) != std::string(stem) + "_o") continue;
      bool holds = false;
      each_port<Out>(
          [&, valid_pin = std::string_view(valid)](auto field, unsigned, const char* name) {
            if (valid_pin == std::string(name) + "_o") holds = out.*field != decltype(out.*field){};
          });
      return holds;
    }
    return true;
  }

  Size size_;
  OutputFile file_;
  std::string names_, text_;
  unsigned inputs_ = 0, outputs_ = 0;
  std::uint64_t cycles_ = 0;
  bool reset_ = false;
};

}  // namespace warpmem::cosim
