# SPDX-License-Identifier: Apache-2.0
"""Programs of others, started as systemc/base/process.hpp starts them: one that is missing or fails
is an error with its name and its Debian package (packages.txt)."""
import pathlib
import subprocess
import sys

PACKAGES = pathlib.Path(__file__).parent / "packages.txt"


def table(text):
    """Program -> package."""
    found = {}
    for line in text.splitlines():
        package, *programs = line.split("#")[0].split() or [""]
        found.update({program: package for program in programs})
    return found


def run(argv, allowed=(0,), **options):
    """subprocess.run, which ends this program with a message unless the status is allowed."""
    name = str(argv[0])
    package = table(PACKAGES.read_text()).get(name)
    try:
        done = subprocess.run(argv, **options)
    except FileNotFoundError:
        sys.exit(f"{name} is not installed: run 'apt-get install {package}'" if package
                 else f"{name}: no such program")  # fmt: skip
    if done.returncode in allowed:
        return done
    said = [part.decode() if isinstance(part, bytes) else part
            for part in (done.stdout, done.stderr) if part]  # fmt: skip
    end = (f"was ended by signal {-done.returncode}" if done.returncode < 0
           else f"ended with exit status {done.returncode}")  # fmt: skip
    origin = f" (Debian package {package})" if package else ""
    sys.exit(f"{name}{origin} {end}\n{''.join(said)[-4000:]}".rstrip())
