#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the peer, Accel-Sim, on exported traces of the workloads, and writes its figures to data/.

usage: peer.py [--warpmem W] [-j N] [--costs | --rules] PEER [MACHINE...]

PEER is the folder gpu-simulator of a built Accel-Sim with its gpgpu-sim in it. Nothing of it is
part of this project; data/MACHINE.csv says which version it was. --costs runs costs.cu alone,
--rules what shows those rules of rules.json that have options of the peer's.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import setting
from setting import Failure, execute

import accelsim  # noqa: E402
import metrics  # noqa: E402
import own_csv  # noqa: E402
from load import ReportError  # noqa: E402
from reference import Reference  # noqa: E402

SETS = "configs/tested-cfgs"
KEPT = ["cycles", "thread_instructions", "l1d.reads", "l1d.hit_rate", "l2.accesses", "l2.hit_rate",
        "dram.read_bytes", "dram.write_bytes"]
MOST_SECONDS = 900  # of a program
NEWEST_SASS = {"SM86_RTX3070": 86}  # of the set; else 70


class Peer:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.program = self.folder / "bin/release/accel-sim.out"
        libraries = [str(folder) for folder in self.folder.glob("gpgpu-sim/lib/*/*/release")]
        if not self.program.exists() or not libraries:
            raise Failure(f"{self.program}: not there, or its libraries; is the peer built?")
        self.environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(libraries)}

    def version(self):
        def of(folder):
            return execute(["git", "-C", folder, "rev-parse", "--short=7", "HEAD"]).strip()

        return f"Accel-Sim {of(self.folder)} with GPGPU-Sim {of(self.folder / 'gpgpu-sim')}"

    def run(self, machine, traces, folder, further=()):
        """Returns the peer's log; `further` are options beside those of the machine."""
        options, base = setting.peer_options(machine)
        configs = [self.folder / "gpgpu-sim" / SETS / base / "gpgpusim.config",
                   self.folder / SETS / base / "trace.config", options]  # fmt: skip
        command = [self.program, "-trace", traces / "kernelslist.g"]
        for config in configs:
            command += ["-config", config]
        command += [word for option in further for word in option.split()]
        folder.mkdir(parents=True, exist_ok=True)
        return execute(command, cwd=folder, env=self.environment, timeout=MOST_SECONDS)


def measure(peer, machine, name, traces, folder, further=()):
    """The peer's launches of a workload, with the metrics that are kept."""
    log = peer.run(machine, traces, folder, further)
    file = f"{machine}/{name}"
    reference = accelsim.read(file, log)
    for number, launch in enumerate(reference.launches, 1):
        launch.program, launch.number = name, number
        launch.values = {key: launch.values[key] for key in KEPT if key in launch.values}
    return reference


def columns_of(reference):
    """A column has one unit: what machines count in requests and in sectors has none."""
    found = {}
    for launch in reference.launches:
        for name, (_, unit) in launch.values.items():
            found.setdefault(name, set()).add(unit)
    return [(metric.name, *found[metric.name]) for metric in metrics.ALL
            if len(found.get(metric.name, ())) == 1]  # fmt: skip


class Keeper:
    """Runs programs on the peer's machines and writes what is kept; `scratch` is a folder for all
    that is not."""

    def __init__(self, peer, warpmem, jobs, scratch):
        self.peer, self.warpmem, self.jobs, self.scratch = peer, warpmem, jobs, scratch
        self.catalogue = setting.Catalogue(warpmem, scratch)

    def exported(self, name, base):
        """The traces of a program, of the newest instructions that the set `base` takes."""
        arch = NEWEST_SASS.get(base, 70)
        traces = self.scratch / f"traces-{arch}" / name
        if not traces.exists():
            traces.parent.mkdir(exist_ok=True)
            execute([self.warpmem, "trace", "export", self.catalogue.built(name), "-o", traces,
                     "--arch", arch, "--", *self.catalogue.options[name]])  # fmt: skip
        return traces

    def measured(self, machine, name):
        """The peer's launches of a program; its name where it does not end."""
        traces = self.exported(name, setting.peer_options(machine)[1])
        try:
            return measure(self.peer, machine, name, traces, self.scratch / machine / name)
        except (Failure, ReportError) as failure:
            print(f"{machine}, {name}: {failure}", file=sys.stderr, flush=True)
            return name

    def keep(self, machine, names, file):
        """Runs programs on a machine and writes `file`."""
        with ThreadPoolExecutor(self.jobs) as pool:
            found = list(pool.map(lambda name: self.measured(machine, name), names))
        whole = Reference(machine, "the peer")
        for result in found:
            whole.launches += [] if isinstance(result, str) else result.launches
        base = setting.peer_options(machine)[1]
        note = f"{self.peer.version()}, set {base}, machines/{machine}.options"
        if without := [name for name in found if isinstance(name, str)]:
            note += "; which did not end: " + ", ".join(without)
        file.write_text(own_csv.write(whole.launches, columns_of(whole), note))
        print(f"{file.name}: {len(whole.launches)} launches", flush=True)

    def keep_rules(self):
        """Runs what shows rules, one after the other."""
        whole = Reference("rules", "the peer")
        notes = []
        rules = json.loads((setting.HERE / "rules.json").read_text())["rules"]
        for name, rule in rules.items():
            if "options" not in rule:
                continue
            machine, program, options = rule["machine"], rule["program"], rule["options"]
            base = setting.peer_options(machine)[1]
            found = measure(self.peer, machine, program, self.exported(program, base),
                            self.scratch / name, options)  # fmt: skip
            for launch in found.launches:
                launch.program = name
            whole.launches += found.launches
            notes.append(f"{name}: {program}, set {base}, machines/{machine}.options, "
                         + ", ".join(options))  # fmt: skip
        text = "; ".join([self.peer.version(), *notes])
        setting.rules_file().write_text(own_csv.write(whole.launches, columns_of(whole), text))

    def keep_machine(self, machine, costs_only):
        self.keep(machine, [setting.COSTS], setting.costs_file(machine))
        if not costs_only:
            names = setting.programs_for_peer(machine, self.catalogue.names())
            self.keep(machine, names, setting.reference_file(machine))


def main():
    parser = argparse.ArgumentParser(description="Run the peer and keep its figures.")
    parser.add_argument("--warpmem", default=setting.ROOT / "build/release/systemc/app/warpmem")
    parser.add_argument("-j", type=int, default=2, metavar="N")
    parser.add_argument("--costs", action="store_true")
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("peer", metavar="PEER")
    parser.add_argument("machines", nargs="*", metavar="MACHINE")
    arguments = parser.parse_args()
    peer = Peer(arguments.peer)
    with tempfile.TemporaryDirectory() as scratch:
        keeper = Keeper(peer, arguments.warpmem, arguments.j, pathlib.Path(scratch))
        if arguments.rules:
            keeper.keep_rules()
            return
        for machine in arguments.machines or setting.MACHINES:
            keeper.keep_machine(machine, arguments.costs)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
