// SPDX-License-Identifier: Apache-2.0
// Kernels as clang-14 compiles them.
#include <cmath>
#include <numeric>

#include "unit/program/clang_ptx.hpp"
#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

class PtxKernel : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(have_clang()) << "run 'apt-get install clang-14'"; }
  void compile(const std::string& source, const std::string& options = "-O2") {
    const std::string text = compile_to_ptx(source, options);
    ASSERT_FALSE(text.empty());
    module = std::make_unique<Module>(text, "kernel.ptx");
    module->bind(memory);
  }
  FunctionalResult launch(const char* kernel, Dim3 grid, Dim3 block, const Arguments& arguments,
                          std::uint64_t shared = 0) {
    const auto g = make_grid(*module, kernel, grid, block, shared, arguments.bytes(), memory);
    return run_functional(*g);
  }
  template <class T>
  T* allocate(std::size_t n) {
    return reinterpret_cast<T*>(memory.allocate(n * sizeof(T)));
  }
  DeviceMemory memory{std::uint64_t(1) << 26};
  std::unique_ptr<Module> module;
};

TEST_F(PtxKernel, VectorAdd) {
  compile(
      "extern \"C\" __global__ void add(const float* a, const float* b, float* c, int n) { int i = "
      "blockIdx_x * blockDim_x + threadIdx_x; if (i < n) c[i] = a[i] + b[i]; }");
  const unsigned n = 1000;
  auto *a = allocate<float>(n), *b = allocate<float>(n), *c = allocate<float>(n);
  for (unsigned i = 0; i < n; ++i)
    a[i] = static_cast<float>(i), b[i] = static_cast<float>(i) * 0.5f;
  const auto r = launch("add", {4}, {256}, Arguments().add(a).add(b).add(c).add(int(n)));
  for (unsigned i = 0; i < n; ++i) ASSERT_EQ(c[i], static_cast<float>(i) * 1.5f);
  EXPECT_GT(r.warp_instructions, 32u * 10);
  EXPECT_LE(r.thread_instructions, r.warp_instructions * 32);
  const Entry* const entry = module->find_entry("add");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->parameters.size(), 4u);
  EXPECT_EQ(entry->parameter_bytes, 28u);
  const KernelFacts facts = module->facts("add");
  EXPECT_GE(facts.registers_per_thread, 4u);
  EXPECT_LE(facts.registers_per_thread, 16u);
}

