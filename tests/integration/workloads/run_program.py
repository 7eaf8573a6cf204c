# SPDX-License-Identifier: Apache-2.0
"""Compiles a CUDA program and runs it; passes when each run prints PASS and exits with 0.

usage: run_program.py COMPILER SOURCE [OPTION...] [-- [ARGUMENT...]]...

Each -- begins the arguments of one run; without any the program runs once without arguments.
"""

import pathlib
import subprocess
import sys
import tempfile


def split(words):
    """Returns the words before the first --, and one list for each --."""
    groups = [[]]
    for word in words:
        if word == "--":
            groups.append([])
        else:
            groups[-1].append(word)
    return groups[0], groups[1:] or [[]]


def main():
    (compiler, source, *options), runs = split(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        subprocess.run([compiler, *options, source, "-o", program], check=True)
        for arguments in runs:
            result = subprocess.run([program, *arguments], cwd=folder, text=True,
                                    stdout=subprocess.PIPE)
            print(f"arguments {arguments}:\n{result.stdout}", end="")
            if result.returncode != 0 or "PASS" not in result.stdout.splitlines():
                sys.exit(f"{source} {arguments}: exit status {result.returncode}, no PASS")


if __name__ == "__main__":
    main()
