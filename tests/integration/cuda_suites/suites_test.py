# SPDX-License-Identifier: Apache-2.0
"""Projects in the style of the benchmark suites, built by their own makefiles: each checks itself
functionally, plainly started on the timed machine, and under `warpmem run`.

usage: suites_test.py PROJECT | api | errors | options      (environment: WARPMEM)
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))

from compiled_programs import CONFIG, KEYS, output_of  # noqa: E402

WARPMEM = os.environ["WARPMEM"]
# This is what a project's program is given, and what it prints before its verdict.
ARGUMENTS = {"rodinia": ["200"]}
BANNER = {"sdk": ['GPU Device 0: "warpmem" with compute capability 6.0', ""]}


def answer(option):
    return pathlib.Path(output_of(WARPMEM, "cc", option).strip())


def check_project(name, folder):
    copy = folder / name
    shutil.copytree(HERE / name, copy)
    lib = answer("--print-libdir")
    subprocess.run(["make", "-C", copy, f"NVCC={WARPMEM} cc", f"CUDA_DIR={lib.parent}",
                    f"CUDA_LIB={lib}", f"CUDA_INC={answer('--print-includedir')}"], check=True)
    arguments = ARGUMENTS.get(name, [])
    expected = "\n".join([*BANNER.get(name, []), "PASS", ""])
    for program in sorted(copy.glob("app*")):
        run = folder / f"{program.name}-run"
        assignments = [word for key in KEYS for word in ("--set", key)]
        outputs = {
            "functional": output_of(program, *arguments, WARPMEM_MODE="functional"),
            "timed": output_of(program, *arguments, WARPMEM_CONFIG=CONFIG,
                               WARPMEM_SET="\n".join(KEYS), WARPMEM_RUN_DIR=run),
            "warpmem run": output_of(WARPMEM, "run", "-c", CONFIG, *assignments, "-o",
                                     folder / f"{program.name}-tool", program, "--", *arguments),
        }
        for how, output in outputs.items():
            if output != expected:
                sys.exit(f"{program.name}, {how}: the program's output is\n{output}")
        totals = [json.loads((path / "stats.json").read_text())["total"]["stats"]
                  for path in (run, folder / f"{program.name}-tool")]
        if totals[0]["gpu.data.bytes_compared"] == 0:
            sys.exit(f"{program.name}: the data check compared nothing")
        if totals[0] != totals[1]:
            sys.exit(f"{program.name}: warpmem run and the plain program differ in statistics")


def check_api(folder):
    """Every function of CUDA's runtime is there, if only to say that it is not supported."""
    lines = (HERE / "runtime_api.txt").read_text().splitlines()
    names = [line for line in lines if not line.startswith("#")]
    source = folder / "names.c"
    source.write_text("".join(f"void {name}(void);\n" for name in names) + "void* table[] = {" +
                      ", ".join(f"(void*){name}" for name in names) + "};\nint main() {}\n")
    subprocess.run(["gcc", "-w", source, "-o", folder / "names", f"-L{answer('--print-libdir')}",
                    "-lcudart"], check=True)
    program = folder / "graph.cu"
    program.write_text("""#include <cstdio>
int main() {
  cudaGraph_t graph = nullptr;
  for (int i = 0; i < 2; ++i)
    if (cudaGraphDebugDotPrint(graph, "", 0) != cudaErrorNotSupported) return 1;
  return cudaGetLastError() != cudaErrorNotSupported;
}
""")
    output_of(WARPMEM, "cc", program, "-o", folder / "graph")
    result = subprocess.run([folder / "graph"], cwd=folder, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0 or result.stderr.count("cudaGraphDebugDotPrint is not") != 1:
        sys.exit(f"graph: exit status {result.returncode}, {result.stderr}")


def check_headers(folder):
    """The host's compilers read the headers, in C where they are for C, and bfloat16's alone."""
    include = f"-I{answer('--print-includedir')}"
    for name, text in (
        ("libraries.c", "#include <cublas.h>\n#include <cublas_v2.h>\n#include <cuda_fp16.h>\n"
                        "#include <cuda_bf16.h>\n"),
        ("driver.c", "#include <cuda.h>\nCUcomputemode mode = CU_COMPUTEMODE_PROHIBITED;\n"
                     "typedef CUresult CUDAAPI call(void);\nvoid CUDA_CB callback(void);\n"),
        ("bf16.cpp", "#include <cuda_bf16.h>\n"),
    ):
        source = folder / name
        source.write_text(text)
        subprocess.run(["gcc", include, "-c", source, "-o", source.with_suffix(".o")], check=True)


def check_errors(folder):
    """What goes wrong in a compilation is said with the user's own names."""
    (folder / "good.cu").write_text("int main() { return 0; }\n")
    (folder / "bad.cu").write_text("__global__ void k() {\n  missing = 1;\n}\nint main() {}\n")
    (folder / "dynamic.cu").write_text(
        "__global__ void a() {}\n__global__ void b() { a<<<1, 1>>>(); }\nint main() {}\n")
    (folder / "library.cu").write_text("#include <cublasLt.h>\nint main() {}\n")
    (folder / "part.cu").write_text("__global__ void k() {}\n")
    (folder / "undefined.cu").write_text("void elsewhere();\nint main() { elsewhere(); }\n")
    for arguments, parts in [
            (["bad.cu"], ["bad.cu:2:3: error:", "missing", "bad.cu: does not compile"]),
            (["dynamic.cu"], ["dynamic.cu:2:23: error: kernel 'a' is launched by device code",
                              "only the host launches kernels"]),
            (["library.cu"], ["cublasLt.h: warpmem has no cuBLASLt"]),
            (["undefined.cu"], ["elsewhere", "linking failed"]),
            (["part.cu"], ["error: no main() is in what is linked to a program; -c compiles"]),
            (["good.cu", "--frobnicate"], ["--frobnicate: no such option"]),
            (["good.cu", "-arch=sm_abc"], ["'sm_abc' is no GPU architecture"]),
            (["good.cu", "-lcusparse"], ["-lcusparse"]),
            (["-m32", "good.cu"], ["-m32: not supported"]),
            (["absent.cu"], ["absent.cu: no such file"])]:
        result = subprocess.run([WARPMEM, "cc", *arguments, "-o", "out"], cwd=folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        lacking = [part for part in parts if part not in result.stderr]
        if result.returncode == 0 or lacking or result.stdout:
            sys.exit(f"{arguments}: exit status {result.returncode}, lacks {lacking}:\n"
                     f"{result.stdout}{result.stderr}")


def check_options(folder):
    """Options change what a kernel does to the caches, and the driver has its own."""
    source = folder / "sum.cu"
    source.write_text("__global__ void sum(float* to, const volatile int* v, float4* from) {\n"
                      "  const float4 f = from[threadIdx.x];\n"
                      "  *to = f.x + f.y + f.z + f.w + *v;\n}\n")
    for options, parts in [([], ["ld.global.v4.f32", "ld.volatile.global"]),
                           (["-Xptxas", "-dlcm=cg"],
                            ["ld.global.cg.v4.f32", "ld.volatile.global"])]:
        output_of(WARPMEM, "cc", "-ptx", source, *options, "-o", folder / "sum.ptx")
        text = (folder / "sum.ptx").read_text()
        if any(part not in text for part in parts):
            sys.exit(f"{options}: none of {parts} in\n{text}")
    check_architectures(folder)
    check_openmp(folder)
    check_vector_atomics(folder)
    check_mixed_apis(folder)
    if "without effect" not in output_of(WARPMEM, "cc", "--help"):
        sys.exit("warpmem cc --help: does not say what has no effect")
    # Makefiles ask which release this is.
    if "release" not in output_of(WARPMEM, "cc", "--version"):
        sys.exit("warpmem cc --version: no release")


def check_architectures(folder):
    """The program is told the architecture that was asked for, of several the oldest, and runs on a
    device that has it."""
    source = folder / "arch.cu"
    source.write_text("#include <cstdio>\n__global__ void ask(int* out) {\n"
                      "#ifdef __CUDA_ARCH__\n  *out = __CUDA_ARCH__;\n#endif\n}\n"
                      "int main() {\n  int* out;\n  cudaDeviceProp p;\n"
                      "  cudaMallocManaged(&out, sizeof *out);\n  ask<<<1, 1>>>(out);\n"
                      "  cudaDeviceSynchronize();\n  cudaGetDeviceProperties(&p, 0);\n"
                      "  std::printf(\"%d %d.%d %d\", *out, p.major, p.minor,\n"
                      "              __CUDA_ARCH_LIST__);\n}\n")
    both = ["-gencode", "arch=compute_90,code=sm_90", "-gencode", "arch=compute_75,code=sm_75"]
    for options, expected in [(["-arch=sm_61"], "610 6.1 610"), (["-arch=sm_86"], "860 8.6 860"),
                              (["-arch=compute_90"], "900 9.0 900"), (both, "750 7.5 750"),
                              (["-arch=native"], "600 6.0 600"), (["-arch=sm_35"], "600 6.0 600")]:
        output_of(WARPMEM, "cc", source, *options, "-o", folder / "arch")
        told = output_of(folder / "arch", WARPMEM_MODE="functional")
        if told != expected:
            sys.exit(f"{options}: the program was told {told}")


def check_openmp(folder):
    """-fopenmp for the host compiler gives the linker OpenMP's functions."""
    source = folder / "openmp.cu"
    source.write_text("#include <omp.h>\n#include <cstdio>\n"
                      "int main() { std::printf(\"%d\", omp_get_max_threads() > 0); }\n")
    for option in (["-Xcompiler", "-fopenmp"], ["-Xcompiler=-fopenmp"]):
        output_of(WARPMEM, "cc", *option, source, "-o", folder / "openmp")
        if output_of(folder / "openmp", WARPMEM_MODE="functional") != "1":
            sys.exit(f"{option}: OpenMP has no threads")


def check_vector_atomics(folder):
    """Device code for sm_90 adds vectors of float; programs may have such functions themselves."""
    add = "__device__ float2 atomicAdd(float2* p, float2 v) { p->x += v.x; return v; }\n"
    program = ("#include <cstdio>\n{own}__global__ void sum(float4* p, float2* q) {{\n"
               "  atomicAdd(q, make_float2(1.0f, 2.0f));\n  {four}\n}}\nint main() {{\n"
               "  float4* p;\n  cudaMallocManaged(&p, 2 * sizeof *p);\n"
               "  p[0] = p[1] = make_float4(0, 0, 0, 0);\n"
               "  sum<<<1, {threads}>>>(p, reinterpret_cast<float2*>(p + 1));\n"
               "  cudaDeviceSynchronize();\n"
               "  std::printf(\"%g %g %g %g\", p[0].x, p[0].w, p[1].x, p[1].y);\n}}\n")
    four = "float4 was = atomicAdd(p, make_float4(1, 2, 3, 4));\n  if (was.x > 63) p[0].x = -1;"
    for arch, own, rest, threads, expected in [("sm_90", "", four, 64, "64 256 64 128"),
                                               ("sm_70", add, "", 1, "0 0 1 0")]:
        source = folder / "vectors.cu"
        source.write_text(program.format(own=own, four=rest, threads=threads))
        output_of(WARPMEM, "cc", f"-arch={arch}", source, "-o", folder / "vectors")
        told = output_of(folder / "vectors", WARPMEM_MODE="functional")
        if told != expected:
            sys.exit(f"{arch}: sums of vectors are {told}")


def check_mixed_apis(folder):
    """The runtime API's calls give a thread the primary context, before cuInit and after it."""
    source = folder / "mixed.cu"
    source.write_text("#include <cuda.h>\n#include <cstdio>\n#include <thread>\n"
                      "static int known(bool after) {\n  CUcontext now = nullptr, kept;\n"
                      "  cuCtxGetCurrent(&now);\n  const bool before = now != nullptr;\n"
                      "  if (after) cudaFree(0);\n  cuCtxGetCurrent(&now);\n"
                      "  cuDevicePrimaryCtxRetain(&kept, 0);\n"
                      "  CUdeviceptr p;\n"
                      "  const bool usable = cuMemAlloc(&p, 4) == CUDA_SUCCESS;\n"
                      "  return before * 4 + (now == kept) * 2 + usable;\n}\n"
                      "int main(int count, char**) {\n  if (count == 1) cudaFree(0);\n"
                      "  cuInit(0);\n"
                      "  std::printf(\"%d\", known(count != 1));\n"
                      "  std::thread([] { std::printf(\"%d\", known(false)); }).join();\n}\n")
    output_of(WARPMEM, "cc", source, "-o", folder / "mixed", "-lcuda")
    for words, expected in [([], "70"), (["late"], "30")]:
        told = output_of(folder / "mixed", *words, WARPMEM_MODE="functional")
        if told != expected:
            sys.exit(f"mixed {words}: contexts are {told}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        checks = {"api": check_api, "headers": check_headers, "errors": check_errors,
                  "options": check_options}
        what = sys.argv[1]
        if what in checks:
            checks[what](folder)
        else:
            check_project(what, folder)


if __name__ == "__main__":
    main()
