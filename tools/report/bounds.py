# SPDX-License-Identifier: Apache-2.0
"""How near each resource of the machine is to what it can do: its use over the whole run, and the
roofline of its kernels."""
import math
from html import escape

from markupsafe import Markup

import charts
import stack
from figures import legend
from kernels import kernel_names, launches_of
from values import fixed, hertz, percent, run_colour, whole

LANES = 32


class Machine:
    """What the configuration says of the resources; None where it does not say."""

    def __init__(self, config):
        def number(key, default=None):
            return stack.whole_number(config.get(key, default))

        self.sms = number("sm.count")
        self.schedulers, self.interval = number("sm.schedulers"), number("sm.issue_interval", 1)
        self.banks = number("l1d.banks", 1)
        self.cluster = number("noc.cluster", 1)
        self.partitions, self.slices = number("memory.partitions"), number("l2.slices", 1)
        self.channels = number("dram.pseudo_channels", 1)
        self.bus_bytes = number("dram.bus_bytes")
        names = ("sm", "noc", "l2", "dram")
        self.clocks = {name: hertz(config.get(f"{name}.clock")) for name in names}

    def cycles(self, clock, sm_cycles):
        """Cycles of a clock in `sm_cycles` of the SMs."""
        if not self.clocks[clock] or not self.clocks["sm"]:
            return None
        return sm_cycles * self.clocks[clock] / self.clocks["sm"]

    def issue_roof(self):
        """Thread instructions a cycle."""
        if not self.sms or not self.schedulers or not self.interval:
            return None
        return LANES * self.sms * self.schedulers / self.interval

    def dram_roof(self):
        """Bytes from and to DRAM an SM cycle."""
        if not self.bus_bytes or not self.partitions or not self.cycles("dram", 1):
            return None
        buses = self.partitions * self.channels
        return self.bus_bytes * buses * self.cycles("dram", 1)


def product(*factors):
    return None if None in factors else math.prod(factors)


def resources(machine, stats):
    """[(name, what is counted, use from 0 to 1)] of those whose counters are there."""
    cycles = stats.get("gpu.cycles")
    if not cycles:
        return []
    ports = math.ceil(machine.sms / machine.cluster) if machine.sms and machine.cluster else None
    slices = product(machine.partitions, machine.slices)
    rows = [
        ("Schedulers", "warp instructions issued", "sm.warp_inst",
         product(cycles, machine.issue_roof(), 1 / LANES)),
        ("L1D, one bank", "requests accepted, one a cycle", "l1d.requests",
         product(cycles, machine.sms) if machine.banks == 1 else None),
        ("Crossbar to L2", "cycles in which an output moves a flit", "noc.request.busy_cycles",
         product(machine.cycles("noc", cycles), slices)),
        ("Crossbar to the SMs", "cycles in which an output moves a flit",
         "noc.response.busy_cycles", product(machine.cycles("noc", cycles), ports)),
        ("L2", "requests accepted, one a cycle and slice", "l2.requests",
         product(machine.cycles("l2", cycles), slices)),
        ("DRAM data buses", "cycles with data", "dram.data_bus_cycles",
         product(machine.cycles("dram", cycles), machine.partitions, machine.channels)),
    ]
    return [(n, what, stats[key] / most) for n, what, key, most in rows if most and key in stats]


def uses(runs):
    """Rows of the table: a resource, its use in each run, and the cycles that it alone takes."""
    found = [resources(Machine(run.config), run.stats) for run in runs]
    rows = []
    for name, what in dict.fromkeys((n, w) for row in found for n, w, _ in row):
        cells = []
        for run, row in zip(runs, found):
            use = next((use for n, _, use in row if n == name), None)
            bound = f"{whole(use * run.stats['gpu.cycles'])} cycles at least" if use else ""
            cells.append(
                {
                    "text": percent(use) if use is not None else "–",
                    "bound": bound,
                    "width": f"{min(100 * (use or 0), 100):.1f}",
                }
            )
        rows.append({"name": name, "what": what, "cells": cells})
    return rows


def dram_bytes(machine, stats):
    return product(stats.get("dram.data_bus_cycles"), machine.bus_bytes)


