# SPDX-License-Identifier: Apache-2.0
"""Builds the project beside this file with its makefile, in a copy, and runs what comes out.

usage: project_test.py COMPILER CUDA_INCLUDE
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile


def main():
    compiler, include = sys.argv[1:]
    here = pathlib.Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "project"
        shutil.copytree(here, copy)
        subprocess.run(["make", "-C", copy, f"NVCC={compiler}", f"CUDA_INC={include}"], check=True)
        for name in ("app", "static_app"):
            output = subprocess.run([copy / name], cwd=copy, check=True, text=True,
                                    stdout=subprocess.PIPE).stdout
            lines = output.splitlines()
            print(output, end="")
            if lines != ["hello from block 0 of 8", "PASS"]:
                sys.exit(f"{name}: unexpected output")
        broken = copy / "src" / "broken.cu"
        broken.write_text("int main() { return missing; }\n")
        result = subprocess.run([compiler, broken, "-o", copy / "broken"], text=True,
                                stderr=subprocess.PIPE)
        closing = result.stderr.splitlines()[-1]
        if result.returncode == 0 or "broken.cu: does not compile" not in closing:
            sys.exit(f"a source with an error: status {result.returncode}, '{closing}'")


if __name__ == "__main__":
    main()
