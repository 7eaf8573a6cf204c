// SPDX-License-Identifier: Apache-2.0
// Applying an operation to the 32 lanes of registers. The loops have a constant trip count and no
// branch, so that the compiler turns them into vector code; every lane is computed and the result
// is blended under the mask. Each handler is compiled for the baseline and for AVX2 with FMA.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "program/ptx/warp.hpp"

namespace warpmem::program::ptx {

template <class T>
using Storage = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class S>
struct LaneBits {
  S bit[kWarpLanes];
  constexpr LaneBits() : bit() {
    for (unsigned i = 0; i < kWarpLanes; ++i) bit[i] = S(1) << i;
  }
};
template <class S>
alignas(64) inline constexpr LaneBits<S> kLaneBits{};

template <class To, class From>
[[gnu::always_inline]] inline To bit_cast(From v) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, v);
}

/// A register lane as a T; the upper bits of narrow types are ignored.
template <class T>
[[gnu::always_inline]] inline T from_storage(Storage<T> s) {
  if constexpr (std::is_floating_point_v<T>)
    return bit_cast<T>(s);
  else
    return static_cast<T>(s);
}
/// Narrow results leave the upper bits zero.
template <class T>
[[gnu::always_inline]] inline Storage<T> to_storage(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return bit_cast<Storage<T>>(v);
  else
    return static_cast<Storage<T>>(static_cast<std::make_unsigned_t<T>>(v));
}

[[gnu::always_inline]] inline std::uint8_t* place(Warp& w, Ref r) {
  return w.bank[r & kConstantBank] + (r & ~Ref(3));
}
template <class S>
[[gnu::always_inline]] inline S* lanes_of(Warp& w, Ref r) {
  return static_cast<S*>(__builtin_assume_aligned(place(w, r), 64));
}
[[gnu::always_inline]] inline LaneMask predicate(Warp& w, Ref r) {
  LaneMask p;
  std::memcpy(&p, place(w, r), sizeof p);
  return r & kNegate ? ~p : p;
}
[[gnu::always_inline]] inline void set_predicate(Warp& w, Ref r, LaneMask value) {
  LaneMask p;
  std::memcpy(&p, place(w, r), sizeof p);
  p = (p & ~w.lanes) | (value & w.lanes);
  std::memcpy(place(w, r), &p, sizeof p);
}
/// Lane `i` of a register or constant, when only some lanes are wanted.
template <class T>
inline T lane(Warp& w, Ref r, unsigned i) {
  Storage<T> s;
  std::memcpy(&s, place(w, r) + i * sizeof s, sizeof s);
  return from_storage<T>(s);
}
template <class T>
inline void set_lane(Warp& w, Ref r, unsigned i, T v) {
  const Storage<T> s = to_storage<T>(v);
  std::memcpy(place(w, r) + i * sizeof s, &s, sizeof s);
}

/// Calls f(lane) for each lane that executes.
template <class F>
inline void for_lanes(LaneMask lanes, F&& f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(__builtin_ctz(lanes)));
}

/// The destination is ref[0], the sources are ref[1], ref[2], ref[3]. `Op::apply` takes the source
/// values.
template <class Op, class D, class... A>
struct Map {
  [[gnu::always_inline]] static inline void run(Warp& w, const Inst& in) {
    using S = Storage<D>;
    const S lanes = w.lanes;
    S* const d = lanes_of<S>(w, in.ref[0]);
    if constexpr (sizeof...(A) == 1) {
      one<A...>(d, lanes, w, in);
    } else if constexpr (sizeof...(A) == 2) {
      two<A...>(d, lanes, w, in);
    } else {
      three<A...>(d, lanes, w, in);
    }
  }

 private:
  using S = Storage<D>;
  template <class A1>
  [[gnu::always_inline]] static inline void one(S* d, S lanes, Warp& w, const Inst& in) {
    const auto* const a = lanes_of<Storage<A1>>(w, in.ref[1]);
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      const S r = to_storage<D>(Op::apply(from_storage<A1>(a[i])));
      d[i] = (lanes & kLaneBits<S>.bit[i]) ? r : d[i];
    }
  }
  template <class A1, class A2>
  [[gnu::always_inline]] static inline void two(S* d, S lanes, Warp& w, const Inst& in) {
    const auto* const a = lanes_of<Storage<A1>>(w, in.ref[1]);
    const auto* const b = lanes_of<Storage<A2>>(w, in.ref[2]);
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      const S r = to_storage<D>(Op::apply(from_storage<A1>(a[i]), from_storage<A2>(b[i])));
      d[i] = (lanes & kLaneBits<S>.bit[i]) ? r : d[i];
    }
  }
  template <class A1, class A2, class A3>
  [[gnu::always_inline]] static inline void three(S* d, S lanes, Warp& w, const Inst& in) {
    const auto* const a = lanes_of<Storage<A1>>(w, in.ref[1]);
    const auto* const b = lanes_of<Storage<A2>>(w, in.ref[2]);
    const auto* const c = lanes_of<Storage<A3>>(w, in.ref[3]);
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      const S r = to_storage<D>(
          Op::apply(from_storage<A1>(a[i]), from_storage<A2>(b[i]), from_storage<A3>(c[i])));
      d[i] = (lanes & kLaneBits<S>.bit[i]) ? r : d[i];
    }
  }
};

/// Lane mask of `Op::apply(a, b)`, sources `ra` and `rb`.
template <class Op, class A>
[[gnu::always_inline]] inline LaneMask compare_lanes(Warp& w, Ref ra, Ref rb) {
  using S = Storage<A>;
  const S* const a = lanes_of<S>(w, ra);
  const S* const b = lanes_of<S>(w, rb);
  S mask = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i)
    mask |= Op::apply(from_storage<A>(a[i]), from_storage<A>(b[i])) ? kLaneBits<S>.bit[i] : S(0);
  return static_cast<LaneMask>(mask);
}

// clang, which only builds the fuzz targets, has no name for lzcnt to ask the machine for.
#if defined(__x86_64__) && !defined(__clang__)
#define WARPMEM_PTX_WIDE __attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt")))
/// The machine running this has AVX2 and FMA.
inline bool wide_vectors() {
  static const bool yes = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt");
  return yes;
}
#else
#define WARPMEM_PTX_WIDE
inline bool wide_vectors() { return false; }
#endif

namespace detail {
template <class Body>
void run_baseline(Warp& w, const Inst& in) {
  Body::run(w, in);
}
template <class Body>
WARPMEM_PTX_WIDE void run_wide(Warp& w, const Inst& in) {
  Body::run(w, in);
}
}  // namespace detail

/// Handler of a body whose static, always-inline `run` holds the loops.
template <class Body>
Handler vector_handler() {
  return wide_vectors() ? &detail::run_wide<Body> : &detail::run_baseline<Body>;
}

}  // namespace warpmem::program::ptx
