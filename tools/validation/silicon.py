#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the workloads on h200 and compares them with what an H200 has counted.

usage: silicon.py [--warpmem W] [-j N] [--runs FOLDER] [--page FILE]
       silicon.py [--warpmem W] [-j N] --check PROGRAM...

The first writes docs/silicon.md (or FILE); with --runs results stay in FOLDER, and those that are
there are not made again. --check says whether the page has what these programs give now.
"""
import argparse
import collections
import csv
import json
import pathlib
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
MACHINE = setting.ROOT / "configs/h200.yaml"
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

    def __init__(self, name, list_of_programs, counters, keys=(), only=None, loops=None):
        self.name, self.keys = name, [*KEYS, *keys]
        self.reference = readers.read(page.DATA / counters)
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


def sizes():
    small = "programs.csv", "counters.csv"
    return [
        Size("small", *small),
        Size("medium", "large.csv", "large.csv"),
        Size("as written", *small, ["ptx.early_loads=false"], AS_WRITTEN),
        Size("one by one", *small, ["l1d.drain=target"], ONE_BY_ONE),
        Size("unrolled", *small, only=set(UNROLLED), loops=UNROLLED),
    ]


def complete(out):
    manifest = out / "manifest.json"
    return manifest.exists() and json.loads(manifest.read_text())["status"] == "complete"


def run(warpmem, size, name, out):
    """Runs a program, unless its results are there; returns their folder."""
    if not complete(out):
        sets = [word for key in size.keys for word in ("--set", key)]
        source = size.source(name, out.parent / "sources")
        execute([warpmem, "run", "-c", MACHINE, *sets, "-o", out, source, "--",
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


def measure(warpmem, jobs, names, folder):
    """{size: Result} of the programs of these names; none: all."""
    results = {}
    with ThreadPoolExecutor(jobs) as pool:
        for size in sizes():
            wanted = [name for name in size.arguments if not names or name in names]
            made = pool.map(lambda n: run(warpmem, size, n, folder / size.name / n), wanted)
            results[size.name] = compare(size, dict(zip(wanted, made))) if wanted else None
    return results


def implied(warpmem):
    """{figure: (value, unit)} of the machine."""
    rows = execute([warpmem, "config", "-c", MACHINE, "--implied"]).splitlines()
    return {figure: (float(value), unit) for figure, value, unit, *_ in map(str.split, rows)}


def main():
    parser = argparse.ArgumentParser(description="Compare h200 with an H200.")
    parser.add_argument("--warpmem", default=setting.ROOT / "build/release/systemc/app/warpmem")
    parser.add_argument("-j", type=int, default=2, metavar="N")
    parser.add_argument("--runs", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--page", type=pathlib.Path, default=PAGE, metavar="FILE")
    parser.add_argument("--check", nargs="+", metavar="PROGRAM")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.runs or pathlib.Path(scratch)
        results = measure(chosen.warpmem, chosen.j, chosen.check or (), folder)
    if chosen.check is None:
        arguments = {size.name: size.arguments for size in sizes()}
        too_long = {size.name: size.too_long for size in sizes()}
        chosen.page.write_text(page.text(results, arguments, too_long, MOST_INSTRUCTIONS,
                                         implied(chosen.warpmem)))
        return
    lines = set(chosen.page.read_text().splitlines())
    changed = [row for row in page.rows(results, {s.name: s.arguments for s in sizes()})
               if row not in lines]  # fmt: skip
    if changed:
        raise Failure(f"{chosen.page} has other figures than these:\n" + "\n".join(changed) + "\n"
                      "Where that is meant, python3 tools/validation/silicon.py renews it.")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
