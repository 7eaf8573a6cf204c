# SPDX-License-Identifier: Apache-2.0
"""A program on the card."""
import os
import subprocess

from problems import Problem


def run(program, environment=None, before=(), timeout=None):
    """Runs it, perhaps behind other words, and returns its standard output."""
    command = [*before, str(program.executable), *program.arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout,
                              env={**os.environ, **(environment or {})})  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise Problem(f"{program.name}: not at its end after {timeout:g} s (--timeout)") from error
    if done.returncode != 0:
        # What a program says of itself stands before what a tool says of it.
        lines = (done.stderr or done.stdout).strip().splitlines()
        last = lines[-1] if lines else "no word"
        raise Problem(f"{program.name}: exit status {done.returncode}: {last}")
    return done.stdout
