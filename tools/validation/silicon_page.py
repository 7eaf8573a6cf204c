# SPDX-License-Identifier: Apache-2.0
"""docs/silicon.md from the comparisons of machines with cards."""
import csv
import dataclasses
import functools
import statistics
import textwrap

import setting

import agreement  # noqa: E402
import readers  # noqa: E402
import validation_page  # noqa: E402

OUTLIER = 25  # % of the cycles
SMS, THREADS, ACCESSES = 132, 256, 8  # of the programs of workloads/micro
# A program waits for memory where the card moves this share of what DRAM (by clock and width of its
# bus) or L2 (read_l2 below) can move. Chosen before the first comparison.
BUSY = 0.25
INTRODUCTION = """\
# Silicon: warpmem beside an H200 and an H100

The machines `h200` and `h100` beside an NVIDIA H200 and an NVIDIA H100. Written by
`tools/validation/silicon.py`; the cards' figures are in `tools/hardware/data`, made by
`tools/hardware/measure.py` from the programs as they are.

- A *machine* is calibrated by the microbenchmarks of the first table of its section alone, but for
  the keys named there, which were chosen with a comparison in sight.
- The *card* runs what nvcc makes of a program, the machine the PTX that clang makes, which has
  other instructions: a column says by how many their number differs.
- Caches are empty before each launch: Nsight Compute sees to that on the card, and here
  `flush_l2_between_kernels`. Cycles hold the launch (`gpu.launch_latency`).
- A program waits for *memory* when the card moves at least {busy} % of what its DRAM or its L2 can
  move. That is told by the card's counters, and was fixed before the first comparison.
- Errors are of a program's cycles over all launches that the card has counted; *within* is for how
  many at most {outlier} %. Rank: Spearman's coefficient. Traffic: mean error of the sectors that
  loads ask L1D for, of those that L1D asks L2 for, and of the bytes that L2 reads of DRAM.
"""


@dataclasses.dataclass(frozen=True)
class Card:
    """A card that has been measured, and the machine that is to be like it."""

    machine: str  # of configs/
    chip: str
    dram_peak: float  # GB/s
    introduction: str
    explanation: str

    @property
    def data(self):
        return setting.ROOT / "tools/hardware/data" / self.machine

    @property
    def title(self):
        return f"## {self.chip}"


CARDS = [
    Card("h200", "H200", 4814, """\
{passed} workloads end with PASS on the card, as do the microbenchmarks of clusters and bulk copies.
Some keys of the machine came with a comparison in sight: `ptx.early_loads` and `l1d.drain` (below),
`memory.banks` (what stacks of eight dies have, JESD238), `dram.queue`, by the row on reads of DRAM,
and the intervals of `sm.timing` for single and double precision and tensors, which are the white
paper's.
""", """\
The order of the loads decides most. PTX has each load in front of its first use, NVIDIA's assembler
puts those of a basic block together, and `ptx.early_loads` does it here; *as written* is without
it. The traffic hardly changes by that, and on the card it is the machine's, often to the sector.
What has waited for a fill is answered at the width of L1D (`l1d.drain: line`); *one by one* is
without it.

The compilers' loops come next: nvcc makes more turns of a loop one than clang does, so that more
loads of a warp are under way. With the pragma that asks for that (*unrolled*) the matrix products
are as fast as on the card, and `montecarlo` is 28 % slower instead of 3.7 times as slow. `sgemm`
has a loop with two exits, which clang does not unroll. Programs of integer arithmetic (`sha256`,
`sortingnetworks`) have 1.9 and 1.65 times the instructions here. Stores of single sectors
(`transpose`) are faster here than on the card, as the first table shows. What copies past L1D
(`gemm_async`, `gemm_wmma`) fetch is no miss of a load here. The rest of what is far off is not
explained.
"""),
    Card("h100", "H100", 3352, """\
A test of what the H200 taught: the machine was changed by the microbenchmarks of the first table,
and what no microbenchmark says (`ptx.early_loads`, `l1d.drain`) is that of `h200`. Its latencies
and bandwidths were set before the first program below ran on it; the banks of L1D, what is reserved
of shared memory, the launch latency and the rates of units came later, by microbenchmarks and
NVIDIA's documents alone, and so did refreshes of one bank at a time, by what cards read of DRAM.
The programs are those that were run for the H200.
""", """\
The programs that are far off are those of the H200, by as much, where the compilers cause it. From
the H200 to the H100 the cycles of a small program change as on the cards within 3.7 % on average.

Two things are the H100's own. An empty kernel counts 4104 cycles there, and 3314 or 3037 on two
days on the H200. And atomics are slower here: lanes that meet on one word (`histogram`, `histo`),
as the first table shows, and lanes that add at random places (`randomaccess`), of which a slice
takes a request in four whole cycles, whatever its words ([Silicon](decisions.md#silicon)).
"""),
]  # fmt: skip


