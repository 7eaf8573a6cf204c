# SPDX-License-Identifier: Apache-2.0
"""One request's life: the slowest one of the instruction that costs most, stage by stage, as its
time stamps tell (`run --per-pc`)."""
from html import escape

from markupsafe import Markup

import charts
from figures import STAGE_COLOURS, stage_name
from instructions import costliest, instructions_of, short_kernel

# Where a request is in each stage, in the order of its way.
PLACES = (
    ("LSU", ("coalescer",)),
    ("TLB", ("tlb", "walk", "fault", "transfer")),
    ("L1D queue", ("l1d_queue",)),
    ("L1D and its MSHRs", ("mshr_wait",)),
    ("crossbar, to L2", ("crossbar",)),
    ("L2", ("l2_queue", "l2_access")),
    ("DRAM", ("dram_queue", "dram_service")),
    ("crossbar, from L2", ("response_path",)),
    ("registers", ("writeback",)),
)
LEFT, ROW = 150, 24


def spans(slowest):
    """[(stage, begin, end)] in ns from the issue."""
    result, at = [], 0
    for part in slowest["parts"]:
        result.append((part["name"], at / 1e6, (at + part["fs"]) / 1e6))
        at += part["fs"]
    return result


def picture(slowest, length, label):
    """The way of a request downwards and back, on an axis of `length` ns."""
    found = spans(slowest)
    seen = {stage for stage, _, _ in found}
    rows = [(name, stages) for name, stages in PLACES if seen & set(stages)]
    known = {stage for _, stages in PLACES for stage in stages}
    rows += [(stage_name(stage), (stage,)) for stage in sorted(seen - known)]
    ticks = charts.nice_ticks(length, 6)
    scale = (charts.WIDTH - LEFT - 70) / ticks[-1]
    height = 8 + ROW * len(rows)
    body = []
    for tick in ticks:
        x = LEFT + tick * scale
        body.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{height}" class="grid"/>')
        body.append(charts.text(x, height + 16, charts.number(tick), "middle"))
    middle = LEFT + (charts.WIDTH - LEFT - 70) / 2
    body.append(charts.text(middle, height + 34, "ns from issue", "middle", "axis"))
    y_before = None
    for stage, begin, end in found:
        row = next(i for i, (_, stages) in enumerate(rows) if stage in stages)
        y = 8 + row * ROW
        x = LEFT + begin * scale
        if y_before is not None and y_before != y:
            low, high = sorted((y_before + 9, y + 9))
            body.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low}" y2="{high}" class="limit"/>'
            )
        y_before = y
        tip = f"{stage_name(stage)}: {begin:.1f}–{end:.1f} ns, {end - begin:.1f} ns"
        body.append(
            f'<rect x="{x:.1f}" y="{y}" width="{max((end - begin) * scale, 1):.1f}" height="18" '
            f'style="fill:var({STAGE_COLOURS.get(stage, "--c7")})">'
            f"<title>{escape(tip)}</title></rect>"
        )
    for index, (name, stages) in enumerate(rows):
        spent = sum(end - begin for stage, begin, end in found if stage in stages)
        last = max(end for stage, _, end in found if stage in stages)
        y = 8 + index * ROW + 13
        body.append(charts.text(LEFT - 8, y, name, "end"))
        body.append(charts.text(LEFT + last * scale + 5, y, f"{spent:.1f} ns", "start", "value"))
    return Markup(charts.svg(height + 42, body, label))


def lives(runs):
    """Pictures on one axis: in each run the slowest request of the instruction that costs most in
    the first run that has one; [] without."""
    chosen = next((found for run in runs if (found := costliest(run))), None)
    if chosen is None:
        return []
    kernel, one = chosen
    found = []
    for run in runs:
        same = [
            i for i in instructions_of(run).get(kernel, [])
            if (i["pc"], i["line"], i["text"]) == (one["pc"], one["line"], one["text"])
        ]
        if same and same[0].get("slowest"):
            found.append((run, same[0]))
    length = max((i["slowest"]["fs"] / 1e6 for _, i in found), default=0)
    result = []
    for run, i in found:
        slowest = i["slowest"]
        where = f"line {i['source_line']}" if i["source_line"] else f"PC 0x{i['pc']:x}"
        title = f"{run.name}: the slowest request of {i['text'] or i['op']}, {where} of " \
                f"{short_kernel(kernel)}"
        result.append(
            {
                "title": title,
                "legend": [
                    {"colour": STAGE_COLOURS.get(s, "--c7"), "name": stage_name(s), "doc": ""}
                    for s in dict.fromkeys(part["name"] for part in slowest["parts"])
                ],
                "svg": picture(slowest, length, title),
                "words": ", ".join(f"{stage_name(stage)} {end - begin:.1f} ns"
                                   for stage, begin, end in spans(slowest)),
                "note": f"SM {slowest['sm']}, block {slowest['cta']}, warp {slowest['warp']}, "
                f"request {slowest['request'] + 1} of {slowest['requests']}, address "
                f"0x{slowest['address']:x}: issued {slowest['issued_fs'] / 1e9:.3f} µs after the "
                f"start, answered {slowest['fs'] / 1e6:.1f} ns later."
                + (" All pictures share the axis." if len(found) > 1 else ""),
            }
        )
    return result
