// SPDX-License-Identifier: Apache-2.0
// Copies from global to shared memory by all threads of a group (cp.async), which it waits for
// later. Each copy is a group of asynchronous copies of its warps.
#pragma once

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

#if defined(__CUDA__)

namespace warpmem_aligned {
/// A number of bytes that is a multiple of kAlignment_, as both addresses are.
template <size_t kAlignment_>
struct aligned_size_t {
  static constexpr size_t align = kAlignment_;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};
}  // namespace warpmem_aligned

namespace cuda {
using namespace warpmem_aligned;  // that of CUDA's C++ library hides it where both are included
}

namespace warpmem_groups {

/// Pieces of kPiece_ bytes, one a thread in turn; returns the bytes that are done.
template <unsigned int kPiece_, class Group_>
static __device__ __forceinline__ size_t copy_pieces(const Group_& group, char* to,
                                                     const char* from, size_t done, size_t bytes) {
  const unsigned long long both =
      reinterpret_cast<unsigned long long>(to) | reinterpret_cast<unsigned long long>(from);
  if (both % kPiece_ != 0 || done % kPiece_ != 0) return done;
  const size_t end = bytes / kPiece_ * kPiece_;
  for (size_t at = done + group.thread_rank() * kPiece_; at < end; at += group.size() * kPiece_)
    __pipeline_memcpy_async(to + at, from + at, kPiece_);
  return end < done ? done : end;
}
template <class Group_>
static __device__ __forceinline__ void copy_async(const Group_& group, void* to, const void* from,
                                                  size_t bytes) {
  char* const target = static_cast<char*>(to);
  const char* const source = static_cast<const char*>(from);
  size_t done = 0;
  if (__isShared(to) && __isGlobal(from)) {
    done = copy_pieces<16>(group, target, source, done, bytes);
    done = copy_pieces<8>(group, target, source, done, bytes);
    done = copy_pieces<4>(group, target, source, done, bytes);
  }
  for (size_t at = done + group.thread_rank(); at < bytes; at += group.size())
    target[at] = source[at];
  __pipeline_commit();
}

}  // namespace warpmem_groups

namespace cooperative_groups {

template <class Group_, class Type_>
static __device__ __forceinline__ void memcpy_async(const Group_& group, Type_* to,
                                                    const Type_* from, size_t bytes) {
  warpmem_groups::copy_async(group, to, from, bytes);
}
/// The number of bytes is one of aligned_size_t, ours or that of CUDA's C++ library.
template <class Group_, class Type_, class Aligned_, size_t kAlignment_ = Aligned_::align>
static __device__ __forceinline__ void memcpy_async(const Group_& group, Type_* to,
                                                    const Type_* from, const Aligned_& bytes) {
  warpmem_groups::copy_async(group, to, from, bytes.value);
}
/// Elements, as many as both have.
template <class Group_, class Type_>
static __device__ __forceinline__ void memcpy_async(const Group_& group, Type_* to, size_t to_count,
                                                    const Type_* from, size_t from_count) {
  warpmem_groups::copy_async(group, to, from,
                             (to_count < from_count ? to_count : from_count) * sizeof(Type_));
}

/// Waits until the group's copies have ended, but for its kNewest_ last ones.
template <unsigned int kNewest_, class Group_>
static __device__ __forceinline__ void wait_prior(const Group_& group) {
  __pipeline_wait_prior(kNewest_);
  group.sync();
}
template <class Group_>
static __device__ __forceinline__ void wait(const Group_& group) {
  wait_prior<0>(group);
}

}  // namespace cooperative_groups

#endif
