// SPDX-License-Identifier: Apache-2.0
// Bandwidth of loads or stores of neighbouring addresses by all SMs, in blocks of 8 warps:
//   read_l1d       every warp reads the same 4 KiB over and over, 16 B a lane
//   read_l2        every block reads all of REGION bytes, 4 B a lane, each from a place of its own
//                  on; the region has been read before and is larger than L1D
//   read_dram      the blocks read memory once that nobody has read, 4 B a lane; the warps of a
//                  block keep together, so that rows of DRAM are read while they are open
//   used_l2, used_dram  the same, and each value is used, without which NVIDIA's assembler removes
//                  the loads
//   write_N        every block writes all of REGION bytes, which have been read before, N B a lane
//                  (1, 2, 4, 8 or 16)
// Launches of ROUNDS and of 3 * ROUNDS are compared, so that beginning and end do not count.
//
// arguments: [MODE [ROUNDS [REGION [BLOCKS of an SM]]]] (read_l1d, 8, 524288, 1)
#include <cstring>
#include <string>

#include "micro.hpp"

constexpr unsigned kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAccesses = 8;  // of a warp in a round

/// Where a warp goes: accesses of a round are `gap` bytes apart, rounds `advance`.
struct Plan {
  std::size_t warp = 0, block = 0;  ///< bytes from one to the next
  std::size_t gap = 0, advance = 0;
  /// After which it begins anew; the last round may reach beyond it, by less than `advance`.
  std::size_t region = 0;
  /// Bytes from the first to the last that anyone accesses.
  std::size_t all() const { return region + advance + (kAccesses - 1) * gap; }
};

/// The offset at which a warp begins round `round`.
__host__ __device__ inline std::size_t place(const Plan& plan, unsigned block, unsigned warp,
                                             std::size_t round) {
  return (block * plan.block + warp * plan.warp + round * plan.advance) % plan.region;
}

__device__ void load(const char* from, unsigned& v) {
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(from) : "memory");
}
__device__ void load(const char* from, uint4& v) {
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from)
               : "memory");
}
__device__ unsigned sum_of(unsigned v) { return v; }
__device__ unsigned sum_of(const uint4& v) { return v.x + v.y + v.z + v.w; }

// In place a warp does not move on, and makes the same accesses several times in a round.
__host__ __device__ constexpr unsigned repeats(bool in_place) { return in_place ? 8 : 1; }

template <class T, bool kInPlace, bool kUsed>
__global__ void read(const char* base, Plan plan, unsigned rounds, bool together, unsigned* sums,
                     micro::Span* spans) {
  T v[kAccesses];
  if (kUsed)
    for (T& one : v) one = {};
  unsigned all = 0;
  const std::size_t gap = kInPlace ? 512 : plan.gap;
  const char* p = base + place(plan, blockIdx.x, threadIdx.x / 32, 0);
  const char* const end = base + plan.region;
  micro::begin_span(spans);
  for (unsigned r = 0; r < rounds; ++r) {
#pragma unroll
    for (unsigned n = 0; n < repeats(kInPlace); ++n) {
      const char* q = p + threadIdx.x % 32 * sizeof(T);
#pragma unroll
      for (unsigned i = 0; i < kAccesses; ++i, q += gap) {
        if (kUsed) all ^= sum_of(v[i]);
        load(q, v[i]);
      }
    }
    if (kInPlace) continue;
    p += plan.advance;
    if (p >= end) p -= plan.region;
    if (together) __syncthreads();
  }
  unsigned sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kAccesses; ++i) sum += sum_of(v[i]);
  micro::end_span(spans);
  sums[blockIdx.x * kThreads + threadIdx.x] = kUsed && rounds == 0 ? all : sum;
}

// The stores of one lane; the compiler would be free to divide the wide ones.
__device__ void store(unsigned char* to, unsigned v) { *to = static_cast<unsigned char>(v); }
__device__ void store(unsigned short* to, unsigned v) { *to = static_cast<unsigned short>(v); }
__device__ void store(unsigned* to, unsigned v) { *to = v; }
__device__ void store(uint2* to, unsigned v) {
  asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(to), "r"(v) : "memory");
}
__device__ void store(uint4* to, unsigned v) {
  asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(to), "r"(v) : "memory");
}

