#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The page on how the gain of each idea moves with the machine: docs/sensitivity.md.

usage: sensitivity_page.py DOCS [NAME=FILE.sqlite ...]

FILE.sqlite is what `warpmem sweep experiments/sweeps/sensitivity-NAME.yaml` wrote. Its figures go
into DOCS/sensitivity.json, where those of the sweeps that are not named stay, and the page is
written from that file alone.
"""
import json
import math
import pathlib
import sys

import markdown_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools/report"))
import sweep_load  # noqa: E402

METRIC = "gpu.ipc"
PUBLISHED = "published"
# A knob of the machine, and the labels of its values on the axis `machine`.
KNOBS = {
    "the width of the crossbar's links": ("links / 2", "links x 2"),
    "the queue in front of L1D": ("queue 2", "queue 28"),
    "the number of MSHRs": ("MSHRs / 2", "MSHRs x 2"),
    "the bandwidth of DRAM": ("DRAM / 2", "DRAM x 2"),
}
MACHINES = (PUBLISHED, *(label for labels in KNOBS.values() for label in labels))
TODAY = {"v100": "V100", "h100": "H100"}
# What most ideas are compared with on a machine of today, itself over the machine as it is.
ONE_BANK = "one-bank"
# The sweep of an idea on its paper's machine; its name, that machine, and the scheme that it is
# compared with on a machine of today.
IDEAS = {
    "dl": ("DL-MSHR", "gu-dlmshr", ONE_BANK),
    "mrpb": ("MRPB", "mrpb-base-s", ONE_BANK),
    "laws-th": ("LAWS-TH", "kim-laws", ONE_BANK),
    "bucl": ("BUCL", "bucl", ONE_BANK),
    "cart": ("CART", "gu-cart", "without"),
    "htsma": ("HTSMA", "kim-tsma-200", ONE_BANK),
}
COUNTS = 1.0  # percent: a smaller gain or loss, or change of one, is called none

HEAD = """# Sensitivity: what each idea gains, by the machine

Written by `tools/sensitivity_page.py` from `sensitivity.json`; nothing here is written by hand.
Each figure is the IPC with the idea over the IPC without it, in percent; a mean is the geometric
one over the programs. Which programs, their sizes and the values of the knobs were fixed before
the first run: scattered loads (bfs, kmeans_uncoalesced, spmv), streams (srad, stencil), atomics
(histo), reuse (gemm) and a cache that thrashes (syr2k), at sizes of seconds. On its paper's
machine an idea meets half and twice as wide links of the crossbar (`noc.flit_bytes`), a queue of 2
and of 28 instructions in front of L1D (`sm.lsu.queue`; otherwise 7, which no paper says and which
agrees with GPGPU-Sim), half and twice as many MSHRs at both levels, and half and twice the
bandwidth of DRAM at the same latencies. DL-MSHR and HTSMA are compared with conventional MSHRs of
as many entries there. The machines of today are a quarter of `v100` and of `h100`: 20 SMs with 8
channels, 33 SMs with 20, so that an SM has its share. All ideas but CART take a request, a miss or
a score a cycle there, and are compared with an L1D of one bank, as theirs is. Those have MSHRs by
sector, HTSMA merges by line, and 128 entries of 64 slots are the largest pool that DL-MSHR has on
`h100`, in place of 512.

    # also mrpb, laws-th, bucl, cart, htsma, v100, h100
    warpmem sweep experiments/sweeps/sensitivity-dl.yaml -o dl.sqlite
    tools/sensitivity_page.py docs dl=dl.sqlite