def rounds_and_bytes(arguments, program):
    """(rounds, blocks, bytes or operations of a thread and access) of a program of micro.csv."""
    words = arguments.split()
    if program.startswith("atomics"):
        return int(words[1]), SMS, 1
    lane = 4 if words[0].startswith("used") else int(words[0].partition("_")[2])
    return int(words[1]), SMS * int(words[3]), lane


@functools.lru_cache(maxsize=None)
def card_rates(card):
    """{program: GB/s or G operations a second}: launches of one and of three times the rounds are
    compared, by their durations."""
    durations, rates = {}, {}
    for launch in readers.read(card.data / "micro-times.csv").launches:
        durations.setdefault(launch.program, []).append(launch.values["duration"][0])
    for program, arguments in card_arguments(card).items():
        if program.split("_")[0] in ("read", "write", "atomics"):
            rounds, blocks, lane = rounds_and_bytes(arguments, program)
            *_, shorter, longer = durations[program]
            rates[program] = 2 * rounds * blocks * THREADS * ACCESSES * lane / (longer - shorter)
    return rates


def passed(card):
    """How many workloads have ended with PASS on the card: the others have no times."""
    file = card.data / "times.csv"
    if not file.exists():
        return 0
    return len({launch.program for launch in readers.read(file).launches})


