# SPDX-License-Identifier: Apache-2.0
"""The card, its driver and its clocks, as nvidia-smi tells them."""
import csv
import subprocess

from problems import Problem

FIELDS = ["name", "driver_version", "clocks.current.sm", "clocks.current.memory", "clocks.max.sm"]


def ask(smi):
    """A dictionary of FIELDS, of the first card. Clocks are numbers, in MHz."""
    command = [smi, "--id=0", f"--query-gpu={','.join(FIELDS)}", "--format=csv,noheader,nounits"]
    try:
        run = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise Problem(f"{smi}: {error.strerror}; --smi names nvidia-smi") from error
    if run.returncode != 0:
        raise Problem(f"{' '.join(command)}: {(run.stderr or run.stdout).strip()}")
    row = next(csv.reader(run.stdout.splitlines(), skipinitialspace=True), [])
    if len(row) != len(FIELDS):
        raise Problem(f"{smi}: '{run.stdout.strip()}' is not {', '.join(FIELDS)}")
    card = dict(zip(FIELDS, row))
    for name in FIELDS[2:]:
        try:
            card[name] = float(card[name])
        except ValueError as error:
            raise Problem(f"{smi}: {name} is '{card[name]}', not a number of MHz") from error
    return card
