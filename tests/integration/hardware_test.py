# SPDX-License-Identifier: Apache-2.0
"""tools/hardware with warpmem in the place of a card: its compiler is nvcc, its simulated time that
of the events. nvidia-smi and ncu answer what they once answered."""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from whole_runs import CONFIG, ROOT, WARPMEM, warpmem

TOOL = ROOT / "tools" / "hardware" / "measure.py"
NVCC = f"""#!/bin/sh
if [ "$1" = --version ]; then
  echo 'Cuda compilation tools, release 12.4, V12.4.131'
  exit
fi
exec {WARPMEM} cc "$@"
"""
SMI = """#!/bin/sh
echo 'NVIDIA H200, 550.54.15, 1980, 3201, 1980'
"""
NCU = """#!/bin/sh
while [ "$1" != --log-file ]; do shift; done
log=$2
shift 2
"$@" || exit
name=$(basename "$1")
cat > "$log" <<END
==PROF== Connected to process 17
"ID","Process ID","Process Name","Kernel Name","sm__cycles_elapsed.max"
"","","","","cycle"
"0","17","$name","$name(float const*, float const*, float*, int)","4,321"
END
"""
NCU_REFUSED = """#!/bin/sh
while [ "$1" != --log-file ]; do shift; done
echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission' > "$2"
exit 1
"""
PROGRAMS = """program,source,arguments
vectoradd,workloads/vectoradd.cu,2000
chase_l1d,workloads/micro/chase.cu,l1d 16 128
"""


class HardwareTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.put("programs.csv", PROGRAMS)
        for name, text in (("nvcc", NVCC), ("smi", SMI), ("ncu", NCU), ("refused", NCU_REFUSED)):
            self.put(name, text).chmod(0o755)

    def put(self, name, text):
        file = self.folder / name
        file.write_text(text)
        return file

    def measure(self, *more, **tools):
        tools = {"list": "programs.csv", "nvcc": "nvcc", "smi": "smi", "ncu": "ncu", **tools}
        flags = [word for name, file in tools.items() for word in (f"--{name}", self.folder / file)]
        return subprocess.run(
            [sys.executable, TOOL, "-o", self.folder / "out", *flags, *map(str, more)],
            capture_output=True,
            text=True,
            env={"PATH": "/usr/bin:/bin", "WARPMEM_CONFIG": str(CONFIG)},
        )

    def rows(self, name):
        """Returns (notes, rows) of a file of results."""
        lines = (self.folder / "out" / name).read_text().splitlines()
        notes = [line for line in lines if line.startswith("#")]
        return notes, list(csv.DictReader(lines[len(notes):]))  # fmt: skip

    def test_times(self):
        result = self.measure("--counters")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "vectoradd: 1 launches\nchase_l1d: 1 launches\n")
        notes, launches = self.rows("times.csv")
        self.assertRegex(
            notes[0], r"# NVIDIA H200, driver 550\.54\.15, CUDA 12\.4, \d{4}-\d\d-\d\d$")
        self.assertEqual(notes[1], "# SM clock 1980 to 1980 MHz after each program (at most 1980), "
                                   "memory 3201 MHz")  # fmt: skip
        self.assertIn("median of 20 by events", notes[2])
        self.assertEqual([row["program"] for row in launches], ["vectoradd", "chase_l1d"])
        # The simulated card takes as long as its own statistics say.
        out = self.folder / "run"
        source = ROOT / "workloads" / "vectoradd.cu"
        run = warpmem("run", "-c", CONFIG, "-o", out, source, "--", "2000")
        self.assertEqual(run.returncode, 0, run.stderr)
        reference = self.folder / "own.csv"
        self.assertEqual(warpmem("correlate", "--write", reference, out).returncode, 0)
        lines = reference.read_text().splitlines()
        own = next(csv.DictReader(line for line in lines if not line.startswith("#")))
        self.assertIn(own["kernel"].partition("(")[0], launches[0]["kernel"])
        self.assertLess(abs(float(launches[0]["duration [ns]"]) / float(own["duration [ns]"]) - 1),
                        0.1)  # fmt: skip
        agreement = warpmem("correlate", self.folder / "out" / "times.csv", out)
        self.assertEqual(agreement.returncode, 0, agreement.stderr)
        self.assertIn("1 of the same work", agreement.stdout)
        micro = self.rows("micro.csv")[1]
        self.assertEqual([(row["program"], row["arguments"]) for row in micro],
                         [("chase_l1d", "l1d 16 128")])  # fmt: skip
        self.assertEqual(micro[0]["unit"], "cycles a load")
        self.assertGreater(float(micro[0]["measured"]), 1)
        agreement = warpmem("correlate", self.folder / "out/counters.csv", out)
        self.assertEqual(agreement.returncode, 0, agreement.stderr)
        self.assertRegex(agreement.stdout, r"(?m)^cycles ")

    def test_counters_that_nobody_may_read(self):
        result = self.measure("--counters", "vectoradd", ncu="refused")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "measure.py: note: the driver lets only root read counters "
                                        "(ERR_NVGPUCTRPERM); there are none\n")  # fmt: skip
        self.assertEqual(len(self.rows("times.csv")[1]), 1)
        self.assertFalse((self.folder / "out/counters.csv").exists())

    def test_refused(self):
        self.put("ends.cu", "#include <cstdlib>\nint main() { std::exit(0); }\n")
        self.put("fails.cu", "#include <cstdio>\nint main() { std::puts(\"FAIL 3\"); return 1; }\n")
        self.put("none.cu", "int main() { return 0; }\n")
        self.put("bad.cu", "int main() { return x; }\n")
        names = ("ends", "fails", "none", "bad")
        self.put("more.csv", PROGRAMS + "".join(f"{n},{self.folder}/{n}.cu,\n" for n in names))
        for arguments, tools, said in (
            (["other"], {}, "other: not in "),
            (["vectoradd"], {"nvcc": "absent"}, "--nvcc names the compiler of CUDA"),
            (["vectoradd"], {"smi": "absent"}, "--smi names nvidia-smi"),
            (["vectoradd"], {"smi": "nvcc"}, "nvcc"),
            (["--repeat", "3"], {}, "--repeat 3: at least 20"),
            (["--until", "0"], {}, "--until 0: more than 0"),
            (["--no-times"], {}, "--no-times: nothing is left without --counters"),
            (["--until", "1e-9"], {}, "--until 1e-09: no time for vectoradd, chase_l1d"),
            (["fails", "--timeout", "0.001"], {"list": "more.csv"}, "fails: not at its end after"),
            (["ends"], {"list": "more.csv"}, "ends: ended before its 20 repetitions were over"),
            (["fails"], {"list": "more.csv"}, "fails: exit status 1: FAIL 3"),
            (["none"], {"list": "more.csv"}, "exit status 2: launch_timer: no launch was seen"),
            (["bad"], {"list": "more.csv"}, "bad.cu does not compile:"),
            ([], {"list": "nvcc"}, "nvcc:1: allowed: program,source,arguments"),
        ):
            result = self.measure(*arguments, **tools)
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertIn(said, result.stderr)
            self.assertNotIn("Traceback", result.stderr)
        # What fails does not hold up the others.
        result = self.measure(list="more.csv")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "vectoradd: 1 launches\nchase_l1d: 1 launches\n")
        for name in names:
            self.assertIn(name, result.stderr)
        self.assertEqual(len(self.rows("times.csv")[1]), 2)

    def test_counters_alone(self):
        result = self.measure("--counters", "--no-times", "vectoradd")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse((self.folder / "out/times.csv").exists())
        self.assertTrue((self.folder / "out/counters.csv").exists())

    def test_lists(self):
        """The lists name workloads at sizes of the catalogue, so that runs can be compared."""
        catalogue = json.loads(warpmem("list", "workloads", "--json").stdout)
        for name, size in (("programs.csv", "small"), ("large.csv", "medium")):
            with open(TOOL.parent / name, newline="") as lines:
                rows = list(csv.DictReader(lines))
            self.assertGreaterEqual(len(rows), 20)
            for row in rows:
                self.assertEqual(row["arguments"], catalogue[row["program"]]["sizes"][size])
        for name in ("programs.csv", "large.csv", "micro.csv"):
            with open(TOOL.parent / name, newline="") as lines:
                for row in csv.DictReader(lines):
                    self.assertTrue((ROOT / row["source"]).is_file(), row)

    def test_counters_are_those_that_correlate_reads(self):
        tools = ROOT / "tools"
        sys.path[:0] = [str(tools / name) for name in ("hardware", "correlate", "report")]
        import counting
        import nsight

        self.assertLessEqual(set(counting.COUNTERS), {*nsight.KNOWN, *nsight.HITS})


if __name__ == "__main__":
    unittest.main()
