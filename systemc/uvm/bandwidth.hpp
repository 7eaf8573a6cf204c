// SPDX-License-Identifier: Apache-2.0
// Effective bandwidth of the link to the host by size of transfer (GU Fig 4.2). Each transfer has a
// constant cost, so a small one leaves most of the link unused, and 1 MiB is the size from which
// nothing more is gained. The figure is not printed as numbers; the table has its shape for a PCIe
// 3.0 link with 16 lanes, as fractions of the bandwidth that large transfers reach:
//
//   size      4 KiB  16 KiB  64 KiB  256 KiB  1 MiB and more
//   fraction  0.28   0.55    0.76    0.93     1.00
//
// In between the fraction is linear in the logarithm of the size; below 4 KiB a transfer takes as
// long as one of 4 KiB.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace warpmem::uvm {

struct BandwidthPoint {
  std::uint64_t bytes;
  double fraction;
};
inline constexpr std::array<BandwidthPoint, 5> kBandwidth{
    {{4096, 0.28}, {16384, 0.55}, {65536, 0.76}, {262144, 0.93}, {1048576, 1.0}}};

/// Returns the share of the full bandwidth that a transfer of `bytes` (>= 4 KiB) reaches, in (0,
/// 1].
inline double bandwidth_fraction(std::uint64_t bytes) {
  if (bytes <= kBandwidth.front().bytes) return kBandwidth.front().fraction;
  for (std::size_t i = 1; i < kBandwidth.size(); ++i) {
    const BandwidthPoint &low = kBandwidth[i - 1], &high = kBandwidth[i];
    if (bytes > high.bytes) continue;
    const double part = std::log2(static_cast<double>(bytes) / static_cast<double>(low.bytes)) /
                        std::log2(static_cast<double>(high.bytes) / static_cast<double>(low.bytes));
    return low.fraction + part * (high.fraction - low.fraction);
  }
  return 1.0;
}

/// Returns the nanoseconds for which a transfer occupies its direction of a link with
/// `megabytes_per_second`.
inline double transfer_nanoseconds(std::uint64_t bytes, std::uint64_t megabytes_per_second) {
  const double size = static_cast<double>(std::max(bytes, kBandwidth.front().bytes));
  return size * 1000.0 / (static_cast<double>(megabytes_per_second) * bandwidth_fraction(bytes));
}

}  // namespace warpmem::uvm
