# SPDX-License-Identifier: Apache-2.0
"""The metrics of a launch of a run, from its statistics and its configuration."""
import re

from metrics import FEW

SECTOR = 32  # bytes


class Absent(Exception):
    """Why the run does not have a metric."""


def enough(count, what):
    """A rate of a few accesses says nothing, and would be far off by points."""
    if count < FEW:
        raise Absent(f"{what} is below {FEW}, too few for a rate")
    return count


class Launch:
    """One launch of stats.json."""

    def __init__(self, kernel, config):
        self.name = kernel["name"]
        self.number = kernel["launch"]
        self.stats = kernel["stats"]
        self.histograms = kernel.get("histograms", {})
        self.config = config

    def stat(self, name):
        if name not in self.stats:
            raise Absent(f"the run has no statistic {name}")
        return self.stats[name]

    def any(self, name):
        """The statistic, 0 on a machine that lacks the part."""
        return self.stats.get(name, 0)

    def share(self, part, whole):
        return 100 * self.stat(part) / enough(self.stat(whole), whole)

    def mean(self, name):
        histogram = self.histograms.get(name, {})
        samples, total = histogram.get("samples"), histogram.get("sum")
        if not isinstance(samples, int) or not isinstance(total, int) or samples < 1:
            raise Absent(f"the run has no values of {name}")
        return total / samples

    def clock_ghz(self):
        match = re.match(r"([\d.]+) (M|G)Hz$", self.config.get("sm.clock", ""))
        if match is None:
            raise Absent("config.yaml of the run does not tell sm.clock")
        return float(match[1]) * (1 if match[2] == "G" else 1e-3)

    def line(self, cache):
        text = self.config.get(f"{cache}.line", "")
        if not text.isdigit():
            raise Absent(f"config.yaml of the run does not tell {cache}.line")
        return int(text)


def kernel_cycles(run):
    return run.stat("gpu.cycles") - run.any("gpu.launch_cycles")


def per_cycle(instructions, cycles):
    if cycles <= 0:
        raise Absent("the launch took no cycle")
    return instructions / cycles


def l1d_sectors(run, value):
    """A count of L1D's requests as one of sectors: the same where each request is one sector."""
    run.stat("sm.requests.bytes_32")
    if run.any("sm.requests.bytes_64") or run.any("sm.requests.bytes_128"):
        raise Absent("L1D counts requests, and some are wider than a sector of 32 B")
    return value


def l2_read_bytes(run):
    for name, what in (("sm.bulk.requests", "bulk copies"), ("l2.atomics", "atomics")):
        if run.any(name):
            raise Absent(f"{what} read L2, and their bytes are not counted")
    if "l1d.fetch_bytes" in run.stats:
        return run.stat("l1d.fetch_bytes") + run.any("l1d.bypasses.bytes")
    if run.any("l1d.bypasses"):
        raise Absent("bypasses read L2, and their bytes are not counted")
    run.stat("l1d.accesses")  # without L1D requests have other sizes
    return run.stat("l2.reads") * run.line("l1d")


def l2_write_bytes(run):
    if run.any("l2.atomics"):
        raise Absent("atomics write L2, and their bytes are counted with those of stores")
    return run.stat("l2.write_bytes")


def l2_sectors(run, value):
    """A count of L2's requests as one of sectors: the same where each request is one sector."""
    reads, writes = run.stat("l2.reads"), run.stat("l2.writes")
    if l2_read_bytes(run) != SECTOR * reads or l2_write_bytes(run) != SECTOR * writes:
        raise Absent("L2 counts requests, and some are wider than a sector of 32 B")
    return value


def l2_misses(run):
    return run.stat("l2.primary_misses") + run.any("l2.placements")


def dram_read_bytes(run):
    if run.any("l2.bypasses"):
        raise Absent("reads that bypass L2 are counted, and their bytes are not")
    if "l2.fetch_bytes" in run.stats:
        return run.stat("l2.fetch_bytes")
    return run.stat("dram.reads") * run.line("l2")


def dram_write_bytes(run):
    if run.stat("dram.writes") != run.stat("l2.writebacks"):
        raise Absent("writes go through L2, and their bytes are not counted")
    if "l2.writeback_bytes" in run.stats:
        return run.stat("l2.writeback_bytes")
    return run.stat("dram.writes") * run.line("l2")


