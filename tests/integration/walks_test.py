# SPDX-License-Identifier: Apache-2.0
"""The walks of docs/extending.md on a copy of the tree: what is added acts, and no more lines are
touched than the page says. Each prints the files that it added and the lines that it touched.

Only what a walk changes is compiled; the rest is linked from the build that is tested.
"""

import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from whole_runs import ROOT, assignments, warpmem

BUILD = pathlib.Path(os.environ["BUILD"])


def tracked(root):
    listed = subprocess.run(["git", "-C", root, "ls-files"], check=True, capture_output=True,
                            text=True)  # fmt: skip
    return [name for name in listed.stdout.splitlines() if (root / name).is_file()]


class WalkCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name) / "tree"
        self.files = tracked(ROOT)
        for name in self.files:
            target = self.tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)
        self.home = {"WARPMEM_HOME": str(self.tree)}

    def shell(self, command, cwd):
        result = subprocess.run(command, shell=isinstance(command, str), cwd=cwd,
                                capture_output=True, text=True)  # fmt: skip
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}{result.stderr}")

    def passes(self, *arguments, tool=None, **environment):
        if tool is None:
            result = warpmem(*arguments, env={**self.home, **environment})
        else:
            result = subprocess.run([tool, *arguments], capture_output=True, text=True,
                                    env={**os.environ, **self.home})  # fmt: skip
        self.assertEqual(result.returncode, 0, f"{arguments}\n{result.stdout}{result.stderr}")
        return result.stdout

    def changed(self, what, folders, lines):
        """Prints what the walk did to the tree, and holds it to the folders that may have new files
        and to the number of lines of old ones."""
        there = {str(path.relative_to(self.tree)) for path in self.tree.rglob("*")
                 if path.is_file() and "build" not in path.relative_to(self.tree).parts}
        added = sorted(there - set(self.files))
        touched = 0
        for name in self.files:
            old, new = (root / name for root in (ROOT, self.tree))
            if old.read_bytes() != new.read_bytes():
                diff = difflib.ndiff(*(path.read_text().splitlines() for path in (old, new)))
                touched += sum(line[0] in "+-" for line in diff)
        print(f"{what}: {len(added)} files added, {touched} lines touched")
        self.assertEqual({str(pathlib.Path(name).parent) for name in added}, set(folders))
        self.assertLessEqual(touched, lines)


class PartsTest(WalkCase):
    def test_parts_of_every_sort(self):
        """One file of one's own, compiled by the command of the page."""
        page = (self.tree / "docs" / "extending.md").read_text()
        command = re.search(r"^c\+\+ .* -o mine\.so$", page, re.M).group()
        own = self.tree / "mine"
        own.mkdir()
        shutil.copy(self.tree / "examples" / "own_parts" / "own_parts.cpp", own / "mine.cpp")
        folders = {"systemc": self.tree / "systemc", ".": self.tree,
                   "build/release/public": BUILD / "public"}  # fmt: skip
        command = re.sub(r"(?<=-I )\S+", lambda folder: str(folders[folder.group()]), command)
        self.shell(command, own)
        plugin = own / "mine.so"
        for key in ("l1d.replacement=mru", "l1d.mshr.kind=half", "l2.frontend.kind=in_order",
                    "sm.scheduler.policy=youngest", "dram.policy=fcfs_again"):
            self.passes("run", *assignments(["sm.count=1", key]), "-o", own / "run",
                        self.tree / "workloads" / "vectoradd.cu", "--", "500",
                        WARPMEM_PLUGINS=str(plugin))  # fmt: skip
            shutil.rmtree(own / "run")
        plugin.unlink()
        self.changed("replacement, miss handler, front end, schedulers", ["mine"], 0)


class WorkloadTest(WalkCase):
    def test_workload(self):
        """A file and its entry in the catalogue."""
        workloads = self.tree / "workloads"
        shutil.copy(workloads / "vectoradd.cu", workloads / "mine.cu")
        catalogue = workloads / "catalogue.yaml"
        entry = re.search(r"^vectoradd:\n(?:[ #].*\n)+", catalogue.read_text(), re.M).group()
        with catalogue.open("a") as file:
            file.write(entry.replace("vectoradd", "mine"))
        self.assertIn("mine", json.loads(self.passes("list", "workloads", "--json")))
        self.passes("run", workloads / "mine.cu", "-o", self.tree / "build" / "run", "--", "500")
        self.changed("workload", ["workloads"], len(entry.splitlines()))


