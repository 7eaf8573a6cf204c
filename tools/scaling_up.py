#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what a simulation costs in CPU time and memory: by request, by SM, by warp, by length,
and what many of them cost as a sweep.

usage: scaling_up.py [--warpmem W] [--sms N,...] [--lengths N,...] [--points N] PAGE

The tables stand in PAGE (docs/scaling-up.md) between the lines `<!-- measured -->` and
`<!-- end of what is measured -->`, which must be there; the rest of the page is written by hand.
CPU time is that of a whole process, so that other work on the machine lengthens nothing but the
wait; what shares its caches and memory still slows it down.
"""
import argparse
import json
import math
import pathlib
import resource
import statistics
import sys
import tempfile
import textwrap

import markdown_table
import programs

ROOT = pathlib.Path(__file__).resolve().parents[1]
COSTS = ROOT / "experiments/costs.json"
BEGIN, END = "<!-- measured -->", "<!-- end of what is measured -->"
MIB = 2**20
# What one SM gets to do, so that the work grows with the machine: 4 warps or more.
WORKLOADS = {
    "vectoradd": ("a stream, coalesced", lambda sms: [4096 * sms]),
    "spmv": ("scattered loads", lambda sms: [128 * sms, 12]),
    "blackscholes": ("arithmetic", lambda sms: [2048 * sms, 1]),
}
# The machine of configs/gu-dlmshr.yaml has 28 SMs and 8 memory partitions.
SMS_A_PARTITION = 28 / 8
ELEMENTS_A_WARP, INSTRUCTIONS_A_WARP = 32, 22  # of vectoradd
LONGEST = 10**9
CORES = (1, 16, 1000)
POINTS = 10_000


class Bench:
    """Runs programs in a folder of its own."""

    def __init__(self, warpmem, folder):
        self.warpmem, self.folder = warpmem, pathlib.Path(folder)
        self.compiled = {}

    def program(self, name):
        if name not in self.compiled:
            self.compiled[name] = self.folder / name
            source = ROOT / f"workloads/{name}.cu"
            programs.run([self.warpmem, "cc", source, "-o", self.compiled[name]])
        return self.compiled[name]

    def run(self, name, arguments, sms, keys=()):
        """Returns the manifest of a run, with the number of its requests to L1D."""
        out = self.folder / "run"
        partitions = max(1, round(sms / SMS_A_PARTITION))
        keys = [f"sm.count={sms}", f"memory.partitions={partitions}", "check_data=false", *keys]
        programs.run(
            [self.warpmem, "run", "-c", ROOT / "configs/gu-dlmshr.yaml",
             *[f"--set={key}" for key in keys], "-o", out, self.program(name), "--",
             *map(str, arguments)], capture_output=True)  # fmt: skip
        result = json.loads((out / "manifest.json").read_text())
        stats = json.loads((out / "stats.json").read_text())
        result["requests"] = stats["total"]["stats"]["l1d.requests"]
        return result

    def sweep(self, points):
        """Returns the CPU seconds that a run in a sweep costs beside its own."""
        file, results = self.folder / "sweep.yaml", self.folder / "sweep.sqlite"
        latencies = ", ".join(f'"{n}": {{gpu.launch_latency: {n}}}' for n in range(1, points + 1))
        file.write_text(
            f"base: {ROOT}/configs/gu-dlmshr.yaml\nset: {{check_data: false}}\n"
            f"axes:\n  latency: {{{latencies}}}\n"
            f"workloads: [{{file: {self.program('vectoradd')}, args: \"4096\"}}]\n")
        before = children_seconds()
        programs.run([self.warpmem, "sweep", file, "-o", results, "-j", "2"], capture_output=True)
        return (children_seconds() - before) / points


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def table(head, rows):
    return markdown_table.table(head, rows, "|" + "---|" * len(head) + "\n")


def paragraph(text):
    return textwrap.fill(text, 120, break_on_hyphens=False) + "\n"


def digits(value, count=3):
    """The value with that many significant digits, and no exponent."""
    if value == 0:
        return "0"
    places = max(0, count - 1 - math.floor(math.log10(abs(value))))
    return f"{round(value, places):.{places}f}" if places else f"{value:.0f}"


def duration(seconds):
    for limit, unit, name in ((120, 1, "s"), (7200, 60, "min"), (172800, 3600, "h")):
        if seconds < limit:
            return f"{digits(seconds / unit)} {name}"
    return f"{digits(seconds / 86400)} days"


def by_machine(bench, sms):
    rows = []
    for name, (kind, arguments) in WORKLOADS.items():
        for count in sms:
            run = bench.run(name, arguments(count), count)
            cpu = run["cpu_seconds"]
            rows.append([
                f"{name}: {kind}", str(count), str(run["cycles"]), str(run["warp_instructions"]),
                digits(cpu), digits(cpu / run["requests"] * 1e9),
                digits(cpu / run["warp_instructions"] * 1e9),
                digits(cpu / (run["cycles"] * count) * 1e9),
                digits(run["memory_bytes"] / MIB),
            ])  # fmt: skip
    return table(["program", "SMs", "cycles", "warp instructions", "CPU s", "ns a request to L1D",
                  "ns a warp instruction", "ns an SM and cycle", "MiB"], rows)  # fmt: skip


def by_warp(bench, sms):
    """Memory of an SM and of a warp's place in it, from runs that differ in that alone."""
    few, many = 8, 64
    small, large = sms[-2:] if len(sms) > 1 else (sms[0], 2 * sms[0])
    arguments = WORKLOADS["vectoradd"][1](large)

    def memory(count, warps):
        keys = [f"sm.warps={warps}"]
        return bench.run("vectoradd", arguments, count, keys)["memory_bytes"]

    of_sm = (memory(large, many) - memory(small, many)) / (large - small)
    of_warp = (memory(large, many) - memory(large, few)) / (large * (many - few))
    return paragraph(
        f"An SM of {many} warps, with its share of L2 and DRAM, takes {digits(of_sm / 1024)} KiB "
        f"(vectoradd, {large} SMs beside {small}), and of that a warp that is resident "
        f"{digits(of_warp / 1024)} KiB ({many} warps beside {few}).")


