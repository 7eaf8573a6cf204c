# SPDX-License-Identifier: Apache-2.0
"""`warpmem run FILE.cu` compiles once, and again when something that went into the program is
another one. A compiler in front of the real one counts."""

import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest

from whole_runs import SMALL, WARPMEM, assignments, warpmem

PROGRAM = """
#include <cstdio>
#include "number.hpp"
#ifndef ADDED
#define ADDED 0
#endif
__global__ void set(int* p) { *p = NUMBER + ADDED; }
int main() {
  int *p, n = 0;
  cudaMalloc(&p, sizeof n);
  set<<<1, 1>>>(p);
  cudaMemcpy(&n, p, sizeof n, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", n);
}
"""
COUNTING = '#!/bin/sh\necho >> "$COUNT"\nexec {} "$@"\n'


class KeptProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.count = self.folder / "count"
        tools = self.folder / "tools"
        tools.mkdir()
        clang = tools / "clang++-14"
        # A compiler cache's would look for the next one in PATH, and find this one.
        clang.write_text(COUNTING.format(shutil.which("clang++-14", path=os.defpath)))
        clang.chmod(0o755)
        self.environment = {
            "PATH": f"{tools}:{os.environ['PATH']}",
            "COUNT": str(self.count),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
        }
        self.source = self.folder / "program.cu"
        self.source.write_text(PROGRAM)
        self.write_number(1)

    def write_number(self, number):
        header = self.folder / "number.hpp"
        header.write_text(f"#define NUMBER {number}\n")
        # Older than the compilation, which would not be kept else.
        os.utime(header, (1e9 + number, 1e9 + number))
        os.utime(self.source, (1e9, 1e9))

    def run_it(self, *flags, environment=None):
        """Returns what the program says, and how often the compiler ran."""
        self.count.write_text("")
        result = warpmem(
            *("run", *assignments(SMALL), *flags, "-o", self.folder / "run", self.source),
            env={**self.environment, **(environment or {})},
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        return int(result.stdout), len(self.count.read_text())

    def test_no_room_for_it(self):
        """A limit on the size of files stands in for a full disk."""
        self.run_it()
        result = subprocess.run(
            [WARPMEM, "run", *assignments(SMALL), "-o", self.folder / "run", self.source],
            capture_output=True, text=True, env={**os.environ, **self.environment},
            restore_signals=False,  # Python ignores SIGXFSZ, and so does what it starts.
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertEqual(result.returncode, 2, result.stderr)
        program = self.folder / "run" / "program"
        self.assertEqual(
            result.stderr, f"warpmem: error: {program}: cannot be written: File too large\n")

    def test_is_compiled_when_something_changes(self):
        first, compilations = self.run_it()
        self.assertEqual(first, 1)
        self.assertGreater(compilations, 0)
        self.assertEqual(self.run_it(), (1, 0))
        self.assertEqual(self.run_it("--functional"), (1, 0))
        self.write_number(2)
        self.assertEqual(self.run_it(), (2, compilations))
        self.assertEqual(self.run_it(), (2, 0))
        self.assertEqual(self.run_it("--no-cache"), (2, compilations))
        self.assertEqual(self.run_it(environment={"CPATH": "/usr/share"}), (2, compilations))
        flags = {"NVCC_APPEND_FLAGS": "-DADDED=40 -arch=sm_70"}
        self.assertEqual(self.run_it(environment=flags), (42, compilations))
        self.assertEqual(self.run_it(environment=flags), (42, 0))

    def test_a_trace_is_made_of_it(self):
        self.run_it()
        self.count.write_text("")
        result = warpmem(
            *("trace", "convert", self.source, "-o", self.folder / "program.wmtrace"),
            env=self.environment,
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.count.read_text(), "")

    def test_what_is_deleted_or_broken_is_made_again(self):
        _, compilations = self.run_it()
        programs = self.folder / "cache" / "warpmem" / "programs"
        for file in programs.glob("*.program"):
            file.unlink()
        self.assertEqual(self.run_it(), (1, compilations))
        for file in programs.glob("*.json"):
            file.write_text("{")
        self.assertEqual(self.run_it(), (1, compilations))
        self.assertEqual(self.run_it(), (1, 0))

    def test_what_does_not_compile_is_not_kept(self):
        self.source.write_text("nonsense")
        for _ in range(2):
            result = warpmem("run", "-o", self.folder / "run", self.source, env=self.environment)
            self.assertEqual(result.returncode, 2)
            self.assertIn("does not compile", result.stderr)
            self.assertIn("NVCC_APPEND_FLAGS", result.stderr)


if __name__ == "__main__":
    unittest.main()