def points(runs, machine):
    """[(run index, kernel, instructions a byte, instructions a cycle)]."""
    found = []
    for index, run in enumerate(runs):
        for name in kernel_names(runs):
            launches = launches_of(run, name)
            sums = {
                key: sum(s.get(key, 0) for s in launches)
                for key in ("gpu.cycles", "gpu.thread_inst", "dram.data_bus_cycles")
            }
            moved = dram_bytes(machine, sums)
            if sums["gpu.cycles"] and sums["gpu.thread_inst"] and moved:
                work = sums["gpu.thread_inst"]
                found.append((index, name, work / moved, work / sums["gpu.cycles"]))
    return found


def roofline(runs):
    """The chart, or None where the runs do not share a machine's roofs or count no DRAM traffic."""
    machines = [Machine(run.config) for run in runs]
    roofs = {(m.issue_roof(), m.dram_roof()) for m in machines}
    if len(roofs) != 1 or None in next(iter(roofs)):
        return None
    issue, dram = next(iter(roofs))
    found = points(runs, machines[0])
    if not found:
        return None
    title = "Roofline of the kernels"
    knee = issue / dram
    low_x = min([x for *_, x, _ in found] + [knee]) / 2
    high_x = max([x for *_, x, _ in found] + [knee]) * 2
    low_y = min(y for *_, y in found) / 2
    frame = LogFrame((low_x, high_x), (low_y, issue * 1.5))
    body = frame.draw("thread instructions a byte of DRAM traffic", "thread instructions a cycle")
    start = max(low_x, low_y / dram)
    roof = [(start, start * dram), (knee, issue), (high_x, issue)]
    path = " L".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in roof)
    body.append(f'<path d="M{path}" class="line" style="stroke:var(--soft)"/>')
    body.append(
        charts.text(
            frame.x(high_x), frame.y(issue) - 6, f"issue: {fixed(issue)} a cycle", "end"
        )
    )
    body.append(
        charts.text(
            frame.x(start) + 6, frame.top + frame.height - 8,
            f"left of the bend DRAM: {fixed(dram)} bytes a cycle", "start",
        )
    )
    for index, name, x, y in found:
        limit = min(issue, x * dram)
        tip = f"{runs[index].name}, {name}: {fixed(y)} a cycle, {percent(y / limit)} of the roof"
        body.append(
            f'<circle cx="{frame.x(x):.1f}" cy="{frame.y(y):.1f}" r="5" class="part" '
            f'style="fill:var({run_colour(index)})"><title>{escape(tip)}</title></circle>'
        )
    return {
        "title": title,
        "legend": legend([(run.name, run_colour(i), "") for i, run in enumerate(runs)]),
        "svg": Markup(charts.svg(frame.top + frame.height + 44, body, title)),
        "note": "Each mark is a kernel. One near the slanted roof is limited by DRAM's bandwidth, "
        "one near the flat roof by issue; one far below both waits for something else, as a rule "
        "for latency.",
    }


class LogFrame:
    """Axes of a chart, both logarithmic."""

    def __init__(self, x_range, y_range):
        self.top, self.height = 16, 260
        self.x_range, self.y_range = x_range, y_range

    @staticmethod
    def place(value, limits):
        return math.log(value / limits[0]) / math.log(limits[1] / limits[0])

    def x(self, value):
        span = charts.WIDTH - charts.LEFT - charts.RIGHT
        return charts.LEFT + span * self.place(value, self.x_range)

    def y(self, value):
        return self.top + self.height * (1 - self.place(value, self.y_range))

    @staticmethod
    def ticks(limits):
        powers = range(math.floor(math.log10(limits[0])), math.ceil(math.log10(limits[1])) + 1)
        steps = (1, 2, 5) if len(powers) < 5 else (1,)
        every = [step * 10.0**power for power in powers for step in steps]
        return [tick for tick in every if limits[0] <= tick <= limits[1]]

    def draw(self, x_title, y_title):
        body = []
        right = charts.WIDTH - charts.RIGHT
        bottom = self.top + self.height
        for tick in self.ticks(self.y_range):
            y = self.y(tick)
            body.append(
                f'<line x1="{charts.LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
            )
            body.append(charts.text(charts.LEFT - 6, y + 4, charts.number(tick), "end"))
        for tick in self.ticks(self.x_range):
            body.append(charts.text(self.x(tick), bottom + 16, charts.number(tick), "middle"))
        body.append(charts.text((charts.LEFT + right) / 2, bottom + 34, x_title, "middle", "axis"))
        middle = self.top + self.height / 2
        body.append(
            f'<text transform="translate(14 {middle:.1f}) rotate(-90)" text-anchor="middle" '
            f'class="axis">{escape(y_title)}</text>'
        )
        return body
