# SPDX-License-Identifier: Apache-2.0
"""Programs built against the toolkit that `warpmem toolkit` makes: each prints PASS, functionally
and on a machine with the data check.

usage: toolkit_test.py FOLDER | folder | thrust | cub | libcxx, with a FOLDER beside this file
       (environment: WARPMEM)
"""

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
# The variable by which a makefile is told of the toolkit.
VARIABLES = {"habits": "CUDA_PATH", "groups": "CUDA_INSTALL_PATH", "libraries": "CUDA_HOME",
             "runtime": "CUDA_DIR", "driver": "CUDA_ROOT", "language": "TOOLKIT",
             "textures": "CUDAHOME", "numbers": "CUDA"}


def make_toolkit(folder):
    toolkit = folder / "cuda"
    output_of(WARPMEM, "toolkit", toolkit)
    return toolkit


def check(program, timed=(), functional=()):
    run_folder = program.parent / f"{program.name}-run"  # other tests write beside them
    for settings, arguments in [
            ({"WARPMEM_MODE": "functional"}, functional),
            ({"WARPMEM_CONFIG": CONFIG, "WARPMEM_SET": "\n".join(KEYS),
              "WARPMEM_RUN_DIR": run_folder}, timed)]:
        output = output_of(program, *arguments, **settings)
        if output != "PASS\n":
            sys.exit(f"{program.name}, {settings}: the program's output is\n{output}")


def check_makefile(name, folder):
    toolkit = make_toolkit(folder)
    copy = folder / name
    shutil.copytree(HERE, folder, dirs_exist_ok=True)
    output_of("make", "-C", copy, f"{VARIABLES[name]}={toolkit}")
    programs = [file for file in sorted(copy.iterdir())
                if file.is_file() and not file.suffix and os.access(file, os.X_OK)]
    if not programs:
        sys.exit(f"{name}: no programs")
    for program in programs:
        check(program)


def check_cmake(folder):
    toolkit = make_toolkit(folder)
    output_of("cmake", "-S", HERE / "cmake", "-B", folder / "build", "-G", "Unix Makefiles",
              f"-DCMAKE_CUDA_COMPILER={toolkit}/bin/nvcc", "-DCMAKE_CUDA_ARCHITECTURES=70")
    output_of("make", "-C", folder / "build")
    check(folder / "build" / "app")


def check_thrust(folder):
    """A million elements; without a machine, since that is a matter of the headers."""
    program = folder / "thrust"
    output_of(make_toolkit(folder) / "bin" / "nvcc", "-O2", "-w", HERE / "thrust.cu", "-o", program)
    if output_of(program, WARPMEM_MODE="functional") != "PASS\n":
        sys.exit("thrust: no PASS")


def check_cub(folder):
    """Some ten thousand elements; few on the machine."""
    program = folder / "cub"
    output_of(make_toolkit(folder) / "bin" / "nvcc", "-O2", "-w", HERE / "cub.cu", "-o", program)
    check(program, timed=["4096"], functional=["50000"])


def check_libcxx(folder):
    """Before sm_80 its barriers are counters that threads look at."""
    program = folder / "libcxx"
    nvcc = make_toolkit(folder) / "bin" / "nvcc"
    for arch in ("sm_70", "sm_80"):
        output_of(nvcc, "-O2", "-std=c++17", f"-arch={arch}", HERE / "libcxx.cu", "-o", program)
        check(program)


def check_folder(folder):
    """The folder is made anew, nothing else is overwritten, and nvcc says what it is."""
    toolkit = make_toolkit(folder)
    make_toolkit(folder)
    version = output_of(toolkit / "bin" / "nvcc", "--version")
    for word in ("nvcc: NVIDIA (R) Cuda compiler driver", "release 11.5, V11.5.0", "warpmem cc"):
        if word not in version:
            sys.exit(f"nvcc --version: no '{word}' in\n{version}")
    for place in ("lib64/libcudart.so", "lib64/libcublas.so", "include/cuda_runtime.h",
                  "version.json"):
        if not (toolkit / place).exists():
            sys.exit(f"{place} is missing")
    other = folder / "other"
    other.mkdir()
    (other / "file").write_text("mine")
    result = subprocess.run([WARPMEM, "toolkit", other], text=True, stderr=subprocess.PIPE)
    if result.returncode != 2 or "is no toolkit of warpmem's" not in result.stderr:
        sys.exit(f"a folder of another's: exit status {result.returncode}, {result.stderr}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        what = sys.argv[1]
        if what in VARIABLES:
            check_makefile(what, folder)
        else:
            {"cmake": check_cmake, "folder": check_folder, "thrust": check_thrust,
             "cub": check_cub, "libcxx": check_libcxx}[what](folder)


if __name__ == "__main__":
    main()
