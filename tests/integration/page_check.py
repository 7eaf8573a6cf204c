# SPDX-License-Identifier: Apache-2.0
"""Shared by tests of the pages that tools/validation writes."""

import os
import pathlib
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools/validation"


def check(tool, programs, *arguments):
    """What `tool --check` says of some programs of its page."""
    return subprocess.run(
        [sys.executable, TOOLS / tool, "--warpmem", os.environ["WARPMEM"], *arguments, "--check",
         *programs], capture_output=True, text=True)  # fmt: skip
