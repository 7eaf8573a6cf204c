#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page of what the lockstep runs of a unit went through.

usage: coverage.py DATA -o PAGE

DATA is what 'warpmem cosim --coverage-page' hands over: the runs at each size with the situations
that were met, and for one size the points of the RTL with its sources.
"""
import argparse
import json
import pathlib
import re
import sys

import output
from report import render
from values import join

STEP = re.compile(r"(\S+) -> (\S+)$")


def situations(runs):
    """A table for each list of situations: a row for each, a column for each run."""
    tables = []
    for name in [part["name"] for part in runs[0]["lists"]]:
        columns = []
        for run in runs:
            part = next((p for p in run["lists"] if p["name"] == name), {"rows": []})
            columns.append({row["what"]: row["count"] for row in part["rows"]})
        rows = []
        for what in dict.fromkeys(what for column in columns for what in column):
            cells = []
            for run, column in zip(runs, columns):
                count = column.get(what, 0)
                missing = what in run["missing"]
                why = "never met" if missing else "" if count else "not asked for here"
                cells.append({"text": f"{count:,}" if count else "–", "bad": missing, "why": why})
            rows.append({"what": what, "cells": cells})
        title = "situations" if name == "coverage" else name
        tables.append({"name": title, "rows": rows, "matrix": matrix(columns[0], runs[0])})
    return tables


def matrix(counts, run):
    """Steps from state to state, where the list is one of those; else None."""
    steps = [STEP.match(what) for what in counts]
    if not steps or not all(steps):
        return None
    states = list(dict.fromkeys(state for step in steps for state in step.groups()))
    states.sort(key=lambda name: [int(t) if t.isdigit() else t for t in re.split(r"(\d+)", name)])
    rows = []
    for source in states:
        cells = []
        for target in states:
            what = f"{source} -> {target}"
            count = counts.get(what)
            cells.append(
                {
                    "text": "" if count is None else f"{count:,}",
                    "bad": what in run["missing"],
                    "why": what,
                }
            )
        rows.append({"what": source, "cells": cells})
    return {"states": states, "rows": rows}


def share(points, kind):
    """Covered points, points that are asked for, and points that are excluded."""
    chosen = [p for p in points if p["kind"] == kind]
    excluded = sum(1 for p in chosen if p["count"] == 0 and p["excluded"])
    return sum(1 for p in chosen if p["count"]), len(chosen) - excluded, excluded


def signals(points):
    """The toggles of a line of the source, by signal: its bits, how many of them have changed."""
    found = {}
    for p in points:
        path = (p["scope"] + "." if p["scope"] else "") + p["what"]
        found.setdefault(re.sub(r"\[[^]]*\]$", "", path), []).append(p)
    rows = []
    for name, bits in found.items():
        open_bits = [b for b in bits if not b["count"] and not b["excluded"]]
        reasons = sorted({b["excluded"] for b in bits if not b["count"] and b["excluded"]})
        covered = sum(1 for b in bits if b["count"])
        if covered == len(bits):
            text = f"{name}: " + ("changed" if covered == 1 else f"all {covered} bits changed")
        else:
            text = f"{name}: {covered} of {len(bits)} bits changed"
        if reasons:
            text += "; the others: " + join(reasons)
        if open_bits:
            text += "; never: " + ", ".join(b["what"] for b in open_bits[:8])
            text += ", …" if len(open_bits) > 8 else ""
        rows.append({"text": text, "bad": bool(open_bits)})
    return rows


def listing(file, text, points):
    """The lines of a source file with what was counted there."""
    lines = []
    for number, code in enumerate(text.splitlines(), 1):
        here = [p for p in points if p["file"] == file and p["line"] == number]
        branches = [p for p in here if p["kind"] == "line"]
        bits = signals([p for p in here if p["kind"] == "toggle"])
        asked = [p for p in branches if p["count"] or not p["excluded"]]
        bad = any(not p["count"] for p in asked) or any(s["bad"] for s in bits)
        lines.append(
            {
                "number": number,
                "code": code,
                "counts": " / ".join(f"{p['count']:,}" for p in branches),
                "notes": [f"excluded: {p['excluded']}" for p in branches if p not in asked],
                "bits": bits,
                "state": "bad" if bad else "good" if asked or bits else "",
            }
        )
    return {"name": file, "lines": lines}


def page(data):
    runs = data["runs"]
    counted = next((run for run in runs if run["points"]), None)
    context = {
        "title": f"Coverage of {data['unit']}",
        "unit": data["unit"],
        "runs": runs,
        "tables": situations(runs),
        "missing": [
            f"{what} ({run['size']})" for run in runs[:1] for what in run["missing"]
        ],  # at the other sizes the runs are short
        "counted": counted,
        "files": [],
    }
    if counted is not None:
        context["lines"] = share(counted["points"], "line")
        context["toggles"] = share(counted["points"], "toggle")
        context["files"] = [
            listing(file, text, counted["points"]) for file, text in counted["sources"].items()
        ]
    return context


def main():
    parser = argparse.ArgumentParser(description="Make the page of a unit's coverage.")
    parser.add_argument("data", metavar="DATA")
    parser.add_argument("-o", "--output", required=True, metavar="PAGE")
    arguments = parser.parse_args()
    html = render("coverage.html", page(json.loads(pathlib.Path(arguments.data).read_text())))
    try:
        output.write_page(arguments.output, html)
    except OSError as error:
        print(
            f"warpmem: error: {arguments.output}: cannot be written: {error.strerror}",
            file=sys.stderr,
        )
        sys.exit(2)


if __name__ == "__main__":
    main()
