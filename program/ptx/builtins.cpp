// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/builtins.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "program/ptx/lanes.hpp"
#include "program/ptx/module.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr std::size_t kMaxText = 1 << 16;    ///< longest string that is printed
constexpr std::size_t kMaxOutput = 1 << 20;  ///< bytes of one printf of a thread, as CUDA's buffer
constexpr std::size_t kMaxField = 4096;      ///< width and precision of one value

/// Returns the host pointer to `bytes` at a generic address of a lane, or nullptr.
const std::uint8_t* generic(Warp& w, unsigned lane, Addr address, unsigned bytes) {
  const Addr window = address / kWindowBytes * kWindowBytes, offset = address % kWindowBytes;
  if (window == kLocalWindow) {
    const bool inside = offset + bytes <= w.local.bytes_per_lane() &&
                        offset / LaneMemory::kRow == (offset + bytes - 1) / LaneMemory::kRow;
    return inside ? w.local.at(offset, lane) : nullptr;
  }
  if (window == kSharedWindow)
    return offset + bytes <= w.cta->shared.size() ? w.cta->shared.data() + offset : nullptr;
  return w.cta->launch->memory->find(address, bytes) != nullptr ? DeviceMemory::host(address)
                                                                : nullptr;
}

std::string text_at(Warp& w, const Inst& in, unsigned lane, Addr address) {
  std::string text;
  for (; text.size() < kMaxText; ++address) {
    const std::uint8_t* const c = generic(w, lane, address, 1);
    if (c == nullptr) fault(w, in, lane, "string outside every allocation");
    if (*c == 0) break;
    text.push_back(static_cast<char>(*c));
  }
  return text;
}

template <class T>
T argument(Warp& w, unsigned lane, const CallSite& site, std::size_t index) {
  T v{};
  std::memcpy(&v, w.frame().parameters.at(site.arguments[index].caller, lane), sizeof v);
  return v;
}

/// Walks the argument block, in which each value is aligned to its size.
class Arguments {
 public:
  Arguments(Warp& w, const Inst& in, unsigned lane, Addr block)
      : w_(w), in_(in), lane_(lane), at_(block) {}
  template <class T>
  T next() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const std::uint8_t* const p = generic(w_, lane_, at_, sizeof(T));
    if (p == nullptr) fault(w_, in_, lane_, "printf has fewer arguments than its format asks for");
    T v;
    std::memcpy(&v, p, sizeof v);
    at_ += sizeof(T);
    return v;
  }

 private:
  Warp& w_;
  const Inst& in_;
  unsigned lane_;
  Addr at_;
};

template <class T>
void append(std::string& out, const std::string& spec, T value) {
  const int n = std::snprintf(nullptr, 0, spec.c_str(), value);
  if (n <= 0 || static_cast<std::size_t>(n) > kMaxText) return;
  const std::size_t before = out.size();
  out.resize(before + static_cast<std::size_t>(n) + 1);
  std::snprintf(&out[before], static_cast<std::size_t>(n) + 1, spec.c_str(), value);
  out.pop_back();
}

/// Returns flags, width and precision of a conversion, from behind its `%`. `*` takes the next
/// argument.
std::string field(const std::string& pattern, std::size_t& i, Arguments& arguments) {
  const auto number = [&] {
    std::int64_t value = 0;
    if (i < pattern.size() && pattern[i] == '*') {
      ++i;
      value = arguments.next<int>();
    }
    for (; i < pattern.size() && pattern[i] >= '0' && pattern[i] <= '9'; ++i)
      value = std::min<std::int64_t>(value * 10 + (pattern[i] - '0'), kMaxField);
    return std::clamp<std::int64_t>(value, -std::int64_t(kMaxField), kMaxField);
  };
  std::string spec = "%";
  for (; i < pattern.size() && std::string_view("-+ #0").find(pattern[i]) != std::string_view::npos;
       ++i)
    if (spec.find(pattern[i]) == std::string::npos) spec.push_back(pattern[i]);
  if (const std::int64_t width = number(); width != 0) {
    if (width < 0 && spec.find('-') == std::string::npos) spec.push_back('-');
    spec += std::to_string(std::abs(width));
  }
  if (i < pattern.size() && pattern[i] == '.') {
    ++i;
    if (const std::int64_t precision = number(); precision >= 0)
      spec += "." + std::to_string(precision);
  }
  return spec;
}

std::string format(Warp& w, const Inst& in, unsigned lane, const std::string& pattern, Addr block) {
  Arguments arguments(w, in, lane, block);
  std::string out;
  for (std::size_t i = 0; i < pattern.size() && out.size() < kMaxOutput; ++i) {
    if (pattern[i] != '%') {
      out.push_back(pattern[i]);
      continue;
    }
    ++i;
    const std::string spec = field(pattern, i, arguments);
    bool is_long = false;
    for (; i < pattern.size() && std::strchr("hlLjzt", pattern[i]) != nullptr; ++i)
      if (pattern[i] != 'h') is_long = true;
    if (i >= pattern.size()) break;
    const char kind = pattern[i];
    switch (kind) {
      case '%':
        out.push_back('%');
        break;
      case 'd':
      case 'i':
        if (is_long)
          append(out, spec + "lld", arguments.next<long long>());
        else
          append(out, spec + kind, arguments.next<int>());
        break;
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        if (is_long)
          append(out, spec + "ll" + kind, arguments.next<unsigned long long>());
        else
          append(out, spec + kind, arguments.next<unsigned>());
        break;
      case 'c':
        append(out, spec + "c", arguments.next<int>());
        break;
      case 'p':
        append(out, spec + "p", reinterpret_cast<void*>(arguments.next<std::uint64_t>()));
        break;
      case 's':
        append(out, spec + "s", text_at(w, in, lane, arguments.next<std::uint64_t>()).c_str());
        break;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        append(out, spec + kind, arguments.next<double>());
        break;
      default:
        out += spec + kind;
        break;
    }
  }
  return out;
}

}  // namespace

void device_printf(Warp& w, const Inst& in, const CallSite& site) {
  for_lanes(w.lanes, [&](unsigned i) {
    const std::string pattern = text_at(w, in, i, argument<std::uint64_t>(w, i, site, 0));
    const std::string text = format(w, in, i, pattern, argument<std::uint64_t>(w, i, site, 1));
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (site.results.empty()) return;
    const auto written = static_cast<std::int32_t>(text.size());
    std::memcpy(w.frame().parameters.at(site.results[0].caller, i), &written, sizeof written);
  });
  std::fflush(stdout);
}

void device_assert(Warp& w, const Inst& in, const CallSite& site) {
  const auto i = static_cast<unsigned>(__builtin_ctz(w.lanes));
  fault(w, in, i,
        text_at(w, in, i, argument<std::uint64_t>(w, i, site, 1)) + ":" +
            std::to_string(argument<std::uint32_t>(w, i, site, 2)) + ": " +
            text_at(w, in, i, argument<std::uint64_t>(w, i, site, 3)) + ": assertion `" +
            text_at(w, in, i, argument<std::uint64_t>(w, i, site, 0)) + "` failed",
        KernelFault::Kind::assertion);
}

}  // namespace warpmem::program::ptx
