# SPDX-License-Identifier: Apache-2.0
"""Miss handlers in whole runs: a workload at its tiny size as the configuration has it and under
every handler, with everything checked: with one of the two allocations, and as WORKLOAD.other with
the other one; TSMA's side effects one at a time; a mistyped handler.

usage: miss_handler_test.py WORKLOAD | WORKLOAD.other | side_effects | mistyped
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

from whole_runs import CONFIG, HANDLERS, PROGRAMS, ROOT, WARPMEM

SMS = "sm.count=4"  # enough for contention, and every workload fills them


def run(program, keys, folder, arguments=()):
    command = [WARPMEM, "run", "-c", CONFIG, "-o", folder]
    for key in [*keys, "check_data=true", "check_protocol=true"]:
        command += ["--set", key]
    result = subprocess.run([*command, program, "--", *arguments], capture_output=True, text=True)
    if result.returncode != 0 or "PASS" not in result.stdout.splitlines():
        sys.exit(f"{program} {keys}: exit status {result.returncode}\n"
                 f"{result.stdout}{result.stderr}")
    return json.loads((folder / "stats.json").read_text())["total"]["stats"]


def settings_of(number, other):
    """Returns the keys of each run of the workload with this number. Lines are taken on a miss or
    when they arrive, in turn over workloads and handlers; `other` are the runs that this leaves.
    With shared tags the setting has no effect, and is taken with a note."""
    settings = [] if other else [[]]
    for position, kind in enumerate(HANDLERS):
        if "tsma" in kind and other:
            continue
        allocate = ("on_miss", "on_fill")[(number + position + other) % 2]
        if "tsma" in kind:
            allocate = "on_fill"
        settings.append([key for level in ("l1d", "l2") for key in (
            f"{level}.mshr.kind={kind}", f"{level}.allocate={allocate}")])
    return settings


def check_workload(name, other):
    listing = subprocess.run([WARPMEM, "list", "workloads", "--json"], check=True,
                             stdout=subprocess.PIPE)
    catalogue = json.loads(listing.stdout)
    entry = catalogue[name]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program = PROGRAMS.get(ROOT / "workloads" / entry["file"])
        for setting in settings_of(sorted(catalogue).index(name), other):
            stats = run(program, [SMS, *setting], folder / "run",
                        entry["sizes"]["tiny"].split())
            if stats["gpu.data.bytes_compared"] == 0:
                sys.exit(f"{name} {setting}: the data check compared nothing")


def check_side_effects():
    """Each side effect of TSMA alone, by its counters; HTSMA removes it (KI 5.2)."""
    def stats_of(program, kind, folder):
        # The paper's conventional cache takes its lines when they arrive (KI 5.3.1).
        keys = ["sm.count=1", "l1d.index=linear", "l1d.allocate=on_fill", f"l1d.mshr.kind={kind}"]
        return run(program, keys, folder / kind)

    for name, shown, absent, figure in (
            ("early_eviction", "early_evictions.hurt", "locked_cycles", "l1d.primary_misses"),
            ("cache_lockup", "locked_cycles", "early_evictions.hurt",
             "l1d.reservation_fails.set_locked.cycles")):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            program = PROGRAMS.get(ROOT / "workloads" / "micro" / f"{name}.cu")
            of = {kind: stats_of(program, kind, folder)
                  for kind in ("conventional", "tsma", "htsma")}
        for condition, what in (
                (of["tsma"][f"l1d.mshr.{shown}"] > 100, f"TSMA shows {shown}"),
                (of["tsma"][f"l1d.mshr.{absent}"] == 0, f"TSMA shows no {absent}"),
                (of["htsma"][f"l1d.mshr.{shown}"] == 0, f"HTSMA removes {shown}"),
                (of["htsma"][f"l1d.mshr.{absent}"] == 0, f"HTSMA shows no {absent}"),
                (of["tsma"][figure] > of["conventional"][figure], f"TSMA has more {figure}"),
                (of["htsma"][figure] == of["conventional"][figure], f"HTSMA has no more {figure}")):
            if not condition:
                sys.exit(f"{name}: not so: {what}\n{json.dumps(of, indent=1)}")


def check_mistyped():
    began = time.monotonic()
    result = subprocess.run([WARPMEM, "run", "--set", "l1d.mshr.kind=tmsa", "no-such-program"],
                            capture_output=True, text=True)
    seconds = time.monotonic() - began
    for fragment in ("l1d.mshr.kind", "tmsa", "did you mean", *HANDLERS):
        if fragment not in result.stderr:
            sys.exit(f"the message does not say: {fragment}\n{result.stderr}")
    if result.returncode != 2 or seconds > 1:  # 0.2 s on a machine that does nothing else
        sys.exit(f"exit status {result.returncode} after {seconds:.2f} s")


if __name__ == "__main__":
    groups = {"side_effects": check_side_effects, "mistyped": check_mistyped}
    workload, _, part = sys.argv[1].partition(".")
    groups.get(sys.argv[1], lambda: check_workload(workload, part == "other"))()
