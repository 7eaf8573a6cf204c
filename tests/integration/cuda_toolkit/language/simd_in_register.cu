// SPDX-License-Identifier: Apache-2.0
// Halfwords and bytes of a register at a time, against figures by hand; and the assembly by which
// programs sum absolute differences.
#include <cstdio>

__global__ void compute(unsigned* out) {
  out[0] = __vadd4(0x01ff0304u, 0x01010101u);
  out[1] = __vabsdiffu4(0x05000002u, 0x03010002u);
  out[2] = __vmaxu2(0x00010009u, 0x00020003u);
  out[3] = __vcmpeq4(0x01020304u, 0x01ff0305u);
  out[4] = __vsadu4(0x07000001u, 0x01000003u);
  out[5] = __vavgu4(0x00000002u, 0xff000005u);
  out[6] = __vsubss2(0x80000001u, 0x00010002u);
  out[7] = __vaddus4(0xff010203u, 0x01010101u);
  out[8] = __vneg2(0x0001ffffu);
  out[9] = __vabs4(0xff01fe80u);
  out[10] = __vcmpgts2(0x0001ffffu, 0x00000000u);
  unsigned sum = 100;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;"
      : "=r"(sum)
      : "r"(0x0a0b0c0du), "r"(0x0d0c0b0au), "r"(sum));
  out[11] = sum;
}

int main() {
  const unsigned expected[] = {0x02000405, 0x02010000, 0x00020009, 0xff00ff00,
                               8,          0x80000004, 0x8000ffff, 0xff020304,
                               0xffff0001, 0x01010280, 0xffff0000, 108};
  unsigned* out = nullptr;
  if (cudaMallocManaged(&out, sizeof expected) != cudaSuccess) return 1;
  compute<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int failures = 0;
  for (int i = 0; i < 12; ++i) {
    if (out[i] == expected[i]) continue;
    std::printf("%d: 0x%08x, expected 0x%08x\n", i, out[i], expected[i]);
    ++failures;
  }
  if (failures == 0) std::puts("PASS");
  return failures;
}
