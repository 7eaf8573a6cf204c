# SPDX-License-Identifier: Apache-2.0
"""Which run is fastest, by how much, and which causes make the difference."""
import stack
from values import (
    CAUSES,
    all_fails,
    fails,
    first,
    fixed,
    hertz,
    hit_rate,
    join,
    mean_load_latency,
    percent,
    whole,
)

MOST_CAUSES = 3
LEAST_SHARE = 0.02  # of the difference: what is below is no cause to name
SAME = 0.0005  # ratios closer to 1 than this are called equal


def clock_of(run):
    return hertz(run.config.get("sm.clock"))


class Ranking:
    """`times`: run -> cycles of the SMs, or seconds where the runs have different clocks; only of
    runs that did the work of the first. `winners` are those with the least time: several when they
    tie."""

    def __init__(self, runs):
        able = [r for r in runs if not r.other_work and r.stats.get("gpu.cycles")]
        able = [r for r in able if r.manifest.get("status", "complete") == "complete"]
        clocks = {clock_of(r) for r in able}
        self.in_seconds = len(clocks) > 1 and None not in clocks
        self.comparable = len(clocks) <= 1 or self.in_seconds
        self.times = {}
        if self.comparable:
            self.times = {r: self.time_of(r) for r in able}
        best = min(self.times.values(), default=None)
        self.winners = [r for r, time in self.times.items() if time <= best * (1 + SAME)]
        self.losers = sorted(
            (r for r in self.times if r not in self.winners), key=lambda r: self.times[r]
        )

    def time_of(self, run):
        cycles = run.stats["gpu.cycles"]
        return cycles / clock_of(run) if self.in_seconds else cycles

    def gain(self, winner, loser):
        return self.times[loser] / self.times[winner]

    def opponent(self, runs):
        """With whom the winner is compared: the baseline, or the next best if it is that."""
        if not self.winners or not self.losers:
            return None
        return runs[0] if runs[0] in self.losers else self.losers[0]


def time_text(run):
    """"342,935 cycles, 302 µs"."""
    cycles, clock = run.stats.get("gpu.cycles"), clock_of(run)
    if cycles is None:
        return ""
    text = f"{whole(cycles)} cycles"
    return f"{text}, {duration(cycles / clock)}" if clock else text


def duration(seconds):
    for limit, factor, unit in ((1, 1, "s"), (1e-3, 1e3, "ms"), (0, 1e6, "µs")):
        if seconds >= limit:
            return f"{seconds * factor:.3g} {unit}"
    return ""


def pair(label, function, form, runs):
    """"L2 hit rate 61.0 % instead of 12.3 %", or "" where there is nothing to tell apart."""
    values = [function(run) for run in runs]
    if None in values:
        return ""
    texts = [form(value) for value in values]
    if len(texts) == 1:
        return f"{label} {texts[0]}"
    return "" if texts[0] == texts[1] else f"{label} {texts[0]} instead of {texts[1]}"


def stat(*names):
    return lambda run: first(run.stats, *names)


def dram_accesses(run):
    values = [run.stats.get("dram.reads"), run.stats.get("dram.writes")]
    return None if None in values else sum(values)


def mean_of(name):
    def mean(run):
        found = run.histograms.get(name)
        return found["sum"] / found["samples"] if found and found.get("samples") else None

    return mean


def most_refused(run, cache):
    """"97 % of them no MSHR entry free", or "" when nothing was refused."""
    found = {c: v for c, v in fails(run.stats, cache).items() if v}
    if not found:
        return ""
    cause = max(found, key=found.get)
    share = f"{100 * found[cause] / sum(found.values()):.0f} %"
    return f"{share} of them: {CAUSES.get(cause, ('', cause))[1]}"


def refusals(cache, name):
    def text(runs):
        label = f"cycles in which {name} refuses"
        found = pair(label, lambda r: all_fails(r.stats, cache), whole, runs)
        why = most_refused(runs[-1], cache)  # the run that suffers is the last one
        return f"{found} ({why})" if found and why else found

    return text


def hits(cache, name):
    return lambda runs: pair(f"{name} hit rate", lambda r: hit_rate(r.stats, cache), percent, runs)


def figure(label, function, form=whole):
    return lambda runs: pair(label, function, form, runs)


# What is shown beside a cause: the counters that usually are behind it.
EVIDENCE = {
    "issue": [figure("warp instructions", stat("gpu.warp_inst", "sm.warp_inst"))],
    "result": [figure("warp instructions", stat("gpu.warp_inst", "sm.warp_inst"))],
    "l1d": [refusals("l1d", "L1D"), hits("l1d", "L1D")],
    "mshr": [figure("L1D secondary misses", stat("l1d.secondary_misses"))],
    "translation": [figure("page faults", stat("uvm.faults"))],
    "crossbar": [
        figure("flits from L2", stat("noc.response.flits")),
        figure("mean way back of", mean_of("noc.response.latency"), lambda v: f"{v:.0f} cycles"),
    ],
    "l2": [refusals("l2", "L2"), hits("l2", "L2")],
    "dram": [
        figure("DRAM accesses", dram_accesses),
        hits("l2", "L2"),
        figure("DRAM row hits", stat("dram.row_hit_rate"), percent),
    ],
    "memory": [figure("mean load latency", mean_load_latency, lambda v: f"{fixed(v)} cycles")],
    "lsu": [refusals("l1d", "L1D"), hits("l1d", "L1D")],
    "barrier": [figure("barriers", stat("sm.barriers"))],
}


def evidence(key, runs):
    return join(filter(None, (tell(runs) for tell in EVIDENCE.get(key, []))))


def causes(ranking, winner, opponent, stacks):
    """Where the opponent loses most: [{words, colour, amount, share, evidence}], and the same of
    the part in which it gains most; None when it gains nowhere. Amounts are cycles, or seconds as
    the ranking's times are."""

    def amounts(run):
        scale = clock_of(run) if ranking.in_seconds else 1
        return {key: value / scale for key, value in stacks[run].parts.items()}

    ours, theirs = amounts(winner), amounts(opponent)
    keys = [key for key, _, _ in stack.PARTS if key in ours or key in theirs]
    lost = {key: theirs.get(key, 0) - ours.get(key, 0) for key in keys}
    whole_loss = ranking.times[opponent] - ranking.times[winner]

    def told(key):
        return {
            "words": stack.WORDS[key],
            "colour": stack.COLOURS[key],
            "amount": abs(lost[key]),
            "share": lost[key] / whole_loss,
            "evidence": evidence(key, [winner, opponent]),
        }

    order = sorted(keys, key=lambda key: -lost[key])
    found = [told(key) for key in order if lost[key] > LEAST_SHARE * whole_loss][:MOST_CAUSES]
    worst = order[-1]
    return found, told(worst) if lost[worst] < -LEAST_SHARE * whole_loss else None


def main_parts(run, stacks):
    """Of a run by itself: where most of its cycles go."""
    parts = stacks[run].parts
    order = sorted(parts, key=lambda key: -parts[key])
    return [
        {
            "words": stack.WORDS[key],
            "colour": stack.COLOURS[key],
            "amount": parts[key],
            "share": stacks[run].share(key),
            "evidence": evidence(key, [run]),
        }
        for key in order[:MOST_CAUSES]
    ]
