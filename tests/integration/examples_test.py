# SPDX-License-Identifier: Apache-2.0
"""The projects of examples/ against the installed library.

usage: examples_test.py install|memory_only|NAME      with WARPMEM_BUILD, the folder of the build

`install` installs the build below itself, headers with all that they include; NAME configures,
builds and runs that example with it and looks for the lines of its expected.txt in what it prints.
`memory_only` does both for the library of the memory system alone, built file by file: a header
that lacks what it uses shows there.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
BUILD = pathlib.Path(os.environ["WARPMEM_BUILD"])
WORK = BUILD / "tests" / "examples"
PREFIX = WORK / "installed"
RUN = WORK / "own_parts_run"
# The commands of an example that has more than a program of its own name.
COMMANDS = {"own_parts": [[BUILD / "systemc" / "app" / "warpmem", "run", "-o", RUN,
                           "--set", "l1d.replacement=mru", "--set", "sm.scheduler.policy=youngest",
                           ROOT / "workloads" / "vectoradd.cu", "--", "2000"],
                          ["/bin/cat", RUN / "config.yaml"]],
            "initiator": [["initiator"],
                          ["initiator", "{prefix}/share/warpmem/configs/gu-dlmshr.yaml"]],
            "own_memory": [["own_memory"],
                           ["own_memory_gpu", EXAMPLES / "own_memory" / "vectoradd.ptx"]]}


def run(*command, **options):
    """Its output; ends the test with that when it fails."""
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command)}: exit status {result.returncode}\n"
                 f"{result.stdout}")
    return result.stdout


def install():
    shutil.rmtree(PREFIX, ignore_errors=True)
    run("cmake", "--install", BUILD, "--prefix", PREFIX)
    headers = {path.relative_to(PREFIX) for path in PREFIX.rglob("*.hpp")}
    for needed in ("memory/memory_system.hpp", "gpu/machine.hpp", "program/ptx/module.hpp"):
        if pathlib.Path("include/warpmem", needed) not in headers:
            sys.exit(f"{needed} is not installed")
    lacking = [f"{path}: {name}" for path in headers
               for name in re.findall(r'^#include "([^"]+)"', (PREFIX / path).read_text(), re.M)
               if pathlib.Path("include/warpmem", name) not in headers]
    if lacking:
        sys.exit("installed without what they include:\n" + "\n".join(sorted(lacking)))


def memory_only():
    build, prefix = WORK / "memory_only_build", WORK / "memory_only"
    for folder in (build, prefix):
        shutil.rmtree(folder, ignore_errors=True)
    run("cmake", "-S", ROOT, "-B", build, "-DWARPMEM_MEMORY_ONLY=ON", "-DCMAKE_CXX_FLAGS=-O0")
    run("cmake", "--build", build)
    run("cmake", "--install", build, "--prefix", prefix)
    example("initiator", prefix)
    shutil.rmtree(build)


def example(name, prefix=PREFIX):
    folder = WORK / f"{name}_with_{prefix.name}"
    shutil.rmtree(folder, ignore_errors=True)
    run("cmake", "-S", EXAMPLES / name, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wno-unused-parameter -Werror")
    run("cmake", "--build", folder)
    plugin = folder / f"{name}.so"
    environment = {**os.environ, **({"WARPMEM_PLUGINS": str(plugin)} if plugin.exists() else {})}
    output = "".join(run(folder / program, *(str(word).format(prefix=prefix) for word in arguments),
                         env=environment)
                     for program, *arguments in COMMANDS.get(name, [[name]]))
    expected = (EXAMPLES / name / "expected.txt").read_text().splitlines()
    missing = [line for line in expected if line not in output]
    if missing or not expected:
        sys.exit(f"{name} does not print {missing}, but:\n{output}")
    print(output)


def main():
    if sys.argv[1] == "install":
        install()
    elif sys.argv[1] == "memory_only":
        memory_only()
    else:
        example(sys.argv[1])


if __name__ == "__main__":
    main()