def card_rows(card):
    with open(card.data / "micro.csv", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def card_arguments(card):
    return {row["program"]: row["arguments"] for row in card_rows(card)}


# Sectors that loads ask L1D for, those of them that it asks L2 for, and what L2 reads of DRAM.
TRAFFIC = {"l1d.reads": "L1D reads", "l1d.misses": "L1D misses", "dram.read_bytes": "DRAM reads"}

FIGURES = [
    ("a load that hits L1D", "latency.l1d", "chase_l1d"),
    ("a load that hits L2", "latency.l2", "chase_l2"),
    ("a load of DRAM, another row", "latency.row_miss", "chase_dram"),
    *((f"shared memory, {n} lane{'s' * (n > 1)} in a bank", f"latency.shared.{n}", f"shared_{n}")
      for n in (1, 2, 4, 8, 16, 32)),
    ("reads of L2", "read.l2", "read_l2"),
    ("stores, 1 B a lane", "write.1", "write_1"),
    ("stores, 4 B a lane", "write.4", "write_4"),
    ("stores, 16 B a lane", "write.16", "write_16"),
    ("reads of DRAM", "read.dram", "read_dram"),
    ("atomics, one word", "atomics.one_word", "atomics_one"),
    ("atomics, a word a lane", "atomics.many_words", "atomics_many"),
]  # fmt: skip
# What a configuration does not imply is measured on the machine: {program: meaning, unit}.
MEASURED_FIGURES = {
    "gather_4": ("a load that hits four lines of L1D, no lanes in one bank", "cycles each"),
    "gather_8": ("the same, eight lines", "cycles each"),
    "gather_16": ("the same, 16 lines", "cycles each"),
    "gather_32": ("the same, 32 lines", "cycles each"),
    "meeting_2": ("the same, two lines, lanes of both in each bank", "cycles each"),
    "meeting_8": ("the same, eight lines", "cycles each"),
    "meeting_32": ("the same, 32 lines", "cycles each"),
    "chase_host": ("a load of memory of the host", "cycles"),
    "host_lines": ("reads of memory of the host, 4 B a lane", "GB/s"),
    "host_sectors": ("reads of memory of the host, 32 B a lane", "GB/s"),
    "host_writes": ("stores to memory of the host, 4 B a lane", "GB/s"),
}


def calibration(card, implied, measured):
    """The table of microbenchmarks. `implied`: {figure: (value, unit)} of the machine; `measured`:
    {program: value} that were measured on it."""
    said = {row["program"]: float(row["measured"]) for row in card_rows(card)}
    rates = card_rates(card)
    found = [(meaning, rates.get(program, said[program]), *implied[figure])
             for meaning, figure, program in FIGURES]  # fmt: skip
    found += [(meaning, said[program], measured[program], unit)
              for program, (meaning, unit) in MEASURED_FIGURES.items() if program in said]
    lines = ["| | card | machine |", "|---|---|---|"]
    for meaning, theirs, ours, unit in found:
        digits = 1 if unit == "cycles" or 10 <= theirs < 100 else 2 if theirs < 10 else 0
        lines.append(f"| {meaning} | {theirs:.{digits}f} {unit} | {ours:.{digits}f} {unit} |")
    return lines


class Compared(validation_page.Machine):
    """What a Result says of one size of the programs."""

    def __init__(self, card, name, result):
        super().__init__(name, result)
        self.card = card

    def waits_for_memory(self, program):
        launches = [one for one in self.result.reference.launches if one.program == program]

        def card(metric):
            return sum(one.values[metric][0] for one in launches)

        dram = card("dram.read_bytes") + card("dram.write_bytes")
        l2 = 32 * card("l2.accesses")  # sectors
        time = card("duration")
        l2_peak = card_rates(self.card)["read_l2"]
        return dram >= BUSY * self.card.dram_peak * time or l2 >= BUSY * l2_peak * time

    def median_error(self):
        return statistics.median(map(abs, self.errors().values()))

    def rank(self):
        """Spearman's coefficient: Pearson's, of the places in order."""
        places = [sorted(side).index for side in zip(*(self.cycles(p)[:2] for p in self.totals))]
        return agreement.pearson(*([place(self.cycles(p)[side]) for p in self.totals]
                                   for side, place in enumerate(places)))  # fmt: skip

    def mean_amount_error(self, name):
        """Of the programs that have it, in %."""
        found = [total[name][2] for total in self.totals.values() if name in total]
        return agreement.mean_error(found)

    def only(self, wanted):
        """The same for some programs alone."""
        some = Compared(self.card, self.name, self.result)
        some.totals = {p: t for p, t in self.totals.items() if wanted(p)}
        return some


def coefficient(value):
    return "-" if value is None else f"{value:.4f}"


def summary_row(label, compared):
    within = sum(abs(error) <= OUTLIER for error in compared.errors().values())
    return (
        f"| {label} | {len(compared.totals)} | {compared.mean_error():.1f} % | "
        f"{compared.median_error():.1f} % | {within} | {coefficient(compared.pearson())} | "
        f"{coefficient(compared.rank())} | "
        + " | ".join(f"{compared.mean_amount_error(name):.1f} %" for name in TRAFFIC)
        + " |"
    )


def program_row(compared, program, arguments):
    found = compared.totals[program]
    ours, theirs, error = found["cycles"]
    instructions = found["warp_instructions"][2]
    waits = "memory" if compared.waits_for_memory(program) else ""
    traffic = " | ".join(validation_page.percent(found[n][2]) if n in found else "-"
                         for n in TRAFFIC)  # fmt: skip
    return (
        f"| `{program}` | {arguments} | {waits} | {theirs:.0f} | {ours:.0f} | {error:+.1f} % | "
        f"{instructions:+.0f} % | {traffic} |"
    )


def rows(card, results, arguments):
    """The rows of the programs that were compared."""
    return [
        program_row(compared, program, arguments[size][program])
        for size, compared in machines(card, results).items()
        for program in sorted(compared.totals)
    ]


def machines(card, results):
    return {size: Compared(card, size, result) for size, result in results.items() if result}


def said_once(notes):
    """Without those that another one begins with."""
    return [note for note in dict.fromkeys(notes)
            if not any(other.startswith(note + ";") for other in notes)]  # fmt: skip


def section(card, results, arguments, too_long, most, implied, measured):
    """The lines on a card, with its title."""
    compared = machines(card, results)
    notes = said_once([note for one in compared.values() for note in one.result.reference.notes])
    lines = [
        card.title,
        "",
        *card.introduction.format(passed=passed(card)).splitlines(),
        "",
        *(f"- {note}" for note in notes),
        "",
        "### What the machine is calibrated by",
        "",
        *calibration(card, implied, measured),
        "",
        "### Agreement",
        "",
        "| programs | | mean error | median | within | Pearson | rank | "
        + " | ".join(TRAFFIC.values()) + " |",
        "|" + "---|" * (7 + len(TRAFFIC)),
    ]  # fmt: skip
    for size, one in compared.items():
        lines.append(summary_row(size, one))
        waiting = one.only(one.waits_for_memory)
        if len(waiting.totals) > 2:
            lines.append(summary_row(f"{size}, waiting for memory", waiting))
    lines += ["", *card.explanation.splitlines(), "", "### Programs"]
    for size, one in compared.items():
        lines += [
            "",
            f"#### {size.capitalize()}",
            "",
            "| program | arguments | | card, cycles | machine | error | instructions | "
            + " | ".join(TRAFFIC.values()) + " |",
            "|" + "---|" * (7 + len(TRAFFIC)),
            *(program_row(one, p, arguments[size][p]) for p in sorted(one.totals)),
        ]  # fmt: skip
        if too_long[size]:
            names = ", ".join(f"`{name}`" for name in too_long[size])
            left = (f"Not run, as they issue more than {most / 1e6:g} million warp instructions: "
                    f"{names}.")  # fmt: skip
            lines += ["", *textwrap.wrap(left, validation_page.WIDTH)]
    return lines


def sections(text):
    """{machine: lines} of the page `text`, without blank lines at their ends."""
    found, of = {}, {card.title: card.machine for card in CARDS}
    lines = None
    for line in text.splitlines():
        if line in of:
            lines = found[of[line]] = []
        if lines is not None:
            lines.append(line)
    for lines in found.values():
        while not lines[-1]:
            lines.pop()
    return found


def text(of_cards):
    """The page. `of_cards`: {machine: lines of its section}."""
    head = INTRODUCTION.format(busy=round(100 * BUSY), outlier=OUTLIER).splitlines()
    of_all = [line for card in CARDS for line in ["", *of_cards[card.machine]]]
    return "\n".join([*head, *of_all]) + "\n"
