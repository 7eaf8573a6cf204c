# SPDX-License-Identifier: Apache-2.0
"""Runs every workload of the catalogue on the timed machine and writes docs/workloads.md.

The machine is configs/gu-dlmshr.yaml with conventional miss handlers (32 entries of 8 slots at
L1D): the papers classify applications on those. One run under each scheduler of POLICIES; all
figures but the type come from the run under gto.
"""

import argparse
import csv
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import programs
from markdown_table import table

ROOT = pathlib.Path(__file__).resolve().parents[1]
CONFIG = "configs/gu-dlmshr.yaml"
MACHINE = ["l1d.mshr.kind=conventional", "l2.mshr.kind=conventional", "l2.footprint=true",
           "l1d.observe.locality=true"]
# GU counts L2 misses on the machine of its own, before what it proposes.
GU_CONFIG = "configs/gu-cart.yaml"
GU_MACHINE = ["l2.frontend.kind=fifo"]
POLICIES = ["gto", "rr", "gtlr"]  # the unfair policy of KI, the plain fair one, KI's fair one
LINE_BYTES = 128
# Published numbers; the other published properties are names.
PER_MISS = "instructions per L2 miss"
INSTRUCTIONS = "thread instructions"
TYPE = "type"  # KI's; its inputs are not those of the size published
with open(ROOT / "workloads" / "published.csv", encoding="utf-8") as file:
    PUBLISHED = list(csv.DictReader(file))
DEGREES = {"1": "1", "2": "2", "3-4": "3_4", "5-8": "5_8", "9-16": "9_16", "17-32": "17_up"}


def locality_type(cycles, stats):
    """KI section 2.6: 0 insensitive to the scheduler, I little locality, II intra-warp, III inter.

    `cycles` maps each policy that was run, gto among them, to its cycles.
    """
    difference = max(abs(cycles["gto"] / c - 1) for c in cycles.values())
    if difference < 0.10:
        return "0"
    return "I" if locality(stats) == "little" else {"intra": "II", "inter": "III"}[locality(stats)]


def locality(stats):
    """KI section 2.6: more than 95 % primary misses is little; else the majority of the rest."""
    intra = stats["l1d.class.intra"] + stats["l1d.class.intra_m"]
    inter = stats["l1d.class.inter"] + stats["l1d.class.inter_m"]
    accesses = stats["l1d.class.miss"] + intra + inter
    if stats["l1d.class.miss"] > 0.95 * accesses or accesses == 0:
        return "little"
    return "intra" if intra >= inter else "inter"


def coherence(stats):
    """BU section III.A: un-coalesced when more than 10 % of the loads make more than 2 requests."""
    loads = sum(stats[f"sm.load.degree_{d}.count"] for d in DEGREES.values())
    few = stats["sm.load.degree_1.count"] + stats["sm.load.degree_2.count"]
    return "un-coalesced" if loads - few > 0.10 * loads else "coherent"


def predominance(stats):
    """DL section 3.1 and figure 4: which misses L1D's reservation fails come from.

    Without a fail the misses themselves decide, in brackets.
    """
    primary = stats["l1d.reservation_fails.entry_full.cycles"]
    secondary = stats["l1d.reservation_fails.merge_full.cycles"]
    if primary + secondary > 0:
        return "primary" if primary >= secondary else "secondary"
    misses = stats["l1d.primary_misses"], stats["l1d.secondary_misses"]
    if sum(misses) == 0:
        return "-"
    return "(primary)" if misses[0] >= misses[1] else "(secondary)"


def run(warpmem, program, arguments, folder, keys, config=CONFIG):
    command = [warpmem, "run", "-c", ROOT / config]
    for key in keys:
        command += ["--set", key]
    result = programs.run([*command, "-o", folder, program, "--", *arguments],
                          capture_output=True, text=True)
    if "PASS" not in result.stdout.splitlines():
        sys.exit(f"{program.name} {' '.join(arguments)} with {' '.join(keys)}: no PASS\n"
                 f"{result.stdout}{result.stderr}")
    return json.loads((folder / "stats.json").read_text())["total"]["stats"]


def percent(part, whole):
    return f"{100 * part / whole:.1f}" if whole else "-"


def bytes_text(count):
    for unit in ("B", "KiB", "MiB"):
        if count < 1024 or unit == "MiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024


