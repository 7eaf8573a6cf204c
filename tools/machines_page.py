#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures machines with the microbenchmarks of workloads/micro, beside what their configurations
imply (`warpmem config --implied`).

usage: machines_page.py [--warpmem W] [--set KEY=VALUE ...] [--only FIGURE,...] [--check] CONFIG ...
       machines_page.py [--warpmem W] --page docs/machines.md [CONFIG ...]

The first prints a table for each configuration; with --check it fails when a latency is not within
2 % of the implied one, or a bandwidth is below 95 % or above 115 % of the implied limit. The second
writes the page on all machines of configs/, beside the published figures of
docs/machines/published.json; of the page that is there it keeps all sections but those of CONFIG,
where some are named.
"""
import argparse
import json
import math
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import programs
from markdown_table import table

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tools/report"))
import quantities  # noqa: E402

MICRO = ROOT / "workloads/micro"
PUBLISHED = ROOT / "docs/machines/published.json"

MOST_MEMORY = 2**42  # bytes, of memory.size
LATENCY_TOLERANCE = 0.02
# Requests in a better order than a random one lose less at the crossbar.
LEAST_BANDWIDTH, MOST_BANDWIDTH = 0.95, 1.15

# So that a benchmark finds its bytes where it expects them. A refresh is load, of which an unloaded
# latency knows nothing.
ALL_RUNS = ["flush_l2_between_kernels=false", "l2.memcpy=drop", "l1d.prefetch.kind=none",
            "l1d.bypass.kind=none"]
UNLOADED = [*ALL_RUNS, "dram.refresh=none"]

MEANINGS = {
    "latency.l1d": "load, hit in L1D",
    "latency.l2": "load, hit in L2",
    "latency.row_hit": "load, open row of DRAM",
    "latency.row_miss": "load, another row of DRAM",
    "latency.l2_tlb": "load, hit in L2, shared TLB",
    "latency.walk": "load, hit in L2, page-table walk",
    "read.l1d": "reads, L1D",
    "read.l2": "reads, L2",
    "read.dram": "reads, DRAM",
    "camping.partition": "reads, L2, a partition's stride",
    "camping.bank": "reads, DRAM, a bank's stride",
    "atomics.one_word": "atomics, one word",
    "atomics.many_words": "atomics, a word a lane",
}
MEANINGS.update({f"latency.shared.{n}": f"shared memory, {n} a bank" for n in (1, 2, 4, 8, 16, 32)})
MEANINGS.update({f"write.{n}": f"stores, L2, {n} B a lane" for n in (1, 2, 4, 8, 16)})


class Run:
    """A benchmark that measures one figure. `blocks`: the last argument, blocks of each SM, of
    which the best counts, as one tunes a benchmark."""

    def __init__(self, figure, program, arguments, keys, blocks=()):
        self.figure, self.program, self.keys = figure, program, keys
        ways = [[*arguments, n] for n in sorted(set(blocks))] or [arguments]
        self.ways = [[str(a) for a in way] for way in ways]


class Machine:
    """A configuration, and the figures that it implies."""

    def __init__(self, warpmem, config, keys):
        self.warpmem, self.config, self.keys = warpmem, config, keys
        self.implied_of = {}
        schema = json.loads(self.ask(["--schema"], []))
        self.values = {name: key["value"] for name, key in schema["keys"].items()}

    def command(self, verb, keys):
        assignments = [f"--set={key}" for key in [*self.keys, *keys]]
        return [self.warpmem, verb, "-c", self.config, *assignments]

    def ask(self, flags, keys):
        return programs.run([*self.command("config", keys), *flags], capture_output=True,
                            text=True).stdout

    def number(self, key):
        return size_of(self.values[key])

    def implied(self, keys):
        """Figure -> (value, unit, what limits it)."""
        if tuple(keys) not in self.implied_of:
            figures = {}
            for line in self.ask(["--implied"], keys).splitlines():
                name, value, *rest = line.split(maxsplit=3)
                figures[name] = (float(value), *(rest + ["", ""])[:2])
            self.implied_of[tuple(keys)] = figures
        return self.implied_of[tuple(keys)]


def size_of(text):
    """The number of a value: "2 KiB" is 2048, "1137 MHz" 1137000000."""
    return round(quantities.number(str(text)))


def blocks_of_reads(machine, keys, figure, latency, times):
    """Blocks of each SM so that `times` as many loads of stream.cu are under way as Little's law
    asks for, since they wait for each other."""
    implied = machine.implied(keys)
    if figure not in implied or latency not in implied:
        return 1
    loads = 8 * 8 * 128  # bytes of a block: eight warps, eight loads, a line each
    nanoseconds = implied[latency][0] / machine.number("sm.clock") * 1e9
    needed = times * implied[figure][0] * nanoseconds / machine.number("sm.count")
    return max(1, min(math.ceil(needed / loads), machine.number("sm.warps") // 8))


def blocks_for_l2(machine):
    """Blocks of each SM that keep L2 and the crossbar busy: all that it holds. With a FIFO in front
    of the crossbar at most four, since more march in step: their packets meet less often than those
    of random traffic do, which is what is implied."""
    held = machine.number("sm.warps") // 8
    return max(1, min(held, 4) if machine.values["noc.input_queues"] == "fifo" else held)


def runs_of(machine):
    """The runs that measure a machine; a figure that it cannot show has none."""
    m = machine.number
    line = m("l2.line")
    banks_of_l2 = m("memory.partitions") * m("l2.slices")
    l2 = m("l2.size") * banks_of_l2
    l1d = m("l1d.unified") or m("l1d.size")
    if machine.values["l1d.enable"] != "true":
        l1d = 0
    span = m("memory.partitions") * m("memory.row")
    head = m("memory.partitions") * m("memory.interleave")
    rows = [span, head, m("memory.banks")]
    uvm = machine.values["uvm.enable"] == "true"
    untranslated = ["uvm.enable=false"] if uvm else []
    idle, busy = UNLOADED + untranslated, ALL_RUNS + untranslated

    # So many nodes lie in near and far slices almost evenly.
    most = 1920 if m("noc.far_latency") else 480
    yield Run("latency.l1d", "chase", ["l1d", max(8, min(64, l1d // line // 4)), line], UNLOADED)
    yield Run("latency.l2", "chase", ["l2", min(most, l2 // line // 2), line], UNLOADED)
    if machine.values["memory.order"] == "row_bank_column" and span > head:
        nodes = min(most, (span - head) // line * m("memory.banks"))
        yield Run("latency.row_hit", "chase", ["row_hit", nodes, line, *rows], idle)
    stride = span + m("memory.interleave")
    yield Run("latency.row_miss", "chase", ["row_miss", most, stride, *rows], idle)
    if uvm:
        page = m("uvm.page") + line
        entries, shared = m("uvm.tlb.entries"), m("uvm.l2_tlb.entries")
        if 2 * entries <= shared:
            yield Run("latency.l2_tlb", "chase", ["l2", max(96, 2 * entries), page], UNLOADED)
        yield Run("latency.walk", "chase", ["l2", 2 * shared, page], UNLOADED)
    for passes in (1, 2, 4, 8, 16, 32):
        stride = passes * m("sm.shared.banks") // 32
        if stride >= 1 and m("sm.shared_memory") >= 4096:
            yield Run(f"latency.shared.{passes}", "shared_conflicts", [stride], UNLOADED)

    yield Run("read.l1d", "stream", ["read_l1d", 4, 65536, 2], busy)
    region = min(l2 // 2, max(512 * 1024, 4 * l1d))
    if region >= 2 * l1d and region >= 64 * 1024:
        # Few rounds would show how long the last requests take.
        rounds = max(6, 2**21 // (m("sm.count") * 64 * 128))
        most_blocks = blocks_for_l2(machine)
        blocks = blocks_of_reads(machine, busy, "read.l2", "latency.l2", 1.25)
        yield Run("read.l2", "stream", ["read_l2", rounds, region], busy, [blocks, most_blocks])
        for lane_bytes in (1, 2, 4, 8, 16):
            yield Run(f"write.{lane_bytes}", "stream",
                      [f"write_{lane_bytes}", max(2, 4 * rounds // lane_bytes), region], busy,
                      [1, most_blocks])
        stride = machine.implied(busy)["camping.partition.stride"][0]
        yield Run("camping.partition", "camping", ["l2", round(stride), 64, 4], busy,
                  [1, most_blocks])
        yield Run("atomics.one_word", "atomics", ["one", 1, 32], busy)
        yield Run("atomics.many_words", "atomics", ["many", rounds, region // 128], busy)
    rounds = max(4, 2**23 // (m("sm.count") * 96 * 128))
    barrel = machine.values["sm.scheduler.barrel"] == "true"
    blocks = [3]  # one instruction of a warp at a time
    if not barrel:
        blocks = [blocks_of_reads(machine, busy, "read.dram", "latency.row_miss", times)
                  for times in (1.25, 2)]
    yield Run("read.dram", "stream", ["read_dram", rounds, 65536], busy, blocks)
    large = [*busy, f"memory.size={MOST_MEMORY >> 30} GiB"]  # whatever it has
    implied = machine.implied(large)
    if "camping.bank" in implied:
        # More loads than it takes bring more rows of one bank into a channel's queue.
        blocks = 2 if barrel else blocks_of_reads(machine, large, "camping.bank",
                                                  "latency.row_miss", 1.25)
        stride = round(implied["camping.bank.stride"][0])
        # One round and three of them read lines of their own, 64 at a time.
        lines = min(round(implied["camping.bank.lines"][0]),
                    MOST_MEMORY // (4 * stride) // 64 * 64)
        yield Run("camping.bank", "camping", ["dram", stride, lines, 1, blocks], large)


def measure(machine, run, folder):
    """The best that the program of a run says, in the unit of the figure."""
    return max(measure_way(machine, run, way, folder) for way in run.ways)


def measure_way(machine, run, arguments, folder):
    name = "_".join([run.program, *arguments])
    output = programs.run(
        [*machine.command("run", run.keys), "-o", folder / f"{run.figure}.{name}.run",
         folder / run.program, "--", *arguments], capture_output=True, text=True).stdout
    found = re.search(r"^measured (\S+) (\w+) a (\w+)$", output, re.M)
    if found is None or "PASS" not in output.splitlines():
        sys.exit(f"{machine.config}: {run.program} {' '.join(arguments)}: no PASS\n{output}")
    value = float(found[1])
    return value if found[2] == "cycles" else value * machine.number("sm.clock") / 1e9


class Row:
    """A figure of a machine: what it implies, what was measured."""

    def __init__(self, figure, implied, measured):
        self.figure, self.measured = figure, measured
        self.implied, self.unit, self.limit = implied

    @property
    def ratio(self):
        return self.measured / self.implied

    def holds(self):
        """Whether the ratio is one that the page need not explain."""
        if self.unit == "cycles":
            return abs(self.ratio - 1) <= LATENCY_TOLERANCE
        return LEAST_BANDWIDTH <= self.ratio <= MOST_BANDWIDTH

    def cells(self):
        return [MEANINGS[self.figure], f"{self.implied:.4g} {self.unit}",
                f"{self.measured:.4g} {self.unit}", f"{self.ratio:.3f}", self.limit]


def rows_of(machine, folder, only, jobs):
    """Measures a machine. The programs that are not in the folder yet are compiled there."""
    runs = [r for r in runs_of(machine)
            if (not only or r.figure in only) and r.figure in machine.implied(r.keys)]
    for name in sorted({run.program for run in runs}):
        if not (folder / name).exists():
            programs.run([machine.warpmem, "cc", "-O2", MICRO / f"{name}.cu", "-o", folder / name])
    with ThreadPoolExecutor(jobs) as pool:
        measured = list(pool.map(lambda run: measure(machine, run, folder), runs))
    return [Row(run.figure, machine.implied(run.keys)[run.figure], value)
            for run, value in zip(runs, measured)]


HEAD = ["", "implied", "measured", "ratio", "limited by"]

PAGE = """# Machines: latency and bandwidth, implied, measured and published

