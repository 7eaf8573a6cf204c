// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/managed_advice.hpp"

namespace warpmem::program::cuda {

namespace {

constexpr std::uint64_t kHostPage = 4096;  // advice is rounded to pages of the host

}  // namespace

std::pair<Addr, Addr> ManagedAdvice::pages(Addr address, std::uint64_t bytes) {
  return {address / kHostPage * kHostPage,
          (address + bytes + kHostPage - 1) / kHostPage * kHostPage};
}

void ManagedAdvice::split(Addr at) {
  auto part = parts_.lower_bound(at);
  if (part == parts_.begin()) return;
  --part;
  if (part->second.end <= at) return;
  parts_.insert({at, part->second});
  part->second.end = at;
}

std::vector<Advice> ManagedAdvice::of(Addr address, std::uint64_t bytes) {
  std::vector<Advice> all;
  change(address, bytes, [&](const Advice& advice) { all.push_back(advice); });
  return all;
}

void ManagedAdvice::forget(Addr address, std::uint64_t bytes) {
  const auto [begin, end] = pages(address, bytes);
  split(begin);
  split(end);
  parts_.erase(parts_.lower_bound(begin), parts_.lower_bound(end));
}

ManagedAdvice& managed_advice() {
  static auto* const advice = new ManagedAdvice;
  return *advice;
}

}  // namespace warpmem::program::cuda
