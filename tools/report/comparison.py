# SPDX-License-Identifier: Apache-2.0
"""The comparison table: one row a quantity, one column a run."""
from collections.abc import Callable
from typing import NamedTuple

from values import (
    CACHES,
    CAUSES,
    all_fails,
    change,
    fails,
    first,
    fixed,
    hit_rate,
    mean_load_latency,
    other_stalls,
    percent,
    times,
    whole,
)


class Quantity(NamedTuple):
    """A row. `value` is a function of a run, `form` of a value; `better` says whether more is
    better, None where neither is."""

    label: str
    doc: str
    value: Callable
    form: Callable
    better: bool | None = None


def stat(*names):
    return lambda run: first(run.stats, *names)


def of_machine(base_cycles):
    """`base_cycles`: of the first run, or None."""

    def speed_up(run):
        cycles = run.stats.get("gpu.cycles")
        return base_cycles / cycles if base_cycles and cycles and not run.other_work else None

    return [
        Quantity("Cycles", "SM clock cycles until the last thread block ended",
                 stat("gpu.cycles"), whole, False),
        Quantity("Speed-up", "cycles of the first run ÷ cycles of this run", speed_up, times, True),
        Quantity("IPC, instructions a cycle", "thread instructions per cycle, all SMs",
                 stat("gpu.ipc"), fixed, True),
        Quantity("Warp instructions", "instructions issued, one per warp of 32 threads",
                 stat("gpu.warp_inst", "sm.warp_inst"), whole),
        Quantity("Mean load latency, cycles", "from the issue of a load to its last response",
                 mean_load_latency, fixed, False),
    ]  # fmt: skip


def of_requests(key):
    """What becomes of the requests to a cache."""
    return [
        Quantity("Accesses, requests", "requests accepted; refused attempts do not count",
                 stat(f"{key}.accesses"), whole),
        Quantity("Hit rate", "hits ÷ accesses", lambda r: hit_rate(r.stats, key), percent, True),
        Quantity("Primary misses, requests",
                 "first miss of a line: takes an MSHR entry and asks the next level",
                 stat(f"{key}.primary_misses"), whole),
        Quantity("Secondary misses, requests",
                 "miss of a line already asked for: merged in its MSHR entry",
                 stat(f"{key}.secondary_misses"), whole),
    ]  # fmt: skip


def of_cause(key, cause):
    return Quantity(f"– {cause}", CAUSES.get(cause, ("", ""))[1],
                    lambda r: fails(r.stats, key).get(cause), whole, False)  # fmt: skip


def of_refusals(key, runs):
    """How long a cache refuses, by the causes that some run has, and how many requests."""
    seen = {cause for run in runs for cause in fails(run.stats, key)}
    causes = [c for c in CAUSES if c in seen] + sorted(seen - set(CAUSES))
    return [
        Quantity("Reservation fails, cycles",
                 "cycles in which the request at the head was refused",
                 lambda r: all_fails(r.stats, key), whole, False),
        *(of_cause(key, cause) for cause in causes),
        Quantity("Requests ever refused",
                 "added up over the causes: refused for two causes counts in both",
                 lambda r: all_fails(r.stats, key, "requests"), whole, False),
        Quantity("Other stalls, cycles",
                 "head stopped for what is not a reservation fail, such as a line being filled",
                 lambda r: other_stalls(r.stats, key), whole, False),
    ]  # fmt: skip


def of_mshrs(key):
    return [
        Quantity("MSHR utilisation", "occupied slots ÷ all slots, time average",
                 stat(f"{key}.mshr.utilization"), percent),
        Quantity("MSHR peak, slots", "most slots occupied at once in one cache",
                 stat(f"{key}.mshr.peak"), whole),
        Quantity("MSHR comparator activations, entries",
                 "entries compared in look-ups: the power figure",
                 stat(f"{key}.mshr.comparator_activations"), whole, False),
        Quantity("Bypasses, requests", "sent around the cache", stat(f"{key}.bypasses"), whole),
    ]  # fmt: skip


OF_DRAM = [
    Quantity("Row-hit rate", "column commands that found their row open",
             stat("dram.row_hit_rate"), percent, True),
    Quantity("Efficiency", "data-bus cycles ÷ cycles with a request pending",
             stat("dram.efficiency"), percent, True),
    Quantity("Bank-level parallelism, banks", "banks busy at once, while any is",
             stat("dram.blp"), fixed, True),
]  # fmt: skip


def groups(runs):
    """[(name, quantities)] in the order of the table."""
    return [
        ("Machine", of_machine(first(runs[0].stats, "gpu.cycles"))),
        *((name, of_requests(key) + of_refusals(key, runs) + of_mshrs(key))
          for key, name in CACHES),
        ("DRAM", OF_DRAM),
    ]  # fmt: skip


def cells(quantity, values, runs):
    """Each value, and how it differs from that of the first run."""
    found = []
    for index, (value, run) in enumerate(zip(values, runs)):
        compared = index and quantity.form is not times and not run.other_work
        delta = change(value, values[0]) if compared else ""
        tone = ""
        if delta and quantity.better is not None and not delta.startswith("±"):
            tone = "good" if (value > values[0]) == quantity.better else "bad"
        text = "–" if value is None else quantity.form(value)
        found.append({"text": text, "delta": delta, "tone": tone})
    return found


def comparison(runs):
    """Rows of the comparison table, the labels of those that no run has, and of those that are 0 in
    every run."""
    rows, absent, zeros = [], [], []
    for group, quantities in groups(runs):
        begin = len(rows)
        for quantity in quantities:
            values = [quantity.value(run) for run in runs]
            if all(value is None for value in values):
                absent.append(f"{group}: {quantity.label}")
            elif not any(values):
                zeros.append(f"{group}: {quantity.label.removeprefix('– ')}")
            else:
                rows.append({"group": group, "label": quantity.label, "doc": quantity.doc,
                             "cells": cells(quantity, values, runs),
                             "first": len(rows) == begin})  # fmt: skip
    return rows, absent, zeros