Written by `python3 tools/machines_page.py --page docs/machines.md`. For each machine of `configs/`:

- *implied*: what follows from the configuration alone (`warpmem config -c FILE --implied`).
  Latencies, in SM cycles, are those of a load that meets no other traffic, from its issue to that
  of an instruction that uses it: the stages of `systemc/gpu/implied_latency.hpp`, without
  refreshes. Bandwidths are the least of what the units on the way can move; the last column says
  which. With `noc.input_queues: fifo` not all ports of the crossbar are busy: a packet whose port
  is taken holds up those behind it (Karol, Hluchyj, Morgan, IEEE Trans. Comm. 1987), and `crossbar`
  is what is left. With `virtual_output` it is the ports: iSLIP keeps them busy under uniform
  traffic (McKeown, IEEE/ACM Trans. Networking 1999). Where DRAM opens a row for each line with one
  command bus, an ACTIVATE waits at times for a READ or PRECHARGE, as if those came at random
  (`systemc/gpu/implied_bandwidth.cpp`).
- *measured*: what the programs of `workloads/micro` come to on the simulated machine.
- *published*: microbenchmarks of others on the chip; the sources are at the end. In cycles of the
  chip's SM clock, which may differ from the machine's.

Latencies come within 2 % of what is implied and bandwidths to 95 %, but for those with an asterisk:

