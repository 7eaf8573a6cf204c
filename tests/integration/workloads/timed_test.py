# SPDX-License-Identifier: Apache-2.0
"""Workloads on the timed machine: the catalogue against the files, two rows of docs/workloads.md
measured again, a footprint, and programs without their shared memory. (Each workload at its tiny
size with everything checked: miss_handler_test.py.)

usage: timed_test.py catalogue | table | footprint | unshared
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
WARPMEM = os.environ["WARPMEM"]
for folder in ("tools", "tests/support"):
    sys.path.insert(0, str(ROOT / folder))

import compiled_programs  # noqa: E402
import workload_table  # noqa: E402

# The DL machine has four SMs here: enough for contention, and every workload fills them.
KEYS = ["sm.count=4", "check_data=true", "check_protocol=true"]
REGENERATED = ["gaussian", "scalarprod"]


def catalogue():
    listing = subprocess.run([WARPMEM, "list", "workloads", "--json"], check=True,
                             stdout=subprocess.PIPE)
    return json.loads(listing.stdout)


def checked_stats(name, lasts):
    """Returns the statistics of a run at the tiny size for each of `lasts`, the argument behind the
    usual ones; each must pass."""
    entry = catalogue()[name]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program = compiled_programs.of_build(WARPMEM).get(ROOT / "workloads" / entry["file"])
        command = [WARPMEM, "run", "-c", ROOT / "configs" / "gu-dlmshr.yaml"]
        for key in KEYS:
            command += ["--set", key]
        command += ["-o", folder / "run", program, "--", *entry["sizes"]["tiny"].split()]
        found = []
        for last in lasts:
            result = subprocess.run([*command, last], stdout=subprocess.PIPE, text=True)
            if result.returncode != 0 or "PASS" not in result.stdout.splitlines():
                sys.exit(f"{name} {last}: exit status {result.returncode}, no PASS\n"
                         f"{result.stdout}")
            stats = json.loads((folder / "run" / "stats.json").read_text())["total"]["stats"]
            if stats["gpu.data.bytes_compared"] == 0:
                sys.exit(f"{name} {last}: the data check compared nothing")
            found.append(stats)
        return found


def check_unshared():
    """The programs of MR 5.6 give the same result with shared memory and, asked for, without."""
    for name in ("backprop", "hotspot", "lud", "nw", "pathfinder", "srad"):
        shared, unshared = (stats["sm.shared.accesses"] for stats in checked_stats(name, "01"))
        if shared == 0 or unshared != 0:
            sys.exit(f"{name}: {shared} accesses to shared memory, unshared {unshared}")


def check_catalogue():
    files = {path.name for path in (ROOT / "workloads").glob("*.cu")}
    listed = {entry["file"] for entry in catalogue().values()}
    if files != listed:
        sys.exit(f"in one of workloads/*.cu and catalogue.yaml only: {sorted(files ^ listed)}")


def check_table():
    committed = (ROOT / "docs" / "workloads.md").read_text().splitlines()
    rows = [line for name in REGENERATED for line in committed if line.startswith(f"| {name} |")]
    again = subprocess.run(
        [sys.executable, ROOT / "tools" / "workload_table.py", "--warpmem", WARPMEM, "--only",
         ",".join(REGENERATED)], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    for row in rows:
        if row not in again:
            sys.exit("docs/workloads.md is out of date; generate it with the command at its top:\n"
                     f"{row}")
    if len(rows) != 8:  # two of each, and what is published of gaussian (3) and scalarprod
        sys.exit(f"docs/workloads.md: {len(rows)} rows of {REGENERATED}, 8 expected")
    check_types()
    entries = catalogue()
    for name, (first, second) in workload_table.read_rows("\n".join(committed)).items():
        source = (ROOT / "workloads" / entries[name]["file"]).read_text()
        line = workload_table.summary(first, second)
        if line not in source.splitlines():
            sys.exit(f"workloads/{name}.cu: its header does not say: {line}")


def check_footprint():
    """vectoradd touches three arrays once, and nothing else."""
    n = 10000
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run(
            [WARPMEM, "run", "-c", ROOT / "configs" / "gu-dlmshr.yaml", "--set",
             "l2.footprint=true", "-o", folder, ROOT / "workloads" / "vectoradd.cu", "--", str(n)],
            check=True)
        stats = json.loads((folder / "stats.json").read_text())["total"]["stats"]
    expected = 3 * -(-4 * n // workload_table.LINE_BYTES)
    if stats["l2.footprint_lines"] != expected:
        sys.exit(f"footprint of {stats['l2.footprint_lines']} lines, expected {expected}")


def check_types():
    """The classification changes at its thresholds."""
    def stats(miss, intra, inter):
        return {"l1d.class.miss": miss, "l1d.class.intra": intra, "l1d.class.intra_m": 0,
                "l1d.class.inter": inter, "l1d.class.inter_m": 0}

    slow, same = {"gto": 100, "rr": 112}, {"gto": 100, "rr": 109, "gtlr": 92}
    for expected, cycles, figures in (
            ("0", same, stats(50, 50, 0)), ("I", slow, stats(96, 4, 0)),
            ("II", slow, stats(95, 3, 2)), ("III", slow, stats(95, 2, 3)),
            ("III", {"gto": 100, "rr": 100, "gtlr": 90}, stats(0, 1, 9))):
        got = workload_table.locality_type(cycles, figures)
        if got != expected:
            sys.exit(f"type of {figures} with {cycles}: {got}, expected {expected}")


if __name__ == "__main__":
    groups = {"catalogue": check_catalogue, "table": check_table, "footprint": check_footprint,
              "unshared": check_unshared}
    groups[sys.argv[1]]()
