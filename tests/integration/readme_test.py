# SPDX-License-Identifier: Apache-2.0
"""Runs every command that a page shows, in its order, and looks for the lines shown below it."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARPMEM = os.environ["WARPMEM"]


def sessions(text):
    """Yields (command, lines shown after it) of every line that starts with "$ " in a code
    block; a backslash at its end takes in the next line."""
    for block in re.findall(r"```\n(.*?)```", text, re.S):
        command, shown = None, []
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, shown
                command, shown = line[2:], []
            elif command:
                shown.append(line)
        if command:
            yield command, shown


class ReadmeTest(unittest.TestCase):
    def test_commands(self):
        self.check_page("README.md", 8)

    def test_own_unit(self):
        self.check_page("docs/own-unit.md", 8)

    def test_correlate(self):
        self.check_page("docs/correlate.md", 4)

    def test_explore(self):
        self.check_page("docs/explore.md", 0)

    def test_timeline(self):
        self.check_page("docs/timeline.md", 2)

    def test_per_instruction(self):
        self.check_page("docs/per-instruction.md", 2)

    def test_per_instance(self):
        self.check_page("docs/per-instance.md", 2)

    def test_waves(self):
        self.check_page("docs/waves.md", 2)

    def test_testbenches(self):
        self.check_page("tb/README.md", 5)

    def test_rtl(self):
        self.check_page("rtl/README.md", 4)

    def check_page(self, page, more_than):
        commands = list(sessions((ROOT / page).read_text()))
        self.assertGreater(len(commands), more_than)
        with tempfile.TemporaryDirectory() as folder:
            tools = pathlib.Path(folder) / "bin"
            tools.mkdir()
            (tools / "warpmem").symlink_to(WARPMEM)
            for name in ("configs", "workloads", "experiments", "examples", "rtl", "tb"):
                (pathlib.Path(folder) / name).symlink_to(ROOT / name)
            environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
            for command, shown in commands:
                with self.subTest(command=command):
                    result = subprocess.run(command, shell=True, cwd=folder, env=environment,
                                            capture_output=True, text=True, timeout=1800)
                    output = result.stdout + result.stderr
                    self.assertEqual(result.returncode, 0, output)
                    for line in shown:
                        self.assertIn(line, output)


if __name__ == "__main__":
    unittest.main()