- Reads at a bank's stride open a row for each line, and the SMs are not at the same line, so that
  the rows in a channel's queue are any, and those for one bank wait for each other where DRAM is
  the limit. `rtx3070`, whose 16 banks take 79 cycles a row and whose queue has 16 lines, comes to
  0.83 with a queue of 256 requests, and to 0.95 with rows of 20 cycles besides; `h200` (0.81) to
  0.88 with rows of 20 ns, to 0.83 with 1024 MSHRs a slice, and with half the loads under way to
  0.52; `v100` with a queue of 64 requests, half of what it has, to 0.64; `bucl` to 0.96 with two
  blocks an SM. In `kim-prefetch` a warp waits for each of its loads, which also are too few for
  reads of DRAM once requests wait for each other; without the barrel (`sm.scheduler.barrel: false`)
  reads at a bank's stride come to 0.93.
- L2 where the lookups are the limit: each slice would need a request in every cycle, and what is
  under way, in groups of four packets for one slice, is spread unevenly for a while. With
  eight warps an SM longer queues of the crossbar help by 2 % at most (stores of `v100`,
  `noc.request_queue: 1024`), more iterations not at all (`noc.iterations: 16`).
- What is near 0.95 is so by chance: a launch lasts as long as its slowest block, and a fence at its
  end of one cycle instead of two moves the reads of L2 of one block an SM from 0.94 to 0.98 in
  `gu-dlmshr`, one of three those of two from 0.87 to 0.90 in `h100`.

