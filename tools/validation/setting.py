# SPDX-License-Identifier: Apache-2.0
"""What is compared: the programs, the machines, and where things are."""
import collections
import functools
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "report"), str(HERE.parent / "correlate")]

import readers  # noqa: E402

MACHINES = ["gu-dlmshr", "mrpb-base-s", "v100", "rtx3070"]
# Machines on which the peer, which is slow, has run only the programs that take it no more cycles
# than these on the first machine.
MOST_CYCLES = {"mrpb-base-s": 32000}
# A machine that is wrong on purpose: this one with half of its L2.
WRONG_MACHINE = "gu-dlmshr"
WRONG_KEYS = ["l2.size=64 KiB"]
COSTS = "costs"  # the program of costs.cu, which is not among those that are compared


class Failure(Exception):
    """What went wrong, in words."""


def execute(command, **more):
    """Runs a program of ours or of the peer's; returns its standard output."""
    command = [str(word) for word in command]
    try:
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", **more)
    except subprocess.TimeoutExpired as expired:
        raise Failure(f"{' '.join(command)}: no end after {expired.timeout} s") from None
    if result.returncode != 0:
        last = "\n".join((result.stderr or result.stdout).splitlines()[-5:])
        raise Failure(f"{' '.join(command)}: exit status {result.returncode}\n{last}")
    return result.stdout


class Catalogue:
    """The workloads of the catalogue at their tiny sizes, each built once."""

    def __init__(self, warpmem, folder):
        self.warpmem = warpmem
        self.folder = pathlib.Path(folder)
        found = json.loads(execute([warpmem, "list", "workloads", "--json"]))
        self.arguments = {name: entry["sizes"]["tiny"].split() for name, entry in found.items()}
        self.files = {name: ROOT / "workloads" / entry["file"] for name, entry in found.items()}
        self.files[COSTS] = HERE / "costs.cu"
        self.options = {COSTS: []} | self.arguments

    def names(self, only=()):
        for name in only:
            if name not in self.arguments:
                known = ", ".join(self.arguments)
                raise Failure(f"{name} is no workload; allowed: {known}")
        return list(only) or list(self.arguments)

    def built(self, name):
        program = self.folder / "bin" / name
        if not program.exists():
            program.parent.mkdir(exist_ok=True)
            execute([self.warpmem, "cc", "-o", program, self.files[name]])
        return program


def machine_file(machine):
    return HERE / "machines" / f"{machine}.yaml"


def peer_options(machine):
    """(file of the peer's options, the set of the peer's that they change)."""
    file = HERE / "machines" / f"{machine}.options"
    base = re.match(r"# base: (\w+)\n", file.read_text())
    if base is None:
        raise Failure(f"{file}:1: the first line is `# base: SET`")
    return file, base[1]


def reference_file(machine):
    return HERE / "data" / f"{machine}.csv"


@functools.lru_cache
def cycles_of_peer(machine):
    """{program: cycles of all its launches}, as far as the peer has run them."""
    cycles = collections.Counter()
    for launch in readers.read(reference_file(machine)).launches:
        cycles[launch.program] += launch.values["cycles"][0]
    return cycles


def programs_of(machine, names):
    """Those of `names` that are compared on the machine."""
    return [name for name in names if name in cycles_of_peer(machine)]


def programs_for_peer(machine, names):
    """Those of `names` that the peer is to run."""
    if machine not in MOST_CYCLES:
        return list(names)
    cycles = cycles_of_peer(MACHINES[0])
    return [name for name in names if 0 < cycles[name] <= MOST_CYCLES[machine]]


def rules_file():
    """What the peer's runs that show rules took; their programs are the names of the rules."""
    return HERE / "data/rules.csv"


def costs_file(machine):
    return HERE / "data" / f"{machine}-costs.csv"
