# SPDX-License-Identifier: Apache-2.0
"""Parts of the machine that a plugin adds: they are chosen by name, they act, and a plugin that
cannot be used is one message."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from whole_runs import CHECKED, CONFIG, ROOT, SMALL, assignments, compiled, warpmem

PLUGIN = os.environ["OWN_PARTS"]
FAULTY = os.environ["FAULTY_PARTS"]
TRACE = pathlib.Path(__file__).parents[1] / "data" / "traces" / "saxpy"

NO_PART = ": its function returned no part"
INT = ": an exception of type int was thrown; allowed: those derived from std::exception"
# Keys that choose a faulty part, and what is said of it.
WRONG = {
    "l1d.replacement=no_part": "'no_part'" + NO_PART,
    "l1d.mshr.kind=no_part": "'no_part'" + NO_PART,
    "l1d.frontend.kind=no_part": "'no_part'" + NO_PART,
    "sm.scheduler.policy=no_part": "'no_part'" + NO_PART,
    "dram.policy=no_part": "'no_part'" + NO_PART,
    "l1d.replacement=fails": "'fails'" + INT,
    "l2.replacement=other_victim":
        r"'other_victim': victim\(\) of set [0-9]+ answers way 1000; allowed: [0-9]+(, [0-9]+)*",
    "l2.replacement=no_victim": "'no_victim': the oldest line is nowhere",
    "sm.scheduler.policy=other_warp":
        r"'other_warp': pick\(\) answers warp slot 64; allowed: [0-9]+(, [0-9]+)*",
    "sm.scheduler.policy=no_warp": "'no_warp'" + INT,
    "dram.policy=other_slot":
        r"'other_slot': choose\(\) answers slot 1000, in which no request waits; allowed: .*",
    "dram.policy=too_early":
        r"'too_early': choose\(\) answers RD at cycle 0 for the request in slot [0-9]+; "
        "allowed: RD from cycle [0-9]+ on",
}


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
        result = warpmem("run", *assignments(["l1d.replacement=mru"]), "-o", self.folder / "run",
                         TRACE, env={"WARPMEM_PLUGINS": PLUGIN})  # fmt: skip
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

    def test_other_headers(self):
        """A plugin of the same version whose headers were others."""
        other = self.folder / "other.so"
        content = pathlib.Path(PLUGIN).read_bytes()
        own = re.search(rb"[0-9a-f]{64}(?=\0)", content).group()
        self.assertEqual(len(own), 64)
        other.write_bytes(content.replace(own, b"0" * 64))
        self.assertIn("built with other headers of warpmem 0.1.0 than this was; build it again",
                      self.refused("config", "--dump", plugins=other))  # fmt: skip

    def test_hash_of_headers(self):
        """It follows their text and their names."""
        def hash_of(text, name="one.hpp"):
            (self.folder / name).write_text(text)
            (self.folder / "list").write_text(f"{self.folder / name}\n")
            subprocess.run(["cmake", f"-DLIST={self.folder / 'list'}", f"-DROOT={self.folder}",
                            f"-DOUTPUT={self.folder / 'hash.hpp'}", "-P",
                            ROOT / "cmake" / "header_hash.cmake"], check=True)  # fmt: skip
            return re.search("[0-9a-f]{64}", (self.folder / "hash.hpp").read_text()).group()

        first = hash_of("int a;\n")
        self.assertEqual(hash_of("int a;\n"), first)
        self.assertNotEqual(hash_of("int b;\n"), first)
        self.assertNotEqual(hash_of("int a;\n", "two.hpp"), first)


class FaultyPartsTest(unittest.TestCase):
    def wrong(self, *keys):
        """Returns what a run with faulty parts says."""
        with tempfile.TemporaryDirectory() as folder:
            result = warpmem("run", *assignments(["sm.count=1", "memory.partitions=1",
                                                  "l2.size=2KiB", "l2.ways=2", *keys]),
                             "-o", f"{folder}/run", compiled("atax"), "--", "96",
                             env={"WARPMEM_PLUGINS": FAULTY})  # fmt: skip
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr

    def test_wrong_answers(self):
        for key, said in WRONG.items():
            with self.subTest(key=key):
                self.assertRegex(self.wrong(key),
                                 f"^warpmem: error: {re.escape(FAULTY)}: added kind {said}\n$")

    def test_part_without_a_guard(self):
        """Front ends and miss handlers are called without one; the module and the plugin stand."""
        self.assertRegex(self.wrong("l1d.frontend.kind=throwing"),
                         rf"gpu[.]memory[.]l1d0{INT} \(plugins: {re.escape(FAULTY)}\)\n$")


if __name__ == "__main__":
    unittest.main()