def row_hit_rate(run):
    enough(run.stat("dram.reads") + run.stat("dram.writes"), "dram.reads + dram.writes")
    return 100 * run.stat("dram.row_hit_rate")


OUTSIDE_L1D = ("crossbar", "l2_queue", "l2_access", "dram_queue", "dram_service", "response_path")


def memory_latency(run):
    """Cycles that a read of L2 takes. The stages are means over all load requests, of which the
    others spend no time there; misses of local stores and bulk copies are in no stage."""
    if run.stat("l1d.accesses") != run.stat("sm.load.requests"):
        raise Absent("not all accesses of L1D are loads, and the time of the others is not counted")
    travelled = run.stat("l1d.primary_misses") + run.any("l1d.bypasses")
    if travelled == 0:
        raise Absent("no load left L1D")
    ns = sum(run.stat(f"sm.latency.{stage}_ns") for stage in OUTSIDE_L1D)
    return ns * run.stat("sm.load.requests") / travelled * run.clock_ghz()


# What a pair (metric, unit) is in the statistics of a launch.
FORMULAS = {
    ("cycles", "cycles"): lambda r: r.stat("gpu.cycles"),
    ("kernel_cycles", "cycles"): kernel_cycles,
    ("duration", "ns"): lambda r: r.stat("gpu.cycles") / r.clock_ghz(),
    ("ipc", "per cycle"): lambda r: per_cycle(r.stat("gpu.thread_inst"), r.stat("gpu.cycles")),
    ("warp_ipc", "per cycle"): lambda r: per_cycle(r.stat("gpu.warp_inst"), r.stat("gpu.cycles")),
    ("warp_instructions", "instructions"): lambda r: r.stat("gpu.warp_inst"),
    ("thread_instructions", "instructions"): lambda r: r.stat("gpu.thread_inst"),
    ("loads", "instructions"): lambda r: r.stat("sm.loads"),
    ("l1d.accesses", "requests"): lambda r: r.stat("l1d.accesses") + r.stat("l1d.write_accesses"),
    ("l1d.reads", "requests"): lambda r: r.stat("l1d.accesses"),
    ("l1d.writes", "requests"): lambda r: r.stat("l1d.write_accesses"),
    ("l1d.misses", "requests"): lambda r: r.stat("l1d.primary_misses"),
    ("l1d.merges", "requests"): lambda r: r.stat("l1d.secondary_misses"),
    ("l1d.hit_rate", "%"): lambda r: r.share("l1d.hits", "l1d.accesses"),
    ("l2.accesses", "requests"): lambda r: r.stat("l2.accesses"),
    ("l2.accesses", "sectors"): lambda r: (l2_read_bytes(r) + l2_write_bytes(r)) / SECTOR,
    ("l2.reads", "requests"): lambda r: r.stat("l2.reads") + r.stat("l2.atomics"),
    ("l2.reads", "sectors"): lambda r: l2_read_bytes(r) / SECTOR,
    ("l2.writes", "requests"): lambda r: r.stat("l2.writes"),
    ("l2.writes", "sectors"): lambda r: l2_write_bytes(r) / SECTOR,
    ("l2.misses", "requests"): l2_misses,
    ("l2.merges", "requests"): lambda r: r.stat("l2.secondary_misses"),
    ("l2.hit_rate", "%"): lambda r: r.share("l2.hits", "l2.accesses"),
    ("dram.reads", "requests"): lambda r: r.stat("dram.reads"),
    ("dram.writes", "requests"): lambda r: r.stat("dram.writes"),
    ("dram.read_bytes", "B"): dram_read_bytes,
    ("dram.write_bytes", "B"): dram_write_bytes,
    ("dram.row_hit_rate", "%"): row_hit_rate,
    ("load_latency", "cycles"): lambda r: r.mean("sm.load.latency"),
    ("memory_latency", "cycles"): memory_latency,
}
SECTORS = {"requests": "sectors", "%": "% of sectors"}


def value(run, metric, unit):
    """The metric of a launch, in that unit. Absent when the run does not have it."""
    formula = FORMULAS.get((metric.name, unit))
    if formula is not None:
        return formula(run)
    requests = next(u for u, sectors in SECTORS.items() if sectors == unit)
    counted = l1d_sectors if metric.name.startswith("l1d.") else l2_sectors
    return counted(run, FORMULAS[metric.name, requests](run))