"""


class Mistake(Exception):
    """Something in a file that cannot be used."""


def ipc_of(sweep, path):
    """(machine, scheme) -> {program: IPC}; a machine of today has no axis `machine`."""
    table = {}
    for point in sweep.points:
        if point.problem:
            raise Mistake(f"{path}: {point.shown}, {point.labels}: {point.problem}")
        place = (point.labels.get("machine", PUBLISHED), point.labels["scheme"])
        table.setdefault(place, {})[point.workload] = point.stats[METRIC]
    return table


def pairs_of(name, table):
    """The records of a sweep: idea -> machine -> program -> [IPC without, IPC with]."""
    def pairs(without, with_):
        return {program: [ipc, with_[program]] for program, ipc in sorted(without.items())}

    if name in IDEAS:
        return {name: {machine: pairs(table[machine, "without"], table[machine, "with"])
                       for machine in MACHINES}}
    found = {idea: {name: pairs(table[PUBLISHED, base], table[PUBLISHED, idea])}
             for idea, (_, _, base) in IDEAS.items()}
    found[ONE_BANK] = {name: pairs(table[PUBLISHED, "without"], table[PUBLISHED, ONE_BANK])}
    return found


def gain(pair):
    return 100 * (pair[1] / pair[0] - 1)


def mean(pairs):
    """The geometric mean of the ratios, as a gain in percent."""
    ratios = [math.log(with_ / without) for without, with_ in pairs.values()]
    return 100 * (math.exp(sum(ratios) / len(ratios)) - 1)


def percent(value):
    """0.04 and -0.04 are both 0.0."""
    text = f"{value:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def moved(value):
    """Percent in words."""
    if abs(value) < COUNTS:
        return f"makes no difference ({percent(value)} %)"
    return f"{'gains' if value > 0 else 'loses'} {abs(value):.1f} %"


def extremes(pairs):
    """The programs that gain most and least."""
    order = sorted(pairs, key=lambda program: (gain(pairs[program]), program))
    return (f"from {percent(gain(pairs[order[0]]))} % ({order[0]}) to "
            f"{percent(gain(pairs[order[-1]]))} % ({order[-1]})")


def answer(idea, records):
    """Does it still pay on a GPU of today, and what does that hang on: a sentence each."""
    name, config, _ = IDEAS[idea]
    today = [(gpu, records[key]) for key, gpu in TODAY.items() if key in records]
    parts = [f"on a quarter of a{'n' if gpu[0] == 'H' else ''} {gpu} it {moved(mean(pairs))}, "
             f"{extremes(pairs)}" for gpu, pairs in today]
    paying = [gpu for gpu, pairs in today if mean(pairs) >= COUNTS]
    if len(paying) == len(today):
        verdict = "Today it pays"
    else:
        verdict = "Today it pays on the " + paying[0] if paying else "Today it does not pay"
    sentences = [f"{verdict}: {'; '.join(parts)}."] if today else []
    if PUBLISHED in records:
        whole = mean(records[PUBLISHED])
        span = {knob: [mean(records[label]) for label in labels] for knob, labels in KNOBS.items()}
        width = {knob: max(*ends, whole) - min(*ends, whole) for knob, ends in span.items()}
        knob = max(width, key=width.get)
        first = f"On its paper's machine (`{config}`) {name} {moved(whole)}, and "
        if width[knob] < COUNTS:
            sentences.append(first + "none of the four knobs moves that by a point.")
        else:
            less, more = (percent(end) for end in span[knob])
            sentences.append(f"{first}{knob} moves that most: {less} % with the smaller value, "
                             f"{more} % with the larger one.")
    return " ".join(sentences)


def table_of_numbers(head, rows):
    """The first column has names."""
    rule = markdown_table.row(["---", *["---:"] * (len(head) - 1)])
    return markdown_table.table(head, rows, rule)


def table_of(records, first, rows):
    """A row for each of `rows`, (name, function of a machine's pairs); a column a machine."""
    columns = [m for m in (*MACHINES, *TODAY) if m in records]
    titles = [TODAY[m] + " / 4" if m in TODAY else m for m in columns]
    cells = [[name, *(percent(value(records[m])) for m in columns)] for name, value in rows]
    return table_of_numbers([first, *titles], cells)


def page(ideas):
    """The page from the records."""
    present = {idea: ideas[idea] for idea in IDEAS if idea in ideas}
    text = HEAD + "\n## Means over the programs, %\n\n"
    columns = [m for m in (*MACHINES, *TODAY) if any(m in r for r in present.values())]
    titles = [TODAY[m] + " / 4" if m in TODAY else m for m in columns]
    text += table_of_numbers(["idea", *titles], [
        [IDEAS[idea][0], *(percent(mean(records[m])) if m in records else "" for m in columns)]
        for idea, records in present.items()
    ])  # fmt: skip
    banks = ideas.get(ONE_BANK, {})
    costs = [f"{percent(mean(banks[key]))} % on the {gpu}" for key, gpu in TODAY.items()
             if key in banks]
    if costs:
        text += f"\nThe L1D of one bank by itself: {' and '.join(costs)}.\n"
    for idea, records in present.items():
        programs = sorted({program for pairs in records.values() for program in pairs})
        rows = [(p, lambda pairs, p=p: gain(pairs[p])) for p in programs]
        text += f"\n## {IDEAS[idea][0]}\n\n{answer(idea, records)}\n\n"
        text += table_of(records, "program", [*rows, ("mean", mean)])
    return text


def main(arguments):
    folder = bool(arguments) and pathlib.Path(arguments[0]).is_dir()
    if not folder or any("=" not in argument for argument in arguments[1:]):
        sys.exit(__doc__.split("\n\n")[1])
    docs = pathlib.Path(arguments[0])
    file = docs / "sensitivity.json"
    ideas = json.loads(file.read_text()) if file.is_file() else {}
    try:
        for argument in arguments[1:]:
            name, path = argument.split("=", 1)
            if name not in IDEAS and name not in TODAY:
                raise Mistake(f"{name}: no such sweep; sweeps: {', '.join([*IDEAS, *TODAY])}")
            table = ipc_of(sweep_load.read_sweep(path), path)
            for idea, machines in pairs_of(name, table).items():
                ideas.setdefault(idea, {}).update(machines)
    except (Mistake, sweep_load.ReportError) as error:
        sys.exit(f"error: {error}")
    file.write_text(json.dumps(ideas, indent=1, sort_keys=True) + "\n")
    (docs / "sensitivity.md").write_text(page(ideas))


if __name__ == "__main__":
    main(sys.argv[1:])
