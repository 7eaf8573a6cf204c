// SPDX-License-Identifier: Apache-2.0
#include "app/implied_figures.hpp"

#include <fmt/format.h>

#include "gpu/implied_bandwidth.hpp"
#include "program/device_memory.hpp"

namespace warpmem::app {

namespace {

using gpu::Depth;
using gpu::Level;
using gpu::Limit;
using gpu::MachineParams;
using gpu::Translation;

// What workloads/micro/camping.cu reads: its first allocation, so many lines of it.
constexpr Addr kBase = program::DeviceMemory::kBase;
constexpr unsigned kPartitionLines = 64;
constexpr unsigned kBankLines = 512;  // of an SM

class Figures {
 public:
  explicit Figures(const MachineParams& params) : params_(params) {}

  void add(const std::string& name, double value, const char* unit, const char* limit = "") {
    std::string line = fmt::format("{:<24} {:>12.3f} {:<7} {}", name, value, unit, limit);
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + "\n";
  }
  void latency(const char* name, Depth depth, Translation translation = Translation::tlb) {
    const auto times = gpu::unloaded_load(params_, depth, translation);
    if (times) add(name, times->whole * 1e-9 * static_cast<double>(params_.sm_hertz), "cycles");
  }
  void bandwidth(const std::string& name, const Limit& limit) {
    add(name, limit.per_second / 1e9, "GB/s", limit.unit);
  }
  const std::string& text() const { return text_; }

 private:
  const MachineParams& params_;
  std::string text_;
};

}  // namespace

std::string implied_summary(const MachineParams& params) {
  const Limit l2 = gpu::l2_bandwidth(params);
  const std::string caches = fmt::format("L2 {:>6.1f} ({}), L1D {:>7.1f}", l2.per_second / 1e9,
                                         l2.unit, gpu::l1d_bandwidth(params).per_second / 1e9);
  if (!gpu::has_dram(params)) return caches + " GB/s";
  const Limit l1d_misses = gpu::l1d_miss_bandwidth(params, Level::dram);
  const Limit l2_misses = gpu::l2_miss_bandwidth(params);
  return fmt::format("DRAM {:>6.1f}, {}, {} {:>6.1f}, {} {:>6.1f} GB/s",
                     gpu::dram_peak_bandwidth(params) / 1e9, caches, l1d_misses.unit,
                     l1d_misses.per_second / 1e9, l2_misses.unit, l2_misses.per_second / 1e9);
}

std::string implied_figures(const MachineParams& params) {
  const bool dram = gpu::has_dram(params);
  Figures f(params);
  f.latency("latency.l1d", Depth::l1d);
  f.latency("latency.l2", Depth::l2);
  f.latency("latency.row_hit", Depth::row_hit);
  f.latency("latency.row_miss", Depth::row_miss);
  if (params.uvm.enable) {
    f.latency("latency.l2_tlb", Depth::l2, Translation::l2_tlb);
    f.latency("latency.walk", Depth::l2, Translation::walk);
  }
  for (const unsigned passes : {1, 2, 4, 8, 16, 32})
    f.add(fmt::format("latency.shared.{}", passes), gpu::unloaded_shared(params, passes), "cycles");
  f.bandwidth("peak.l1d", gpu::l1d_bandwidth(params));
  f.bandwidth("peak.l2", gpu::l2_bandwidth(params));
  if (dram) {
    f.bandwidth("peak.dram", {gpu::dram_peak_bandwidth(params), ""});
    f.bandwidth("misses.l1d", gpu::l1d_miss_bandwidth(params, Level::dram));
    f.bandwidth("misses.l2", gpu::l2_miss_bandwidth(params));
  }
  if (gpu::loads_hit_l1d(params)) f.bandwidth("read.l1d", gpu::stream_read(params, Level::l1d));
  f.bandwidth("read.l2", gpu::stream_read(params, Level::l2));
  if (dram) f.bandwidth("read.dram", gpu::stream_read(params, Level::dram));
  for (const unsigned bytes : {1, 2, 4, 8, 16})
    f.bandwidth(fmt::format("write.{}", bytes), gpu::stream_write(params, bytes));
  const std::uint64_t of_partition = gpu::partition_stride(params);
  f.add("camping.partition.stride", static_cast<double>(of_partition), "B");
  f.bandwidth("camping.partition",
              gpu::strided_read(params, {kBase, of_partition, kPartitionLines}, Level::l2));
  if (dram) {
    // The lines of the longer of two launches, behind those of the shorter one.
    const std::uint64_t of_bank = gpu::bank_stride(params);
    const unsigned lines = kBankLines * params.sm_count;
    f.add("camping.bank.stride", static_cast<double>(of_bank), "B");
    f.add("camping.bank.lines", lines, "lines");
    f.bandwidth(
        "camping.bank",
        gpu::strided_read(params, {kBase + lines * of_bank, of_bank, 3 * lines}, Level::dram));
  }
  const auto atomics = [&](const char* name, const Limit& limit) {
    f.add(name, limit.per_second / 1e9, "G/s", limit.unit);
  };
  atomics("atomics.one_word", gpu::atomics_on_one_word(params));
  atomics("atomics.many_words", gpu::atomics_on_many_words(params));
  return f.text();
}

}  // namespace warpmem::app
