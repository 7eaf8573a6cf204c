# SPDX-License-Identifier: Apache-2.0
"""Small runs and references made for the tests of `warpmem correlate`."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = ROOT / "tools" / "correlate" / "correlate.py"
DATA = ROOT / "tests" / "data" / "correlate"

# A launch of a machine whose requests are sectors of 32 B. Each value differs from the others, so
# that none can stand in for another.
STATS = {
    "gpu.cycles": 2500,
    "gpu.launch_cycles": 500,
    "gpu.warp_inst": 4000,
    "gpu.thread_inst": 120000,
    "sm.loads": 700,
    "sm.requests.bytes_32": 3300,
    "sm.requests.bytes_64": 0,
    "sm.requests.bytes_128": 0,
    "sm.load.requests": 3000,
    "sm.latency.crossbar_ns": 10.0,
    "sm.latency.l2_queue_ns": 1.0,
    "sm.latency.l2_access_ns": 2.0,
    "sm.latency.dram_queue_ns": 3.0,
    "sm.latency.dram_service_ns": 4.0,
    "sm.latency.response_path_ns": 20.0,
    "l1d.accesses": 3000,
    "l1d.hits": 1800,
    "l1d.primary_misses": 1000,
    "l1d.secondary_misses": 200,
    "l1d.write_accesses": 300,
    "l1d.fetch_bytes": 32000,
    "l2.accesses": 1300,
    "l2.reads": 1000,
    "l2.writes": 300,
    "l2.atomics": 0,
    "l2.hits": 650,
    "l2.primary_misses": 500,
    "l2.secondary_misses": 50,
    "l2.placements": 100,
    "l2.fetch_bytes": 16000,
    "l2.write_bytes": 9600,
    "l2.writebacks": 90,
    "l2.writeback_bytes": 2880,
    "dram.reads": 500,
    "dram.writes": 90,
    "dram.row_hit_rate": 0.75,
}
LATENCY = {"sm.load.latency": {"bounds": [32], "counts": [0, 700], "samples": 700, "sum": 140000}}


def launch(name, number, **changes):
    stats = {**STATS, **{key.replace("__", "."): value for key, value in changes.items()}}
    return {"name": name, "launch": number, "stats": stats, "histograms": LATENCY}


def make_run(folder, *launches, program="atax", status="complete"):
    folder.mkdir(parents=True)
    stats = {"units": {}, "kernels": list(launches), "total": {"stats": {}}}
    (folder / "stats.json").write_text(json.dumps(stats))
    (folder / "config.yaml").write_text("sm:\n  clock: 2000 MHz\nl2:\n  line: 128\n")
    command = f"warpmem run -c machine.yaml workloads/{program}.cu -- 64"
    (folder / "manifest.json").write_text(json.dumps({"status": status, "command": command}))
    return folder


class CorrelateTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *arguments):
        """The tool, in the folder of the test."""
        command = [sys.executable, str(TOOL), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder)

    def result(self, *arguments, status=0):
        """The JSON of a comparison."""
        run = self.call("--json=result.json", *arguments)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return json.loads((self.folder / "result.json").read_text())

    def error(self, *arguments):
        """The one message of a mistake."""
        run = self.call("--json=none.json", *arguments)
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertEqual(run.stdout, "")
        self.assertFalse((self.folder / "none.json").exists())
        lines = run.stderr.splitlines()
        self.assertEqual(len(lines), 1, run.stderr)
        return lines[0].removeprefix("warpmem: error: ")

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_of(self, *launches, name="run", **options):
        return make_run(self.folder / name, *launches, **options).name

    def changed(self, source, old, new):
        """A copy of a data file in which `old`, which stands there once, is `new`."""
        text = (DATA / source).read_text()
        self.assertEqual(text.count(old), 1, old)
        return self.file(source, text.replace(old, new))


def values(result, index=0):
    """{metric: (measured, reference)} of a launch."""
    found = result["launches"][index]["values"]
    return {name: (value["measured"], value["reference"]) for name, value in found.items()}
