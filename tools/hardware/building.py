# SPDX-License-Identifier: Apache-2.0
"""Programs built by nvcc with the timer of launches."""
import csv
import pathlib
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from problems import Problem

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COLUMNS = ["program", "source", "arguments"]
WRAPPED = ["main", "__cudaRegisterFunction", "cudaLaunchKernel", "cudaLaunchKernelExC",
           "__cudaGetKernel", "__cudaLaunchKernel"]  # fmt: skip


class Program:
    def __init__(self, name, source, arguments):
        self.name, self.source, self.arguments = name, ROOT / source, arguments.split()
        self.executable = self.problem = None


def listed(file, wanted):
    """The programs of a list, or those of its names that are wanted."""
    with open(file, newline="") as lines:
        rows = csv.reader(lines)
        if next(rows, None) != COLUMNS:
            raise Problem(f"{file}:1: allowed: {','.join(COLUMNS)}")
        programs = []
        for row in rows:
            if len(row) != len(COLUMNS):
                raise Problem(f"{file}:{rows.line_num}: {len(row)} columns, not {len(COLUMNS)}")
            programs.append(Program(*row))
    names = [program.name for program in programs]
    for name in wanted:
        if name not in names:
            raise Problem(f"{name}: not in {file}; allowed: {', '.join(names)}")
    return [program for program in programs if not wanted or program.name in wanted]


def version(nvcc):
    """The release that nvcc tells."""
    try:
        run = subprocess.run([nvcc, "--version"], capture_output=True, text=True)
    except OSError as error:
        raise Problem(f"{nvcc}: {error.strerror}; --nvcc names the compiler of CUDA") from error
    found = re.search(r"release ([\d.]+)", run.stdout)
    return found[1] if found else "unknown"


def build(nvcc, program, folder):
    """Builds a program, and tells of it what is wrong with it."""
    program.executable = folder / program.name
    command = [nvcc, "-O3", "-arch=native", program.source, HERE / "launch_timer.cu",
               "-o", program.executable,
               "-Xlinker", ",".join(f"--wrap={name}" for name in WRAPPED)]  # fmt: skip
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if run.returncode != 0:
        program.problem = f"{program.source} does not compile:\n{run.stdout}{run.stderr}"


def build_all(nvcc, programs, folder, jobs):
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda program: build(nvcc, program, folder), programs))
