# SPDX-License-Identifier: Apache-2.0
"""Kernels at fault: the program hears of it as from a GPU, with and without timing, and a run that
nobody asks about does not end with status 0. Accesses outside allocations that are forgiven."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import whole_runs
from whole_runs import CHECKED, SMALL, CompiledProgram, assignments, warpmem

PROGRAM = """
#include <cassert>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
__global__ void set(int* p) { p[threadIdx.x] = 1; }
__global__ void asserts(int* p) { assert(p[threadIdx.x] == 2); }
__global__ void traps(int*) { __trap(); }
__global__ void strays(int* p) { p[threadIdx.x + (1 << 28)] = 1; }
__global__ void null(int*) { *(volatile int*)nullptr = 1; }
__global__ void odd(int* p) { *(int*)((char*)p + 1) = 1; }
__global__ void window(int* p) {
  __shared__ int s[32];
  s[threadIdx.x + p[0] * 1000] = 1;
  p[0] = s[0];
}
int main(int argc, char** argv) {
  const auto is = [&](const char* way) { return std::strcmp(argv[1], way) == 0; };
  int* p;
  cudaMalloc(&p, 256);
  set<<<1, 32>>>(p);
  if (is("asserts")) asserts<<<1, 32>>>(p);
  if (is("traps")) traps<<<1, 32>>>(p);
  if (is("strays")) strays<<<1, 32>>>(p);
  if (is("null")) null<<<1, 32>>>(p);
  if (is("odd")) odd<<<1, 32>>>(p);
  if (is("window")) window<<<1, 32>>>(p);
  const cudaError_t at_once = cudaGetLastError();
  if (argc > 2) {  // nobody looks at what is returned
    cudaDeviceSynchronize();
    return 0;
  }
  set<<<1, 32>>>(p);
  const cudaError_t launch = cudaGetLastError();
  const cudaError_t wait = cudaDeviceSynchronize();
  int there;
  const cudaError_t copy = cudaMemcpy(&there, p, 4, cudaMemcpyDeviceToHost);
  const cudaError_t first = cudaGetLastError(), second = cudaGetLastError();
  const cudaError_t reset = cudaDeviceReset();
  std::printf("%d %d: %s\\n", at_once, launch == wait, cudaGetErrorName(wait));
  std::printf("%d\\n", copy == wait && first == wait && !second && reset == wait);
}
"""

EXPECTED = {
    "asserts": ("cudaErrorAssert", "assertion `p[threadIdx.x] == 2` failed"),
    "traps": ("cudaErrorLaunchFailure", "StickyTest.cu:8 (PTX line"),
    "strays": ("cudaErrorIllegalAddress", "past the end of the allocation"),
    "null": ("cudaErrorIllegalAddress", "null pointer"),
    "odd": ("cudaErrorMisalignedAddress", "not aligned to 4 bytes"),
    "window": ("cudaErrorIllegalAddress", "out of range: there are 128 bytes"),
}

# Each thread loads and stores one place in five beyond the allocation of 32 ints; 24 lanes of the
# atomics are outside.
FORGIVEN = """
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
__global__ void strays(int* p, int* sum) {
  const int i = threadIdx.x;
  int read = 0;
  for (int k = 0; k < 5; ++k) read += p[i + (k == 3 ? 1 << 20 : 0)];
  const int4 wide = *(const int4*)(p + (1 << 20) + 4 * i);
  read += wide.x | wide.y | wide.z | wide.w;
  p[i + (1 << 20)] = 7;
  read += atomicAdd(p + (i % 4 == 0 ? 0 : 1 << 20), 0) != (i % 4 == 0 ? 5 : 0);
  __shared__ int s[32];
  s[i] = 9;
  __pipeline_memcpy_async(s + i, p + (i < 16 ? i : 1 << 20), 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  sum[i] = read + s[i];
}
int main() {
  int *p, *sum, host[32];
  cudaMalloc(&p, 128);
  cudaMalloc(&sum, 128);
  for (int& h : host) h = 5;
  cudaMemcpy(p, host, 128, cudaMemcpyHostToDevice);
  strays<<<1, 32>>>(p, sum);
  cudaMemcpy(host, sum, 128, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 32; ++i) wrong += host[i] != (i < 16 ? 25 : 20);
  cudaMemcpy(host, p, 128, cudaMemcpyDeviceToHost);
  for (int h : host) wrong += h != 5;
  std::printf("%d wrong, %s\\n", wrong, cudaGetErrorString(cudaDeviceSynchronize()));
}
"""
COUNTS = "80 loads read 0, 32 stores were dropped, 24 atomics did both; the first: kernel strays"


class Programs(CompiledProgram):
    def setUp(self):
        self.out = pathlib.Path(self.folder.name) / "run"

    def run_program(self, *words, flags=()):
        return warpmem("run", *flags, "-o", self.out, self.program, "--", *words)

    def status(self):
        return json.loads((self.out / "manifest.json").read_text())["status"]


class StickyTest(Programs):
    text = PROGRAM

    def expect(self, way, flags, timed, next_launch=1):
        name, message = EXPECTED[way]
        result = self.run_program(way, flags=flags)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, f"0 {next_launch}: {name}\n1\n")
        self.assertEqual(result.stderr.count("warpmem: error:"), 1, result.stderr)
        for text in (message, "thread (", f"every call of the API returns {name}"):
            self.assertIn(text, result.stderr)
        if timed:
            self.assertIn(message, self.status())
        unasked = self.run_program(way, "and", flags=flags)
        self.assertEqual(unasked.returncode, 2, unasked.stderr)
        self.assertIn("the program did not ask", unasked.stderr)

    def test_timed(self):
        for way in EXPECTED:
            with self.subTest(way):
                self.expect(way, assignments(SMALL), True)

    def test_functional(self):
        copy = self.out.with_suffix(".json")
        for way in EXPECTED:
            with self.subTest(way):
                self.expect(way, ["--functional", "--json", copy], False)
                kernels = json.loads(copy.read_text())["kernels"]
                self.assertEqual(len(kernels), 1)  # the one before the fault

    def test_kernels_beside_each_other(self):
        self.expect("traps", assignments([*SMALL, "gpu.concurrent_kernels=4"]), True, 0)

    def test_recording_ends(self):
        out = self.out.with_suffix(".wmtrace")
        result = warpmem("trace", "convert", "-o", out, self.program, "--", "traps")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("the program executed trap", result.stderr)
        self.assertFalse(out.exists())


class ForgivenTest(Programs):
    text = FORGIVEN
    flag = "--forgive-out-of-range"

    def test_counted(self):
        for flags in ([*assignments([*SMALL, "check_data=true"])], ["--functional"]):
            with self.subTest(flags):
                result = self.run_program(flags=[*flags, self.flag])
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stdout, "0 wrong, no error\n")
                self.assertIn(COUNTS, result.stderr)
        plain = self.run_program()
        self.assertNotIn("forgiven", plain.stderr)
        self.assertIn("out of range", plain.stderr)

    def test_manifest(self):
        self.run_program(flags=[*assignments(SMALL), self.flag])
        manifest = json.loads((self.out / "manifest.json").read_text())
        self.assertIn(COUNTS, " ".join(manifest["notes"]))
        self.assertIn(self.flag, manifest["command"])
        self.assertEqual(manifest["status"], "complete")

    def test_variable(self):
        run_folder = {"WARPMEM_MODE": "functional"}
        forgiven = self.direct({**run_folder, "WARPMEM_FORGIVE_OUT_OF_RANGE": "1"})
        self.assertIn(COUNTS, forgiven.stderr)
        wrong = self.direct({**run_folder, "WARPMEM_FORGIVE_OUT_OF_RANGE": "yes"})
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("allowed: 0, 1", wrong.stderr)

    def direct(self, variables):
        return subprocess.run([self.program], capture_output=True, text=True, timeout=60,
                              env={**os.environ, **variables})


# Memory of each kind that is pinned, or of one: both are read, written and counted in.
PINNED = """
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
const int kN = 1000;
__global__ void twice(const int* in, int* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN) return;
  out[i] = 2 * in[i];
  atomicAdd(count, 1);
}
int main(int argc, char** argv) {
  const auto is = [&](const char* way) { return std::strcmp(argv[1], way) == 0; };
  int *in, *out, *count, *seen;
  cudaHostAlloc(&in, kN * sizeof(int), cudaHostAllocMapped);
  if (is("mapped"))
    cudaHostAlloc(&out, kN * sizeof(int), cudaHostAllocMapped);
  else
    cudaMallocHost(&out, kN * sizeof(int));
  if (is("mapped")) {
    cudaHostAlloc(&count, sizeof(int), cudaHostAllocMapped);
  } else {
    count = (int*)std::malloc(sizeof(int));
    cudaHostRegister(count, sizeof(int), cudaHostRegisterMapped);
  }
  *count = 0;
  for (int i = 0; i < kN; ++i) in[i] = i;
  cudaHostGetDevicePointer(&seen, count, 0);
  for (int launch = 1; launch <= 2; ++launch) {
    twice<<<8, 128>>>(in, out, seen);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int i = 0; i < kN; ++i)
      if (out[i] != 2 * in[i] || *count != launch * kN) return 1;
    for (int i = 0; i < kN; ++i) in[i] += 5;
  }
  std::puts("PASS");
  return 0;
}
"""


class PinnedTest(Programs):
    text = PINNED

    def test_functional(self):
        for way in ("mapped", "all"):
            self.assertEqual(self.run_program(way, flags=["--functional"]).stdout, "PASS\n")

    def stats(self, *keys, ways="all"):
        keys = [*SMALL, *CHECKED, *keys]
        result = self.run_program(ways, flags=assignments(keys))
        self.assertEqual(result.stdout, "PASS\n", result.stderr)
        self.text = (self.out / "stats.json").read_text()
        return json.loads(self.text)

    def test_timed_goes_over_the_link(self):
        document = self.stats()
        total = document["total"]["stats"]
        # Each launch has 32 warps, whose last one has 8 lanes; nothing is found in a cache.
        self.assertEqual(total["host.reads"], 2 * 32)
        self.assertEqual(total["host.writes"], 2 * 32)
        self.assertEqual(total["host.atomics"], 2 * 32)
        self.assertEqual(total["l2.accesses"], 0)
        self.assertEqual(total["dram.reads"], 0)
        self.assertEqual(total["host.in.bytes"], 64 * 24 + total["host.read_bytes"])
        latency = total["host.read_latency"] / 1.137  # cycles of 1137 MHz
        self.assertGreater(latency, 900)
        self.assertLess(latency, 1500)
        for launch in document["kernels"]:
            self.assertEqual(launch["stats"]["host.reads"], 32)

    def test_bandwidth_and_tags_limit_it(self):
        free = self.stats("host.bandwidth=1000000")["total"]["stats"]["gpu.cycles"]
        slow = self.stats("host.bandwidth=20")["total"]["stats"]
        # 32 lines there and back, 20 bytes a microsecond.
        least = 2 * 1000 * 4 / 20e6 * 1137e6
        self.assertGreater(slow["gpu.cycles"], least)
        self.assertGreater(slow["host.in.utilization"], 0.4)
        one = self.stats("host.reads=1")["total"]["stats"]
        self.assertEqual(one["host.reads_under_way"], 1)
        self.assertGreater(one["gpu.cycles"], free + 2 * 31 * 900 * 1.137)

    def test_nothing_depends_on_order_or_skipping(self):
        self.stats()
        expected = self.text
        for keys in (["tick_all=true"], ["reverse_construction=true"]):
            self.stats(*keys)
            self.assertEqual(self.text, expected)

    def test_through_other_caches(self):
        for keys in (["l1d.enable=false"], ["l2.coalescer.entries=8"], ["l2.slices=2"],
                     ["l2.mshr.kind=dl", "l2.write_miss=validate"], ["uvm.enable=true"],
                     ["ptx.early_loads=true"], ["l2.clock=700MHz"]):  # fmt: skip
            way = "mapped" if "uvm" in keys[0] else "all"
            with self.subTest(keys):
                total = self.stats(*keys, ways=way)["total"]["stats"]
                if way == "all":
                    self.assertGreater(total["host.reads"], 0)

    def test_a_trace_of_it_runs_alike(self):
        total = self.stats()["total"]["stats"]
        trace = self.out.parent / "pinned.wmtrace"
        result = warpmem("trace", "convert", "-o", trace, self.program, "--", "all")
        self.assertEqual(result.returncode, 0, result.stderr)
        out = self.out.parent / "replayed"
        result = warpmem("run", *assignments(SMALL), "-o", out, trace)
        self.assertEqual(result.returncode, 0, result.stderr)
        replayed = json.loads((out / "stats.json").read_text())["total"]["stats"]
        for name in ("gpu.cycles", "host.reads", "host.out.bytes", "host.read_latency"):
            self.assertEqual(replayed[name], total[name], name)

    def test_packets_bring_what_the_link_leaves(self):
        # Data of a packet over data and 24 B of header, of 15.754 GB/s.
        sectors = ["l1d.sector=32", "sm.coalescer.granularity=sector"]
        for way, size, keys, payload in (("sectors", 131072, [], 128), ("lines", 524288, [], 128),
                                         ("sectors", 131072, sectors, 32),
                                         ("writes", 524288, [], 128),
                                         ("writes", 524288, sectors, 32)):  # fmt: skip
            with self.subTest(way, payload=payload):
                result = whole_runs.run("micro/zero_copy", [*SMALL, *keys], [way, str(size)],
                                        self.out)
                self.assertIn("PASS", result.stdout, result.stderr)
                got = float(re.search(r"measured ([0-9.]+) bytes", result.stdout).group(1))
                share = got / (15.754 * payload / (payload + 24))
                self.assertGreater(share, 0.95)
                self.assertLess(share, 1)

    def test_who_does_not_access_it_sees_nothing_of_it(self):
        result = self.run_program("mapped", flags=assignments([*SMALL, "uvm.enable=true"]))
        self.assertEqual(result.stdout, "PASS\n", result.stderr)
        self.assertNotIn("host.", (self.out / "stats.csv").read_text())

    def test_paging_moves_mapped_memory(self):
        keys = [*SMALL, "uvm.enable=true", "check_data=true"]
        result = self.run_program("mapped", flags=assignments(keys))
        self.assertEqual(result.stdout, "PASS\n", result.stderr)


RACES = """
#include <cuda_runtime.h>
__global__ void same(int* p) { p[0] = 7; }
__global__ void last(int* p) { p[1] = 0x100 * blockIdx.x; }
int main(int argc, char**) {
  int* p;
  cudaMalloc(&p, 256);
  same<<<4, 1>>>(p);
  if (argc > 1) last<<<4, 1>>>(p), last<<<4, 1>>>(p);
  return cudaDeviceSynchronize();
}
"""


class RacesTest(Programs):
    text = RACES
    checked = assignments([*SMALL, "check_data=true"])

    def notes(self, *words, flags):
        result = self.run_program(*words, flags=flags)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [line for line in result.stderr.splitlines() if "races there" in line]

    def test_the_first_is_named(self):
        notes = self.notes("last", flags=self.checked)
        self.assertEqual(len(notes), 1, notes)
        for text in ("kernel last(int*), launch 2: address 0x200000000005 ends as the last of",
                     "written by CTA 0 warp 0 at pc 0x", "written by CTA 3 warp 3 at pc 0x"):
            self.assertIn(text, notes[0])
        line = next(i for i, text in enumerate(RACES.splitlines()) if "void last(" in text)
        named = re.findall(r"at pc 0x[0-9a-f]+ \(\S*\.cu:(\d+)\)", notes[0])
        self.assertEqual(named, [str(line + 1)] * len(named))
        self.assertGreaterEqual(len(named), 2)
        manifest = json.loads((self.out / "manifest.json").read_text())
        self.assertIn("0x200000000005", " ".join(manifest["notes"]))

    def test_equal_values_are_none(self):
        self.assertEqual(self.notes(flags=self.checked), [])

    def test_who_does_not_look_sees_none(self):
        self.assertEqual(self.notes("last", flags=assignments(SMALL)), [])


COOPERATIVE = """
#include <cooperative_groups.h>
#include <cstdio>
__global__ void clear(int* p) { p[blockIdx.x] = 0; }
__global__ void meet(int* p) {
  p[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync();
  if (p[(blockIdx.x + 1) % gridDim.x] == 1 && threadIdx.x == 0) p[gridDim.x + blockIdx.x] = 1;
}
int main() {
  int *p, host[8];
  cudaMalloc(&p, sizeof host);
  clear<<<8, 32>>>(p);
  void* arguments[] = {&p};
  cudaLaunchCooperativeKernel((void*)meet, dim3(4), dim3(32), arguments, 0, nullptr);
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  std::puts(host[4] + host[5] + host[6] + host[7] == 4 ? "PASS" : "FAIL");
}
"""


class CooperativeTest(Programs):
    text = COOPERATIVE

    def test_a_part_is_refused(self):
        result = self.run_program(flags=[*assignments(SMALL), "--ctas", "3"])
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("error:"), 1, result.stderr)
        part = "--ctas 3 times a part of a cooperative launch, whose 4 blocks"
        self.assertIn(part, result.stderr)

    def test_the_whole_is_not(self):
        for flags in (["--ctas", "4"], ["--ctas", "3", "--kernels", "name=clear"]):
            result = self.run_program(flags=[*assignments(SMALL), *flags])
            self.assertEqual((result.returncode, result.stdout), (0, "PASS\n"), result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