template <class T>
__global__ void write(char* base, Plan plan, unsigned rounds, micro::Span* spans) {
  const std::size_t at = place(plan, blockIdx.x, threadIdx.x / 32, 0);
  const unsigned lane = threadIdx.x % 32;
  const unsigned value = (at / sizeof(T) + lane) % 32 + 1;
  char* p = base + at;
  char* const end = base + plan.region;
  micro::begin_span(spans);
  for (unsigned r = 0; r < rounds; ++r) {
    char* q = p + lane * sizeof(T);
#pragma unroll
    for (unsigned i = 0; i < kAccesses; ++i, q += plan.gap) store(reinterpret_cast<T*>(q), value);
    p += plan.advance;
    if (p >= end) p -= plan.region;
  }
  micro::end_span(spans);
}

/// The blocks sweep over memory that is in L2, each from a place of its own on; an access of a warp
/// is of `lane_bytes` a lane. The accesses of a round lie far apart, an odd number of lines, so
/// that those of a warp do not all go to one partition.
Plan sweep(std::size_t region, unsigned lane_bytes, unsigned blocks) {
  Plan plan;
  plan.warp = 32 * lane_bytes;
  plan.advance = kWarps * plan.warp;
  plan.region = std::max<std::size_t>(1, region / kAccesses / plan.advance) * plan.advance;
  plan.block = (plan.region / 128 / blocks | 1) * 128;
  plan.gap = ((plan.region + plan.advance) / 128 | 1) * 128;
  return plan;
}

/// All warps read neighbouring lines at a time.
Plan pass(std::size_t rounds, unsigned blocks) {
  Plan plan;
  plan.warp = 128;
  plan.gap = kWarps * plan.warp;
  plan.block = kAccesses * plan.gap;
  plan.advance = blocks * plan.block;
  plan.region = rounds * plan.advance;
  return plan;
}

unsigned word_of(std::size_t i) { return static_cast<unsigned>(i * 2654435761u >> 7); }

/// What a thread adds up in the last of `rounds`, in words of `lane_words` a lane.
unsigned expected_sum(const Plan& plan, std::size_t offset, unsigned thread, unsigned rounds,
                      unsigned lane_words) {
  const unsigned block = thread / kThreads, warp = thread % kThreads / 32;
  std::size_t at = offset + place(plan, block, warp, rounds - 1) + thread % 32 * 4 * lane_words;
  unsigned sum = 0;
  for (unsigned i = 0; i < kAccesses; ++i, at += plan.gap)
    for (unsigned w = 0; w < lane_words; ++w) sum += word_of(at / 4 + w);
  return sum;
}

int measure_reads(const std::string& level, bool used, unsigned rounds, std::size_t region,
                  unsigned blocks) {
  const bool in_dram = level == "dram", in_place = level == "l1d";
  const unsigned lane_words = in_place ? 4 : 1;
  Plan plan = in_dram ? pass(rounds, blocks) : sweep(region, 4 * lane_words, blocks);
  if (in_place) {
    plan.warp = plan.block = plan.advance = 0;
    plan.gap = plan.region = 512;
  }
  Plan longer = in_dram ? pass(3 * rounds, blocks) : plan;
  const std::size_t offset = in_dram ? plan.all() : 0;  // of the second launch
  std::vector<unsigned> words((offset + longer.all()) / 4);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = word_of(i);
  micro::DeviceArray<unsigned> memory(words);
  micro::DeviceArray<unsigned> sums(blocks * kThreads);
  micro::DeviceArray<micro::Span> spans(blocks);
  const char* base = reinterpret_cast<const char*>(memory.get());
  if (!in_dram) micro::touch_all(base, plan.all());

  workload::Verdict verdict;
  const auto launch = [&](const Plan& p, std::size_t from, unsigned n) {
    if (in_place) {
      read<uint4, true, false><<<blocks, kThreads>>>(base + from, p, n, in_dram, sums, spans);
    } else if (used) {
      read<unsigned, false, true><<<blocks, kThreads>>>(base + from, p, n, in_dram, sums, spans);
    } else {
      read<unsigned, false, false><<<blocks, kThreads>>>(base + from, p, n, in_dram, sums, spans);
    }
    workload::finish_kernels();
    std::vector<unsigned> expected(blocks * kThreads);
    for (unsigned t = 0; t < expected.size(); ++t)
      expected[t] = expected_sum(p, from, t, n, lane_words);
    verdict.equal("sums", sums.download(), expected);
    return micro::cycles_of(spans);
  };
  const double shorter = launch(plan, 0, rounds);
  const double cycles = launch(longer, offset, 3 * rounds) - shorter;
  micro::report(2.0 * rounds * blocks * kThreads * kAccesses * 4 * lane_words * repeats(in_place),
                cycles, "bytes a cycle");
  return verdict.done();
}