def row(name, arguments, stats, cycles):
    """The cells of one workload, for the first two tables."""
    instructions = stats["sm.warp_inst"]
    memory = stats["sm.loads"] + stats["sm.stores"] + stats["sm.atomics"]
    loads = [stats[f"sm.load.degree_{d}.count"] for d in DEGREES.values()]
    relative = [f"{cycles['gto'] / cycles[p]:.2f}" for p in POLICIES if p != "gto"]
    first = [name, arguments, f"{instructions:.0f}", f"{memory:.0f}",
             f"{1000 * memory / instructions:.0f}",
             f"{1000 * stats['l1d.requests'] / instructions:.0f}",
             *[percent(n, sum(loads)) for n in loads],
             f"{stats['sm.load.requests'] / sum(loads):.2f}" if sum(loads) else "-",
             coherence(stats)]
    second = [name, bytes_text(stats["l2.footprint_lines"] * LINE_BYTES),
              f"{stats['l1d.primary_misses']:.0f}", f"{stats['l1d.secondary_misses']:.0f}",
              f"{stats['l1d.reservation_fails.entry_full.cycles']:.0f}",
              f"{stats['l1d.reservation_fails.merge_full.cycles']:.0f}",
              predominance(stats), percent(stats["l1d.hits"], stats["l1d.accesses"]),
              percent(stats["l1d.class.miss"], stats["l1d.accesses"]), locality(stats),
              *relative, locality_type(cycles, stats)]
    return first, second


def property_of(name, stats):
    """What the papers say of a program, but for its type, as measured here."""
    if name == INSTRUCTIONS:
        return f"{stats['sm.thread_inst']:.0f}"
    if name == PER_MISS:
        misses = stats["l2.primary_misses"] + stats["l2.secondary_misses"]
        return f"{stats['sm.thread_inst'] / misses:.0f}"
    return {"predominant": predominance(stats).strip("()"), "loads": coherence(stats)}[name]


def agreement(name, published, measured):
    """Numbers are near within a factor of two; names agree or not."""
    if name not in (PER_MISS, INSTRUCTIONS):
        return "same" if published == measured else "differs"
    ratio = float(measured) / float(published)
    return "near" if 0.5 <= ratio <= 2 else f"x {ratio:.2g}"


def summary(first, second):
    """The line in the header comment of a workload that says what was measured of it."""
    predominant = second[SECOND.index("predominant")]
    if predominant == "-":
        misses = "no misses"
    else:
        misses = predominant.strip("()") + "-miss-predominant"
        if predominant.startswith("("):
            misses += " (no fails)"
    return (f"// Measured ({first[FIRST.index('arguments')]}): {first[FIRST.index('loads')]}, "
            f"{misses}, type {second[SECOND.index('type')]}.")


def measure(warpmem, name, entry, size):
    """The cells of one workload, for the three tables."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program = folder / name
        programs.run([warpmem, "cc", ROOT / "workloads" / entry["file"], "-o", program])

        def measured(arguments, policy):
            return run(warpmem, program, shlex.split(arguments), folder / policy,
                       [*MACHINE, f"sm.scheduler.policy={policy}"])

        arguments = entry["sizes"][size]
        results = {p: measured(arguments, p) for p in POLICIES}
        cycles = {p: stats["gpu.cycles"] for p, stats in results.items()}
        first, second = row(name, arguments, results["gto"], cycles)

        said = [p for p in PUBLISHED if p["workload"] == name]
        properties = {p["property"] for p in said}
        like_theirs = entry["sizes"].get("published", arguments)
        stats = results["gto"]
        if like_theirs != arguments and properties - {TYPE, PER_MISS}:
            stats = measured(like_theirs, "gto")
        values = {p: property_of(p, stats) for p in properties - {TYPE, PER_MISS}}
        if PER_MISS in properties:
            values[PER_MISS] = property_of(
                PER_MISS, run(warpmem, program, shlex.split(like_theirs), folder / "gu",
                              GU_MACHINE, GU_CONFIG))
        if TYPE in properties:
            values[TYPE] = locality_type(cycles, results["gto"])
    third = [[name, arguments if p["property"] == TYPE else like_theirs, p["property"],
              p["published"], values[p["property"]],
              agreement(p["property"], p["published"], values[p["property"]]), p["source"]]
             for p in said]
    return first, second, third


INTRODUCTION = """# Workloads as measured

