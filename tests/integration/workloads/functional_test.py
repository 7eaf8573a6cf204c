# SPDX-License-Identifier: Apache-2.0
"""Runs a workload without a machine; passes when each run prints PASS and exits with 0.

usage: functional_test.py SOURCE -- [ARGUMENT...] [-- [ARGUMENT...]]...

Each -- begins the arguments of one run.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from run_program import split

WARPMEM = os.environ["WARPMEM"]
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import compiled_programs  # noqa: E402


def main():
    (source,), runs = split(sys.argv[1:])
    program = compiled_programs.of_build(WARPMEM).get(pathlib.Path(source))
    for arguments in runs:
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run(
                [WARPMEM, "run", "--functional", "-o", pathlib.Path(folder) / "run", program, "--",
                 *arguments], stdout=subprocess.PIPE, text=True)
        print(f"arguments {arguments}:\n{result.stdout}", end="")
        if result.returncode != 0 or "PASS" not in result.stdout.splitlines():
            sys.exit(f"{source} {arguments}: exit status {result.returncode}, no PASS")


if __name__ == "__main__":
    main()
