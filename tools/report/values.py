# SPDX-License-Identifier: Apache-2.0
"""Values that the page shows, from the statistics of a run, and their text."""
import re

import quantities

CACHES = (("l1d", "L1D"), ("l2", "L2"))

# Order and colour are the same in every chart of the page.
CAUSES = {
    "entry_full": ("--c0", "no MSHR entry free"),
    "merge_full": ("--c1", "the entry of the line takes no more requests"),
    "assoc_full": ("--c2", "every line of the set is reserved"),
    "miss_queue_full": ("--c3", "the queue towards the next level is full"),
    "set_locked": ("--c4", "every line of the set is shared (TSMA)"),
    "mshr_set_full": ("--c5", "the MSHR set is full (set-associative)"),
}
RUN_COLOURS = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5", "--c6", "--c7"]


def run_colour(index):
    return RUN_COLOURS[index % len(RUN_COLOURS)]


def first(stats, *names):
    """The first of the statistics that is there, else None."""
    return next((stats[name] for name in names if name in stats), None)


def quotient(stats, above, below):
    if above in stats and stats.get(below):
        return stats[above] / stats[below]
    return None


def hit_rate(stats, cache):
    rate = first(stats, f"{cache}.hit_rate")
    return rate if rate is not None else quotient(stats, f"{cache}.hits", f"{cache}.accesses")


def by_cause(stats, cache, group, kind):
    """Values of "<cache>.<group>.<cause>.<kind>" by cause."""
    pattern = re.compile(rf"{cache}\.{group}\.(\w+)\.{kind}$")
    return {m.group(1): value for name, value in stats.items() if (m := pattern.match(name))}


def fails(stats, cache, kind="cycles"):
    """Reservation fails of one kind by cause; empty when the run does not have them."""
    return by_cause(stats, cache, "reservation_fails", kind)


def other_stalls(stats, cache):
    """Cycles with the head stopped for anything else; None when the run does not have them."""
    found = by_cause(stats, cache, "stalls", "cycles")
    return sum(found.values()) if found else None


def all_fails(stats, cache, kind="cycles"):
    found = fails(stats, cache, kind)
    return sum(found.values()) if found else None


def mean_load_latency(run):
    histogram = run.histograms.get("sm.load.latency")
    return (
        histogram["sum"] / histogram["samples"] if histogram and histogram.get("samples") else None
    )


def fail_series(run, cache):
    return by_cause(run.series, cache, "reservation_fails", "over_time")


def occupancy_series(run, cache):
    return run.series.get(f"{cache}.mshr.occupancy")


def hertz(text):
    """"1137 MHz" -> 1137e6; None for anything else."""
    return quantities.number(str(text), quantities.HERTZ)


def whole(value):
    return f"{value:,.0f}"


def fixed(value):
    return f"{value:,.2f}" if abs(value) < 1000 else f"{value:,.0f}"


def percent(value):
    return f"{100 * value:.1f} %"


def times(value):
    return f"{value:.3f}×"


def signed(percentage):
    return f"{percentage:+.1f} %".replace("-", "−")


def change(value, base):
    """ "+12.3 %" against the baseline; empty when that says nothing."""
    if base in (None, 0) or value is None:
        return ""
    ratio = value / base - 1
    return "±0 %" if abs(ratio) < 0.0005 else signed(100 * ratio)


def join(words):
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
