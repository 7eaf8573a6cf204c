# SPDX-License-Identifier: Apache-2.0
"""Area and timing: what the page says of results of `warpmem synth`."""
from markupsafe import Markup

import charts
from figures import legend
from values import whole

SYNTH_ROWS = [
    ("Library", "standard cells and supply"),
    ("Cell area, µm²", "synthesized; no wires"),
    ("– sequential", "flip-flops and latches"),
    ("– combinational", "gates and buffers"),
    ("Register bits", ""),
    ("Maximum clock", "from the longest path, timed by OpenSTA"),
    ("Shortest period", "clock-to-output, logic and set-up"),
    ("Longest path", "inputs arrive with the clock edge"),
    ("Leakage", "sum of the cells, from the library"),
    ("Dynamic power at maximum clock", "estimated from the library's energies"),
    ("Transitions per net and cycle", "assumed for the dynamic power, or measured in a run"),
]


def synth_parts(synths):
    rows, bars = [], []
    for s in synths:
        area, timing, power, library = s["area"], s["timing"], s["power"], s["library"]
        parameters = " ".join(f"{k}={v}" for k, v in s["parameters"].items())
        worst = (timing.get("paths") or [{}])[0]
        name = f"{s['unit']} {parameters}".strip()
        rows.append(
            {
                "name": name,
                "values": [
                    f"{library['name']}, {library['voltage']:.2f} V",
                    whole(area["total_um2"]),
                    whole(area["sequential_um2"]),
                    whole(area["combinational_um2"]),
                    whole(s["registers"]["bits"]),
                    f"{timing['fmax_mhz']:.0f} MHz" if timing["fmax_mhz"] else "–",
                    f"{timing['period_ns']:.2f} ns" if timing["period_ns"] else "–",
                    f"{worst['start']} → {worst['end']}" if worst else "–",
                    f"{power['leakage_nw'] / 1000:.3g} µW"
                    if library.get("states_leakage", True)
                    else "–",
                    f"{power['dynamic_mw']:.3g} mW",
                    f"{power['transitions']['mean']:.3f}, measured"
                    if "transitions" in power
                    else str(power["activity"]),
                ],
                "warning": f"{timing['overloaded_nets']} nets are loaded above the library's limit."
                if timing.get("overloaded_nets")
                else "",
                "cells": [
                    {
                        "cell": c["cell"],
                        "kind": "sequential" if c["sequential"] else "combinational",
                        "count": whole(c["count"]),
                        "area": whole(c["area_um2"]),
                    }
                    for c in area.get("cells", [])
                ],
                "registers": [
                    {"name": r["name"], "bits": whole(r["bits"])}
                    for r in s["registers"].get("by_name", [])
                ],
                "tools": ", ".join(s.get("tools", {}).values()),
            }
        )
        bars.append(
            (
                name,
                {"sequential": area["sequential_um2"], "combinational": area["combinational_um2"]},
            )
        )
    table = [
        {"label": label, "doc": doc, "values": [row["values"][i] for row in rows]}
        for i, (label, doc) in enumerate(SYNTH_ROWS)
    ]
    chart = None
    if bars:
        colours = {"sequential": "--c0", "combinational": "--c1"}
        title = "Cell area"
        chart = {
            "title": title,
            "legend": legend(
                [
                    ("sequential", "--c0", "flip-flops: the storage"),
                    ("combinational", "--c1", "gates: comparators, selection, buffers"),
                ]
            ),
            "svg": Markup(
                charts.stacked_bars(bars, list(colours), colours, "cell area, µm²", title)
            ),
            "note": "A unit that is mostly sequential is as large as its storage; one that is "
            "mostly combinational pays for its comparisons and choices.",
        }
    return rows, table, chart
