#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the workloads on h200 and h100 and compares them with what such cards have counted.

usage: silicon.py [--warpmem W] [-j N] [--card MACHINE] [--runs FOLDER] [--page FILE]
       silicon.py [--warpmem W] [-j N] [--card MACHINE] --check PROGRAM...

The first writes docs/silicon.md (or FILE); with --runs results stay in FOLDER, and those that are
there are not made again. --check says whether the page has what these programs give now. With
--card only that machine is run; the page keeps what it says of the others.
"""
import argparse
import collections
import csv
import json
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import setting
from setting import Failure, execute

import matching  # noqa: E402
import readers  # noqa: E402
import runs  # noqa: E402
from result import Result  # noqa: E402

import silicon_page as page  # noqa: E402

PAGE = setting.ROOT / "docs/silicon.md"
LISTS = setting.ROOT / "tools/hardware"
# Before each launch Nsight Compute empties the caches.
KEYS = ["check_data=false", "flush_l2_between_kernels=true", "l2.memcpy=drop"]
# A compiler's PTX is other work than another compiler's SASS: no launch is left out for that.
ANY_WORK = 1e9


# Warp instructions of the card, in the launches that were counted, beyond which a program is not
# run: a minute and a half.
MOST_INSTRUCTIONS = 7_000_000
# Programs that are also run without ptx.early_loads: with the first comparison in sight, those that
# it showed it by, and two that stream.
AS_WRITTEN = {"atax", "bicg", "mvt", "gramschmidt", "vectoradd", "triad"}
# Likewise without l1d.drain: line.
ONE_BY_ONE = {"2dconv", "2mm", "hotspot3d"}
# Programs that are also run with a loop unrolled further, with the first comparison in sight: those
# that were farthest off, whose loops have a load or two in each turn. clang makes four turns one in
# the matrix products and none in montecarlo; what nvcc does is not known but by its instructions.
UNROLLED = {
    "2mm": ("  for (int p = 0; p < n; ++p) sum +=", 8),
    "3mm": ("  for (int p = 0; p < n; ++p) sum +=", 8),
    "montecarlo": ("  for (int i = threadIdx.x; i < paths; i += kBlock)", 4),
}


class Size:
    """The programs of a list of tools/hardware, or some of them, at one size."""

    def __init__(self, card, name, list_of_programs, counters, keys=(), only=None, loops=None):
        self.card, self.name, self.keys = card, name, [*KEYS, *keys]
        self.reference = readers.read(card.data / counters)
        issued = collections.Counter()
        for launch in self.reference.launches:
            issued[launch.program] += launch.values["warp_instructions"][0]
        wanted = {name for name in issued if only is None or name in only}
        self.too_long = sorted(name for name in wanted if issued[name] > MOST_INSTRUCTIONS)
        with open(LISTS / list_of_programs, newline="") as lines:
            rows = [row for row in csv.DictReader(lines)
                    if row["program"] in wanted.difference(self.too_long)]  # fmt: skip
        self.arguments = {row["program"]: row["arguments"] for row in rows}
        self.files = {row["program"]: setting.ROOT / row["source"] for row in rows}
        self.loops = loops or {}

    def source(self, name, folder):
        """The program, with its loop unrolled where that is asked for: a copy in `folder`."""
        if name not in self.loops:
            return self.files[name]
        loop, times = self.loops[name]
        text = self.files[name].read_text()
        if text.count(loop) != 1:
            raise Failure(f"{self.files[name]}: not one loop {loop.strip()!r}")
        folder.mkdir(parents=True, exist_ok=True)
        common = folder / "common"
        if not common.exists():
            common.symlink_to(self.files[name].parent / "common")
        copy = folder / f"{name}.cu"
        copy.write_text(text.replace(loop, f"#pragma unroll {times}\n{loop}"))
        return copy


def sizes(card):
    small = "programs.csv", "counters.csv"
    plain = [Size(card, "small", *small), Size(card, "medium", "large.csv", "large.csv")]
    if card is not page.CARDS[0]:  # what the others change has been shown there
        return plain
    return [
        *plain,
        Size(card, "as written", *small, ["ptx.early_loads=false"], AS_WRITTEN),
        Size(card, "one by one", *small, ["l1d.drain=target"], ONE_BY_ONE),
        Size(card, "unrolled", *small, only=set(UNROLLED), loops=UNROLLED),
    ]


def machine(card):
    return setting.ROOT / f"configs/{card.machine}.yaml"


def complete(out):
    manifest = out / "manifest.json"
    return manifest.exists() and json.loads(manifest.read_text())["status"] == "complete"


def run(warpmem, size, name, out):
    """Runs a program, unless its results are there; returns their folder."""
    if not complete(out):
        sets = [word for key in size.keys for word in ("--set", key)]
        source = size.source(name, out.parent / "sources")
        execute([warpmem, "run", "-c", machine(size.card), *sets, "-o", out, source, "--",
                 *size.arguments[name].split()])  # fmt: skip
    return out


def compare(size, folders):
    """The Result beside the card; `folders` are results by program."""
    reference = readers.read(pathlib.Path(size.reference.file))
    reference.launches = [one for one in reference.launches if one.program in folders]
    match = [f"{folder}={name}" for name, folder in folders.items()]
    found = runs.read([str(folder) for folder in folders.values()], match)
    pairs, alone = matching.pair_up(reference, found, ANY_WORK)
    return Result(reference, found, pairs, alone, [page.OUTLIER, ANY_WORK])


def measure(card, warpmem, jobs, names, folder):
    """{size: Result} of the programs of these names; none: all."""
    results = {}
    with ThreadPoolExecutor(jobs) as pool:
        for size in sizes(card):
            wanted = [name for name in size.arguments if not names or name in names]
            made = pool.map(lambda n: run(warpmem, size, n, folder / size.name / n), wanted)
            results[size.name] = compare(size, dict(zip(wanted, made))) if wanted else None
    return results


def implied(card, warpmem):
    """{figure: (value, unit)} of the machine."""
    rows = execute([warpmem, "config", "-c", machine(card), "--implied"]).splitlines()
    return {figure: (float(value), unit) for figure, value, unit, *_ in map(str.split, rows)}


def measured_figure(card, warpmem, program, arguments, out):
    """What a microbenchmark measures on the machine."""
    with open(LISTS / "micro.csv", newline="") as lines:
        sources = {row["program"]: row["source"] for row in csv.DictReader(lines)}
    said = execute([warpmem, "run", "-c", machine(card), "--set", "check_data=false", "-o", out,
                    setting.ROOT / sources[program], "--", *arguments.split()])  # fmt: skip
    found = re.search(r"(?m)^measured (\S+) (?:cycles a load|bytes a nanosecond)$", said)
    if found is None or "PASS" not in said.splitlines():
        raise Failure(f"{program} {arguments} on {card.machine}: no PASS\n{said}")
    return float(found[1])


def measured_figures(card, warpmem, folder):
    """{program: what it measures}, of those that the card has run."""
    return {program: measured_figure(card, warpmem, program, arguments, folder / "micro" / program)
            for program, arguments in page.card_arguments(card).items()
            if program in page.MEASURED_FIGURES}  # fmt: skip


def section(card, warpmem, jobs, folder):
    results = measure(card, warpmem, jobs, (), folder)
    arguments = {size.name: size.arguments for size in sizes(card)}
    too_long = {size.name: size.too_long for size in sizes(card)}
    return page.section(card, results, arguments, too_long, MOST_INSTRUCTIONS,
                        implied(card, warpmem),
                        measured_figures(card, warpmem, folder))  # fmt: skip


def changed_rows(card, warpmem, jobs, names, folder, lines):
    """Rows of these programs that are not among the lines of a section."""
    results = measure(card, warpmem, jobs, names, folder)
    arguments = {size.name: size.arguments for size in sizes(card)}
    return [row for row in page.rows(card, results, arguments) if row not in lines]


def main():
    parser = argparse.ArgumentParser(description="Compare h200 and h100 with such cards.")
    parser.add_argument("--warpmem", default=setting.ROOT / "build/release/systemc/app/warpmem")
    parser.add_argument("-j", type=int, default=2, metavar="N")
    parser.add_argument("--card", choices=[card.machine for card in page.CARDS])
    parser.add_argument("--runs", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--page", type=pathlib.Path, default=PAGE, metavar="FILE")
    parser.add_argument("--check", nargs="+", metavar="PROGRAM")
    chosen = parser.parse_args()
    cards = [card for card in page.CARDS if chosen.card in (None, card.machine)]
    lines = page.sections(chosen.page.read_text()) if chosen.page.exists() else {}
    missing = [card.machine for card in page.CARDS
               if card.machine not in lines and (chosen.check or card not in cards)]
    if missing:
        raise Failure(f"{chosen.page} has no section on {' and '.join(missing)}")
    changed = []
    with tempfile.TemporaryDirectory() as scratch:
        for card in cards:
            folder = (chosen.runs or pathlib.Path(scratch)) / card.machine
            asked = card, chosen.warpmem, chosen.j
            if chosen.check:
                changed += changed_rows(*asked, chosen.check, folder, lines[card.machine])
            else:
                lines[card.machine] = section(*asked, folder)
    if chosen.check is None:
        chosen.page.write_text(page.text(lines))
    elif changed:
        raise Failure(f"{chosen.page} has other figures than these:\n" + "\n".join(changed) + "\n"
                      "Where that is meant, python3 tools/validation/silicon.py renews it.")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