template <class T>
int measure_writes(unsigned rounds, std::size_t region, unsigned blocks) {
  const Plan plan = sweep(region, sizeof(T), blocks);
  const std::size_t bytes = plan.all();
  micro::DeviceArray<char> memory(bytes);
  memory.zero();
  micro::DeviceArray<micro::Span> spans(blocks);
  micro::touch_all(memory, bytes);
  const auto launch = [&](unsigned n) {
    write<T><<<blocks, kThreads>>>(memory, plan, n, spans);
    workload::finish_kernels();
    return micro::cycles_of(spans);
  };
  const double shorter = launch(rounds);
  const double cycles = launch(3 * rounds) - shorter;

  std::vector<int> expected(bytes), got(bytes);
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned access = 0; access < kWarps * 3 * rounds * kAccesses; ++access)
      for (std::size_t i = 0; i < plan.warp; ++i) {
        const unsigned warp = access % kWarps, round = access / kWarps / kAccesses;
        const std::size_t at = place(plan, block, warp, round) + i;
        // Every component of an element is the same small number.
        const std::size_t component = sizeof(T) < 4 ? sizeof(T) : 4;
        expected[at + access / kWarps % kAccesses * plan.gap] =
            at % component == 0 ? static_cast<int>(at / sizeof(T) % 32 + 1) : 0;
      }
  const std::vector<char> chars = memory.download();
  std::copy(chars.begin(), chars.end(), got.begin());
  workload::Verdict verdict;
  verdict.equal("bytes", got, expected);
  micro::report(2.0 * rounds * blocks * kThreads * kAccesses * sizeof(T), cycles, "bytes a cycle");
  return verdict.done();
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "read_l1d";
  const unsigned rounds = workload::size_argument(argc, argv, 2, 8);
  const std::size_t region = workload::size_argument(argc, argv, 3, 512 * 1024, 128);
  const unsigned blocks = micro::sms() * workload::size_argument(argc, argv, 4, 1);
  workload::no_more_arguments(argc, argv, 4);
  for (const char* level : {"l1d", "l2", "dram"})
    if (mode == std::string("read_") + level)
      return measure_reads(level, false, rounds, region, blocks);
  for (const char* level : {"l2", "dram"})
    if (mode == std::string("used_") + level)
      return measure_reads(level, true, rounds, region, blocks);
  if (mode == "write_1") return measure_writes<unsigned char>(rounds, region, blocks);
  if (mode == "write_2") return measure_writes<unsigned short>(rounds, region, blocks);
  if (mode == "write_4") return measure_writes<unsigned>(rounds, region, blocks);
  if (mode == "write_8") return measure_writes<uint2>(rounds, region, blocks);
  if (mode == "write_16") return measure_writes<uint4>(rounds, region, blocks);
  std::fprintf(stderr,
               "%s: mode %s; it is read_l1d, read_l2, read_dram, used_l2, used_dram or write_N\n",
               argv[0], mode.c_str());
  return 1;
}
