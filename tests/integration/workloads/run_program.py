# SPDX-License-Identifier: Apache-2.0
"""Compiles a CUDA program and runs it; passes when it prints PASS and exits with 0.

usage: run_program.py COMPILER SOURCE... [-- ARGUMENT...]

Arguments before -- go to the compiler, those behind it to the program.
"""

import pathlib
import subprocess
import sys
import tempfile


def main():
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    compiler, *sources = words[:split]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        subprocess.run([compiler, *sources, "-o", program], check=True)
        result = subprocess.run([program, *words[split + 1:]], cwd=folder, text=True,
                                stdout=subprocess.PIPE)
    print(result.stdout, end="")
    if result.returncode != 0 or "PASS" not in result.stdout.splitlines():
        sys.exit(f"{sources[0]}: exit status {result.returncode}, no PASS")


if __name__ == "__main__":
    main()
