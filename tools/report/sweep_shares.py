# SPDX-License-Identifier: Apache-2.0
"""Figures of a sweep of warp schedulers: what each point's accesses and cycles consist of."""
from charts import stacked_bars


class Share:
    """Statistics that add up to a whole. `parts`: (statistic, colour, words)."""

    def __init__(self, title, unit, note, parts):
        self.title, self.unit, self.note, self.parts = title, unit, note, parts

    def of(self, point):
        """Percent by words, or None for a point without these statistics."""
        values = {words: point.stats.get(name, 0) for name, _, words in self.parts}
        whole = sum(values.values())
        return {w: 100 * v / whole for w, v in values.items()} if whole else None


ACCESSES = Share(
    "L1D accesses by locality",
    "% of the accesses of loads",
    "KI Figs 2.11 and 3.5: primary misses, and hits in L1D and in the MSHRs by whether the "
    "requester's warp brought the line.",
    [
        ("l1d.class.miss", "--c0", "miss"),
        ("l1d.class.intra", "--c1", "hit within the warp"),
        ("l1d.class.inter", "--c2", "hit between warps"),
        ("l1d.class.intra_m", "--c3", "MSHR hit within the warp"),
        ("l1d.class.inter_m", "--c4", "MSHR hit between warps"),
    ],
)
POLICY = Share(
    "Policy of LAWS",
    "% of the cycles",
    "KI Fig 2.14: how long each policy was active, over all SMs.",
    [
        ("sm.laws.unfair_cycles", "--c1", "GTO"),
        ("sm.laws.fair_cycles", "--c2", "GTLR"),
    ],
)
WARPS = Share(
    "Warps that may issue under LAWS-TH",
    "% of the cycles",
    "KI Fig 3.9: how long each limit held, over all SMs.",
    [
        *((f"sm.throttle.warps.{n}.cycles", f"--c{n - 2}", f"{n} warps") for n in range(2, 8)),
        ("sm.throttle.warps.8_up.cycles", "--c6", "8 warps or more"),
        ("sm.throttle.warps.all.cycles", "--c7", "no limit"),
    ],
)
SHARES = (ACCESSES, POLICY, WARPS)


def share_chart(share, points, axis, combination):
    """None when no point has these statistics."""
    bars = []
    for point in points:
        parts = share.of(point)
        if parts:
            label = point.labels.get(axis, "") if axis else ""
            bars.append((f"{point.shown} {label}".strip(), parts))
    if not bars:
        return None
    return {
        "title": share.title + (f" · {combination}" if combination else ""),
        "note": share.note,
        "legend": [{"name": words, "colour": colour} for _, colour, words in share.parts],
        "svg": stacked_bars(
            bars,
            [words for _, _, words in share.parts],
            {words: colour for _, colour, words in share.parts},
            share.unit,
            share.title,
            lambda percent: f"{percent:.1f} %",
        ),
    }


def share_charts(points, axis, combination):
    """Of a sweep in which LAWS took part; else none."""
    if not any("sm.laws.fair_cycles" in point.stats for point in points):
        return []
    charts = [share_chart(share, points, axis, combination) for share in SHARES]
    return [chart for chart in charts if chart]