def extrapolated(runs, amount):
    """What LONGEST takes by the straight line through the two longest runs: the start, which is the
    same for all, is not multiplied."""
    before, last = runs[-2:]
    count = "warp_instructions"
    slope = (last[amount] - before[amount]) / (last[count] - before[count])
    if slope <= 0:
        sys.exit(f"{amount}: {last[count]} instructions took no more than {before[count]}; "
                 "--lengths that are further apart are needed")
    return last[amount] + slope * (LONGEST - last[count])


def by_length(bench, lengths):
    runs = []
    for length in lengths:
        elements = max(ELEMENTS_A_WARP, length * ELEMENTS_A_WARP // INSTRUCTIONS_A_WARP)
        runs.append(bench.run("vectoradd", [elements], 28))
    rows = [[str(run["warp_instructions"]), digits(run["cpu_seconds"]),
             digits(run["memory_bytes"] / MIB), "measured"] for run in runs]  # fmt: skip
    rows.append([str(LONGEST), digits(extrapolated(runs, "cpu_seconds")),
                 digits(extrapolated(runs, "memory_bytes") / MIB),
                 "extrapolated: the line through the two rows above"])  # fmt: skip
    return table(["warp instructions", "CPU s", "MiB", ""], rows)


def of_sweeps(own):
    costs = [row["seconds"] for row in json.loads(COSTS.read_text())]
    kinds = [(f"{digits(s)} s", s, s) for s in (1.0, 10.0, 100.0)]
    mean, longest = statistics.mean(costs), max(costs)
    kinds.append((f"{digits(mean)} s, as `experiments/costs.json` has them", mean, longest))
    rows = [[what] + [duration(max(POINTS * mean / cores, most)) for cores in CORES]
            for what, mean, most in kinds]  # fmt: skip
    return (table(["mean of a point", *(f"{n} core{'s' * (n > 1)}" for n in CORES)], rows) + "\n"
            + paragraph(f"Beside what it simulates a run costs {digits(own * 1e3)} ms of CPU time "
                        "at the least: its process, the sweep's own work and the SQLite file (runs "
                        "of 4096 elements)."))  # fmt: skip


def numbers(text):
    return sorted(int(word) for word in text.split(","))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--warpmem", default="warpmem")
    parser.add_argument("--sms", type=numbers, default=[1, 4, 16, 64, 256])
    parser.add_argument("--lengths", type=numbers, default=[10**n for n in range(3, 7)])
    parser.add_argument("--points", type=int, default=20)
    parser.add_argument("page", type=pathlib.Path)
    options = parser.parse_args()
    if len(set(options.lengths)) < 2:
        parser.error("--lengths: two at least, for the line through them")
    text = options.page.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        sys.exit(f"{options.page}: the lines {BEGIN} and {END} are needed, once, in this order")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.warpmem, folder)
        parts = [
            "## A larger machine\n", by_machine(bench, options.sms),
            "## Memory\n", by_warp(bench, options.sms),
            "## A longer run\n", by_length(bench, options.lengths),
            f"## A sweep of {POINTS} points\n", of_sweeps(bench.sweep(options.points)),
        ]  # fmt: skip
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    measured = "\n".join(parts)
    options.page.write_text(f"{before}{BEGIN}\n{measured}{END}{after}")


if __name__ == "__main__":
    main()