Generated by `{command}`. Machine: `{config}` with `{keys}`; arguments: the {size} size of
`workloads/catalogue.yaml`, which also names the benchmark each stands for. All launches together,
under gto where nothing else is said.

- Memory instructions: global and local loads, stores and atomics of a warp; /k: per 1000 warp
  instructions, as are the requests to L1D. Degree: per cent of the loads by the number of lines
  they touch (1 is one request). Un-coalesced: more than 10 % of the loads make more than two
  requests (BU section III.A).
- Footprint: distinct lines that L2 fetched, times {line} B. Fails: cycles in which L1D refused its
  head because all entries were taken (entry) or the line's entry had no slot left (slot).
- Predominant misses: the larger of the two kinds of fails (DL section 3.1, figure 4); in brackets
  where there is none: the more frequent kind of miss.
- Hits and primary misses: per cent of L1D's accesses. Locality: little if more than 95 % are
  primary misses, else who brought the line of most hits and secondary misses, the same warp (intra)
  or another (inter).
- {others}: performance relative to gto. Type: 0 if none of them differs from gto by 10 %, else
  by locality: I little, II intra, III inter (KI section 2.6). KI compares more policies; the types
  here rest on {policies}.
"""
FIRST = ["workload", "arguments", "warp inst.", "memory inst.", "memory /k", "L1D req. /k",
         *[f"deg. {d} %" for d in DEGREES], "mean deg.", "loads"]
SECOND = ["workload", "footprint", "primary", "secondary", "fails: entry", "fails: slot",
          "predominant", "hits %", "prim. %", "locality",
          *[p for p in POLICIES if p != "gto"], "type"]
THIRD = ["workload", "arguments", "property", "published", "measured", "agreement", "source"]
PUBLISHED_HEADING = "## As published"
PUBLISHED_TEXT = """
What the papers say of these programs (`workloads/published.csv`) beside what is measured here, with
inputs like theirs: the size `published` of the catalogue where a workload has one, which was chosen
by instructions and instructions per L2 miss alone. Instructions are those of threads, misses
primary and secondary ones of L2 on `{gu_config}` with `{gu_keys}`; up to 1500 a
miss GU calls a program memory-intensive. Numbers are near within a factor of two. Types are those
above; KI has other inputs for some (`experiments/C22.yaml`).
"""


def page(rows, size, command):
    others = [p for p in POLICIES if p != "gto"]
    text = INTRODUCTION.format(command=command, config=CONFIG, keys=" ".join(MACHINE), size=size,
                               line=LINE_BYTES, others=" and ".join(others),
                               policies=", ".join(POLICIES))
    return (text + "\n## Instructions and coalescing\n\n" + table(FIRST, [r[0] for r in rows])
            + "\n## Lines, misses and types\n\n" + table(SECOND, [r[1] for r in rows])
            + f"\n{PUBLISHED_HEADING}\n"
            + PUBLISHED_TEXT.format(gu_config=GU_CONFIG, gu_keys=" ".join(GU_MACHINE)) + "\n"
            + table(THIRD, [line for r in rows for line in r[2]]))


def read_rows(text):
    """Workload -> (cells of the first table, cells of the second) of a page."""
    rows = {}
    for line in text.split(PUBLISHED_HEADING, maxsplit=1)[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] not in ("workload", "---"):
            rows.setdefault(cells[0], []).append(cells)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--warpmem", default="warpmem", help="the command line tool")
    parser.add_argument("--size", default="small", choices=["tiny", "small", "medium"])
    parser.add_argument("--only", help="names of workloads, separated by commas")
    parser.add_argument("--jobs", type=int, default=1, help="workloads at a time")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="file instead of standard output")
    options = parser.parse_args()
    listing = programs.run([options.warpmem, "list", "workloads", "--json"],
                           stdout=subprocess.PIPE)
    catalogue = json.loads(listing.stdout)
    names = options.only.split(",") if options.only else list(catalogue)
    for name in names:
        if name not in catalogue:
            sys.exit(f"{name}: not in workloads/catalogue.yaml")

    def measured(name):
        cells = measure(options.warpmem, name, catalogue[name], options.size)
        print(f"{name}: type {cells[1][-1]}", file=sys.stderr, flush=True)
        return cells

    with ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(measured, names))
    command = "python3 tools/workload_table.py -o docs/workloads.md"
    if options.size != "small":
        command += f" --size {options.size}"
    text = page(rows, options.size, command)
    if options.output:
        options.output.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
