# SPDX-License-Identifier: Apache-2.0
"""Parts of the machine that a plugin adds: they are chosen by name, they act, and a plugin that
cannot be used is one message."""

import json
import os
import pathlib
import tempfile
import unittest

from whole_runs import CHECKED, CONFIG, SMALL, assignments, compiled, warpmem

PLUGIN = os.environ["OWN_PARTS"]


class PluginTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_atax(self, *keys, plugins=PLUGIN, tool_arguments=()):
        """Returns (statistics, manifest) of a checked run with a small L1D."""
        folder = self.folder / "run"
        settings = assignments([*SMALL, *CHECKED, "l1d.size=4096", *keys])
        result = warpmem("run", "-c", CONFIG, *settings, *tool_arguments, "-o", folder,
                         compiled("atax"), "--", "96",
                         env={"WARPMEM_PLUGINS": plugins})  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        return ((folder / "stats.json").read_text(),
                json.loads((folder / "manifest.json").read_text()))  # fmt: skip

    def refused(self, *arguments, plugins=PLUGIN):
        result = warpmem(*arguments, env={"WARPMEM_PLUGINS": str(plugins)})
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr

    def test_each_part_acts(self):
        base, manifest = self.run_atax()
        self.assertEqual(manifest["plugins"][0]["file"], PLUGIN)
        self.assertRegex(manifest["plugins"][0]["hash"], "^[0-9a-f]{64}$")
        for key in ("l1d.replacement=mru", "sm.scheduler.policy=youngest"):
            with self.subTest(key=key):
                other, _ = self.run_atax(key)
                self.assertNotEqual(other, base)
                self.assertEqual(self.run_atax(key, tool_arguments=["--tick-all"])[0], other)
                self.assertEqual(self.run_atax(key, "reverse_construction=true")[0], other)

    def test_same_part_same_statistics(self):
        """What a plugin makes of the tree's own classes is what the tree makes of them."""
        self.assertEqual(self.run_atax()[0], self.run_atax("l2.frontend.kind=in_order")[0])
        half, _ = self.run_atax("l1d.mshr.kind=half", "l1d.mshr.entries=32")
        self.assertEqual(half, self.run_atax("l1d.mshr.kind=conventional",
                                             "l1d.mshr.entries=16")[0])  # fmt: skip
        self.assertNotEqual(half, self.run_atax("l1d.mshr.kind=conventional",
                                                "l1d.mshr.entries=32")[0])  # fmt: skip
        self.assertEqual(self.run_atax("dram.policy=fcfs")[0],
                         self.run_atax("dram.policy=fcfs_again")[0])  # fmt: skip

    def test_kernel_between_edges(self):
        """With a plugin the SystemC kernel is called at each edge, and without it is left out."""
        self.assertEqual(self.run_atax()[0], self.run_atax(plugins="")[0])
        moved = ["uvm.enable=true", "uvm.manage_all=true", "uvm.oversubscription=1.25"]
        for keys in ([], ["uvm.move_ahead=true"]):
            with self.subTest(keys=keys):
                self.assertEqual(self.run_atax(*moved, *keys)[0],
                                 self.run_atax(*moved, *keys, plugins="")[0])  # fmt: skip

    def test_trace(self):
        """The tool itself simulates a trace."""
        trace = pathlib.Path(__file__).parents[1] / "data" / "traces" / "saxpy"
        result = warpmem("run", *assignments(["l1d.replacement=mru"]), "-o", self.folder / "run",
                         trace, env={"WARPMEM_PLUGINS": PLUGIN})  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_configuration(self):
        text = warpmem("config", "--explain", "l1d.replacement",
                       env={"WARPMEM_PLUGINS": PLUGIN})  # fmt: skip
        self.assertIn("mru", text.stdout)
        self.assertIn("allowed: lru, plru, srrip, random, mru; did you mean mru?",
                      self.refused("config", "--set", "l1d.replacement=mrv", "--dump"))  # fmt: skip

    def test_not_loaded(self):
        message = self.refused("config", "--set", "l1d.replacement=mru", "--dump", plugins="")
        self.assertIn("allowed: lru, plru, srrip, random", message)

    def test_unusable_files(self):
        missing = self.folder / "missing.so"
        self.assertIn("missing.so", self.refused("config", "--dump", plugins=missing))
        text = self.folder / "text.so"
        text.write_text("no object\n")
        self.assertIn("cannot be loaded", self.refused("config", "--dump", plugins=text))
        library = "/lib/x86_64-linux-gnu/libz.so.1"
        self.assertIn("not a plugin", self.refused("config", "--dump", plugins=library))
        twice = f"{PLUGIN}:{self.other_copy()}"
        self.assertIn("the name is taken", self.refused("config", "--dump", plugins=twice))

    def other_copy(self):
        copy = self.folder / "copy.so"
        copy.write_bytes(pathlib.Path(PLUGIN).read_bytes())
        return copy

    def test_another_version(self):
        old = self.folder / "old.so"
        content = pathlib.Path(PLUGIN).read_bytes()
        self.assertIn(b"0.1.0\0", content)
        old.write_bytes(content.replace(b"0.1.0\0", b"0.0.9\0"))
        self.assertIn("built for warpmem 0.0.9, this is 0.1.0; build it again",
                      self.refused("config", "--dump", plugins=old))  # fmt: skip


if __name__ == "__main__":
    unittest.main()
