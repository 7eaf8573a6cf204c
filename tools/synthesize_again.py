#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesizes again what docs/scaling/ keeps, each at its own parameters and library, and writes
docs/scaling.md anew.

usage: synthesize_again.py WARPMEM LIBRARIES [NAME ...]

WARPMEM is the program, LIBRARIES the folder of the liberty files that are not installed. NAMEs are
those of files docs/scaling/NAME.json, all without any. One of measured transitions needs the run
that they came from (docs/synthesis.md); it is left as it is, and named.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INSTALLED = "osu018_stdcells.lib"  # what `warpmem synth` takes without --lib


def by_size(file):
    """Sorts numbers in names by their value."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", file.stem)]


def library(name, libraries):
    return [] if name in ("", INSTALLED) else ["--lib", libraries / name]


def arguments(data, libraries):
    """The arguments of `warpmem synth` that made a result."""
    if "unit" not in data:
        check = max((c["synthesized"]["entries"] for c in data["checks"]), default=0)
        words = ["--scaling", *library(data["library"], libraries)]
        words += ["--node", str(data["node_nm"])] if data["library"] else []
        return words + (["--check", str(check)] if check else [])
    words = [data["unit"]]
    for name, value in data["parameters"].items():
        words += ["-p", f"{name}={value}"]
    words += library(data["library"]["file"], libraries)
    if outside := data.get("slots_outside"):
        words += ["--storage-outside"]
        if data["library"]["file"] != INSTALLED:
            words += ["--node", str(outside[0]["estimated"]["node_nm"])]
    if data["timing"].get("target_period_ns"):
        words += ["--target-period", str(data["timing"]["target_period_ns"])]
    return words


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, libraries = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    kept = sorted((ROOT / "docs/scaling").glob("*.json"), key=by_size)
    chosen = set(sys.argv[3:]) or {file.stem for file in kept}
    if unknown := chosen - {file.stem for file in kept}:
        sys.exit(f"synthesize_again.py: no docs/scaling/{min(unknown)}.json")
    with tempfile.TemporaryDirectory() as folder:
        for file in kept:
            data = json.loads(file.read_text())
            if file.stem not in chosen:
                continue
            if data.get("power", {}).get("transitions"):
                print(f"{file.stem}: left as it is: its transitions were measured", flush=True)
                continue
            words = [str(word) for word in arguments(data, libraries)]
            print(f"{file.stem}: warpmem synth {' '.join(words)}", flush=True)
            new = pathlib.Path(folder) / file.name
            subprocess.run(
                [program, "synth", *words, "--json", new], check=True, stdout=subprocess.DEVNULL
            )
            file.write_text(new.read_text())
    page = ROOT / "tools/scaling_page.py"
    names = [f"{file.stem}={file}" for file in kept]
    subprocess.run(
        [sys.executable, page, "--warpmem", program, ROOT / "docs", *names], check=True
    )


if __name__ == "__main__":
    main()