class UnitTest(WalkCase):
    NAME = "my_steer"

    def test_unit(self):
        """Two folders: lockstep, proofs and planted faults know the unit by its description."""
        self.add_rtl()
        self.add_systemc()
        tool = self.built()
        self.assertIn("class, systemc and rtl agree",
                      self.passes("cosim", self.NAME, "--my-ways", "6", "--cycles", "1000",
                                  tool=tool))  # fmt: skip
        self.assertIn("proved", self.passes("formal", self.NAME, "--quick", tool=tool))
        self.changed("unit", [f"{f}/{self.NAME}" for f in ("systemc/units", "rtl")], 0)

    def add_rtl(self):
        old, new = (self.tree / "rtl" / name for name in ("htsma_steer", self.NAME))
        new.mkdir()
        for file in old.iterdir():
            text = file.read_text().replace(old.name, new.name)
            (new / file.name.replace(old.name, new.name)).write_text(text)

    def add_systemc(self):
        """Description, core, module and bench: HTSMA's under another name."""
        old, new = (self.tree / "systemc" / "units" / name for name in ("htsma_steer", self.NAME))
        new.mkdir()
        for part, text in (
            ("unit", """struct MySteerDescription : HtsmaSteerDescription {
  static constexpr const char* kName = "my_steer";
  static constexpr const char* kViewKey = "";
  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"WAYS", "ways", "--my-ways", "lines of a set", 1, 64}, size.ways);
  }
};
"""),
            ("core", "template <unsigned kWays> using MySteerCore = HtsmaSteerCore<kWays>;\n"),
            ("module",
             "template <unsigned kWays> using MySteerModule = HtsmaSteerModule<kWays>;\n"),
        ):
            (new / f"{self.NAME}_{part}.hpp").write_text(
                f'#pragma once\n#include "units/htsma_steer/htsma_steer_{part}.hpp"\n'
                f"namespace warpmem::units {{\n{text}}}\n")
        bench = (old / "htsma_steer_bench.cpp").read_text()
        for name in ("units/htsma_steer/htsma_steer", "cosim::htsma_steer",
                     "units::HtsmaSteerDescription"):  # fmt: skip
            self.assertIn(name, bench)
            mine = name.replace("htsma_steer", self.NAME).replace("HtsmaSteer", "MySteer")
            bench = bench.replace(name, mine)
        (new / f"{self.NAME}_bench.cpp").write_text(bench)

    def built(self):
        """Returns the tool with the unit in it."""
        cache = (BUILD / "CMakeCache.txt").read_text()
        settings = [f"-D{name}=" + re.search(rf"^{name}:\w+=(.*)$", cache, re.M).group(1)
                    for name in ("CMAKE_BUILD_TYPE", "WARPMEM_SANITIZE")]  # fmt: skip
        build = self.tree / "build"
        self.shell(["cmake", "-S", self.tree, "-B", build, "-G", "Ninja", *settings,
                    "-DCMAKE_UNITY_BUILD=OFF"], self.tree)  # fmt: skip
        objects = []
        for command in json.loads((build / "compile_commands.json").read_text()):
            file = pathlib.Path(command["file"])
            if file.name in (f"{self.NAME}_bench.cpp", "unit_benches.cpp", "proofs.cpp"):
                objects.append(build / re.search(r" -o (\S+) ", command["command"]).group(1))
                objects[-1].parent.mkdir(parents=True, exist_ok=True)
                self.shell(command["command"], build)
        self.assertEqual(len(objects), 3)
        program = "systemc/app/warpmem"
        links = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", "-s", program],
                               check=True, capture_output=True, text=True).stdout  # fmt: skip
        tool = build / "warpmem"
        link = links.strip().splitlines()[-1]
        link = link.replace(f" -o {program} ", f" {' '.join(map(str, objects))} -o {tool} ")
        self.assertIn(str(tool), link)
        self.shell(link, BUILD)
        return tool


if __name__ == "__main__":
    unittest.main()