TEST_F(PtxKernel, TiledProductWithBarriers) {
  compile(
      "extern \"C\" __global__ void product(const float* A, const float* B, float* C, int n) {\n"
      "__shared__ float a[16][16], b[16][16]; int x = threadIdx_x, y = "
      "__nvvm_read_ptx_sreg_tid_y(); int j = blockIdx_x * 16 + x, i = "
      "__nvvm_read_ptx_sreg_ctaid_y() * 16 + y; float sum = 0;\n"
      "for (int k = 0; k < n; k += 16) { a[y][x] = A[i*n+k+x]; b[y][x] = B[(k+y)*n+j]; "
      "syncthreads(); for (int q = 0; q < 16; ++q) sum += a[y][q] * b[q][x]; syncthreads(); } "
      "C[i*n+j] = sum; }");
  const int n = 64;
  auto *a = allocate<float>(n * n), *b = allocate<float>(n * n), *c = allocate<float>(n * n);
  for (int i = 0; i < n * n; ++i)
    a[i] = static_cast<float>(i % 7), b[i] = static_cast<float>(i % 5);
  launch("product", {4, 4}, {16, 16}, Arguments().add(a).add(b).add(c).add(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      ASSERT_EQ(c[i * n + j], sum);
    }
  EXPECT_EQ(module->find_entry("product")->static_shared_bytes, 2048u);
}

TEST_F(PtxKernel, ReductionThroughDynamicSharedMemoryAndAtomics) {
  compile(
      "extern \"C\" __global__ void sum(const int* in, int* out, int n) { extern __shared__ int "
      "s[]; int t = threadIdx_x; int v = 0;\n"
      "for (int i = blockIdx_x * blockDim_x + t; i < n; i += blockDim_x * 8) v += in[i]; s[t] = v; "
      "syncthreads();\n"
      "for (int d = blockDim_x / 2; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; syncthreads(); } "
      "if (t == 0) __nvvm_atom_add_gen_i(out, s[0]); }");
  const int n = 10000;
  auto *in = allocate<int>(n), *out = allocate<int>(1);
  std::iota(in, in + n, 0);
  launch("sum", {8}, {128}, Arguments().add(in).add(out).add(n), 512);
  EXPECT_EQ(*out, n * (n - 1) / 2);
}

TEST_F(PtxKernel, StructuresByValueConstantsAndFunctionCalls) {
  compile(
      "struct Shape { char kind; short a; double w[3]; int n; };\n__constant__ int table[4] = {10, "
      "20, 30, 40}; __device__ int calls = 5; __device__ int* where = &calls;\n"
      "__attribute__((noinline)) __device__ Shape grow(Shape s, int by) { s.n += by; s.w[by % 3] "
      "*= 2; s.a = -s.a; return s; }\n"
      "extern \"C\" __global__ void shape(double* out, Shape s, char tag) { int t = threadIdx_x; "
      "Shape r = grow(s, t); r = grow(r, 1); __nvvm_atom_add_gen_i(where, 1); out[t] = r.n + r.w[t "
      "% 3] + table[t & 3] + r.a + s.kind + tag; }");
  struct Shape {
    char kind;
    short a;
    double w[3];
    int n;
  } s{1, -7, {0.5, 1.5, 2.5}, 100};
  auto* out = allocate<double>(40);
  std::vector<std::uint8_t> block(48, 0);
  std::memcpy(&block[0], &out, 8);
  std::memcpy(&block[8], &s, sizeof s);
  block.push_back(3);
  ASSERT_EQ(module->find_entry("shape")->parameter_bytes, 49u);
  const auto grid = make_grid(*module, "shape", {1}, {40}, 0, block, memory);
  run_functional(*grid);
  for (int t = 0; t < 40; ++t) {
    const auto grow = [](Shape v, int by) {
      v.n += by;
      v.w[by % 3] *= 2;
      v.a = static_cast<short>(-v.a);
      return v;
    };
    const Shape r = grow(grow(s, t), 1);
    const int table[] = {10, 20, 30, 40};
    ASSERT_EQ(out[t], r.n + r.w[t % 3] + table[t & 3] + r.a + s.kind + 3) << t;
  }
  EXPECT_EQ(*reinterpret_cast<int*>(DeviceMemory::host(module->find_variable("calls")->address)),
            45);
  EXPECT_GT(grid->traits().registers_per_thread, 8u);
}

TEST_F(PtxKernel, PrintfGoesToStdoutInLaneOrder) {
  compile(
      "extern \"C\" __device__ int printf(const char*, ...);\nextern \"C\" __global__ void say(int "
      "k, const char* text) { int t = threadIdx_x; if (t < k) { int n = "
      "printf(\"%d|%5.2f|%s|%c|%lld|%x|%p|100%%\\n\", t, t * 0.5, text, 'a' + t, 1ll << 40, 255u, "
      "(void*)16); if (t == 0) printf(\"%d\\n\", n); } }");
  auto* text = allocate<char>(8);
  std::strcpy(text, "hello");
  testing::internal::CaptureStdout();
  launch("say", {1}, {32}, Arguments().add(3).add(text));
  EXPECT_EQ(
      testing::internal::GetCapturedStdout(),
      "0| 0.00|hello|a|1099511627776|ff|0x10|100%\n1| 0.50|hello|b|1099511627776|ff|0x10|100%\n2| "
      "1.00|hello|c|1099511627776|ff|0x10|100%\n43\n");
}

TEST_F(PtxKernel, AssertAndTrapNameThePlace) {
  compile(
      "extern \"C\" __device__ void __assertfail(const char*, const char*, unsigned, const char*, "
      "unsigned long);\n"
      "extern \"C\" __global__ void check(int k) { if (threadIdx_x == k) __assertfail(\"x > 0\", "
      "\"file.cu\", 12, \"check\", 1); }\n"
      "extern \"C\" __global__ void stop() { if (threadIdx_x == 3) __builtin_trap(); }");
  EXPECT_NE(error_of([&] {
              launch("check", {2}, {32}, Arguments().add(9));
            }).find("CTA (0,0,0) thread (9,0,0): file.cu:12: check: assertion `x > 0` failed"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              launch("stop", {1}, {32}, {});
            }).find("thread (3,0,0): the program executed trap"),
            std::string::npos);
  EXPECT_EQ(error_of([&] { launch("check", {1}, {8}, Arguments().add(9)); }), "");
}

TEST_F(PtxKernel, SameStatisticsWhetherCtasAreRecycledOrNot) {
  compile(
      "extern \"C\" __global__ void fill(int* out) { __shared__ int s[32]; int t = threadIdx_x; "
      "out[blockIdx_x * 32 + t] = s[t] + blockIdx_x; s[t] = 99; }");
  auto* out = allocate<int>(4 * 32);
  const auto grid = make_grid(*module, "fill", {4}, {32}, 0, Arguments().add(out).bytes(), memory);
  const auto first = grid->start_cta(0, {});  // stays alive: the others cannot take its buffers
  run_functional(*grid, 1);
  while (first->next(0) != nullptr) first->execute(0);
  for (int i = 0; i < 128; ++i) ASSERT_EQ(out[i], i / 32);
}

}  // namespace
}  // namespace warpmem::program::ptx