Reads and stores of L2 are measured with the warps that Little's law asks for, or eight, and with as
many as an SM holds (32 where a FIFO is in front of the crossbar), reads of DRAM with one and a
quarter times and twice the loads of Little's law; the better counts, as one tunes a benchmark.
Reads of L2 of `h100`, for one, come to 0.87 with 16 warps an SM and to 0.97 with 64.

`warpmem list configs` has the peak bandwidth of each level, and what the outstanding misses of L1D
and L2 can move when each takes as long as an unloaded one (Little's law).
"""


def published_cell(entries):
    return "; ".join(f"{value} [{source}]" for value, source in entries)


def section(name, description, rows, published):
    head = HEAD + ["published"] if published else HEAD
    cells = []
    for row in rows:
        line = row.cells()
        if not row.holds():
            line[3] += " *"
        if published:
            line.append(published_cell(published.get(row.figure, [])))
        cells.append(line)
    return f"\n## {name}\n\n{description}\n\n" + table(head, cells)


def headline(config):
    for text in config.read_text().splitlines():
        if text.startswith("# ") and "SPDX" not in text:
            return text[2:]
    return ""


def sections(text):
    """{title: text} of the sections of a page, as section() returns them."""
    _, *found = re.split(r"(?m)^(?=## )", text)
    return {one[3:].partition("\n")[0]: "\n" + one.rstrip("\n") + "\n" for one in found}


def page(machines, folder, jobs, kept):
    """`kept`: the sections of other machines, by name."""
    data = json.loads(PUBLISHED.read_text())
    published, sources = data["machines"], data["sources"]
    written = dict(kept)
    for machine in machines:
        name = machine.config.stem
        print(name, file=sys.stderr, flush=True)
        written[name] = section(name, headline(machine.config),
                                rows_of(machine, folder, [], jobs), published.get(name, {}))
    text = PAGE + "".join(written[name] for name in sorted(written))
    others = sorted(set(published) - set(written))
    if others:
        text += "\n## Published figures of other chips\n\n"
        cells = [[name, MEANINGS[figure], published_cell(entries)]
                 for name in others for figure, entries in published[name].items()]
        cells += [[name, "none found", ""] for name in others if not published[name]]
        text += table(["chip", "", "published"], cells)
    text += "\n## Sources\n\n"
    return text + "".join(f"- [{key}] {source}\n" for key, source in sorted(sources.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpmem", default="warpmem", help="the command line tool")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--only", default="", help="figures, separated by commas")
    parser.add_argument("--check", action="store_true", help="fail when a figure is not as implied")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--page", type=pathlib.Path, help="write the page on all machines")
    parser.add_argument("configs", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if options.page is None and not options.configs:
        parser.error("a configuration, or --page")
    every = sorted((ROOT / "configs").glob("*.yaml"))
    configs = options.configs or every
    only = [name for name in options.only.split(",") if name]
    for name in only:
        if name not in MEANINGS:
            sys.exit(f"--only: {name} is no figure; allowed: {', '.join(MEANINGS)}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        machines = [Machine(options.warpmem, config, options.set) for config in configs]
        if options.page is not None:
            kept = {}
            if options.configs:
                there = sections(options.page.read_text())
                names = {config.stem for config in every} - {config.stem for config in configs}
                missing = sorted(names - set(there))
                if missing:
                    sys.exit(f"{options.page} has no section on {', '.join(missing)}")
                kept = {name: there[name] for name in names}
            options.page.write_text(page(machines, folder, options.jobs, kept))
            return
        failed = []
        for machine in machines:
            rows = rows_of(machine, folder, only, options.jobs)
            print(f"{machine.config.stem}\n")
            print(table(HEAD, [row.cells() for row in rows]))
            failed += [f"{machine.config.stem}: {row.figure} is {row.ratio:.3f} of what is implied"
                       for row in rows if not row.holds()]
    if options.check and failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
