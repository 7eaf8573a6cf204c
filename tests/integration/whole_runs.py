# SPDX-License-Identifier: Apache-2.0
"""Shared by tests of whole runs: the tool, small sizes, workloads compiled once, a run's folder."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import compiled_programs  # noqa: E402

WARPMEM = os.environ["WARPMEM"]
CONFIG = ROOT / "configs" / "gu-dlmshr.yaml"

# Small sizes: the point is coverage of mechanisms, not of data.
WORKLOADS = {
    "vectoradd": ["20000"],
    "atax": ["96"],
    "transpose": ["96"],
    "reduction": ["20000"],
    "histogram": ["20000"],
    "bfs": ["1500"],
}
# Eight SMs and four partitions keep the contention and halve the time.
SMALL = ["sm.count=8", "memory.partitions=4"]
HANDLERS = ["conventional", "set_associative", "dl", "tsma", "htsma"]
CHECKED = ["check_data=true", "check_protocol=true"]


def warpmem(*arguments, env=None, cwd=None):
    return subprocess.run(
        [WARPMEM, *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        timeout=1800,
    )


def assignments(keys):
    out = []
    for key in keys:
        out += ["--set", key]
    return out


PROGRAMS = compiled_programs.of_build(WARPMEM)


def compiled(name):
    """Returns the program of workloads/NAME.cu; `name` is NAME."""
    return PROGRAMS.get(ROOT / "workloads" / f"{name}.cu")


def run(name, keys, arguments, out, config=CONFIG, flags=()):
    return warpmem(
        *("run", "-c", config, *assignments(keys), *flags, "-o", out),
        *(compiled(name), "--", *arguments),
    )


class CompiledProgram(unittest.TestCase):
    """Tests of one CUDA program, `text`, which is compiled once into a folder of the class."""

    text = ""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        source = pathlib.Path(cls.folder.name) / f"{cls.__name__}.cu"
        source.write_text(cls.text)
        cls.program = source.with_suffix("")
        result = warpmem("cc", source, "-o", cls.program)
        assert result.returncode == 0, result.stderr


class RunTest(unittest.TestCase):
    """This is what the groups below share: one run in a folder of its own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_workload(self, name, keys, label="run", flags=(), arguments=None):
        out = pathlib.Path(self.folder.name) / label
        arguments = arguments or WORKLOADS[name]
        result = run(name, [*SMALL, *keys], arguments, out, flags=flags)
        self.assertEqual(result.returncode, 0, f"{name} {keys}\n{result.stdout}{result.stderr}")
        self.assertIn("PASS", result.stdout)
        return (out / "stats.json").read_bytes()


class ChangedRtl(RunTest):
    """Makes an installation whose RTL says something else; the rest is this one's."""

    def setUp(self):
        super().setUp()
        self.home = pathlib.Path(self.folder.name) / "home"
        self.home.mkdir()
        for entry in ROOT.iterdir():
            if entry.name not in (".git", "build", "rtl"):
                (self.home / entry.name).symlink_to(entry)
        shutil.copytree(ROOT / "rtl", self.home / "rtl")

    def replace(self, file, old, new):
        path = self.home / "rtl" / file
        text = path.read_text()
        self.assertEqual(text.count(old), 1, old)
        path.write_text(text.replace(old, new))

    def warpmem(self, *arguments):
        """Runs that installation in its own folder, where what it leaves goes."""
        return warpmem(*arguments, env={"WARPMEM_HOME": str(self.home)}, cwd=self.home)
