# SPDX-License-Identifier: Apache-2.0
"""tools/scaling_page.py: tables and curves say what the results say."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[3]


def point(kind, entries, by_law):
    law = [{"entries": 8, "area_um2": 100, "fitted_um2": 103, "period_ns": 2, "fitted_ns": 1.9}]
    return {
        "kind": kind,
        "entries": entries,
        "slots": 8,
        "by_law": by_law,
        "area_um2": 125.0 * entries,
        "tag_bits_um2": 30,
        "link_bits_um2": 0,
        "other_bits_um2": 10,
        "gates_um2": 60,
        "slots_um2": 25.0 * entries,
        "period_ns": 2,
        "fmax_mhz": 500,
        "access_ns": 3,
        "dynamic_mw": 1.5,
        "leakage_mw": 0.5,
        "power_mw": 2,
        "law": law if by_law else [],
    }


def unit():
    return {
        "unit": "tsma",
        "parameters": {"ENTRIES": "48", "SLOT_BITS": "16"},
        "library": {"file": "demo.lib"},
        "area": {"total_um2": 30, "sequential_um2": 10, "combinational_um2": 20},
        "registers": {"by_purpose": {"control": 7}},
        "timing": {"fmax_mhz": 250},
        "power": {"leakage_nw": 1500, "dynamic_mw": 2, "activity": 0.1},
    }


def write_page(docs, files):
    tool = [sys.executable, ROOT / "tools/scaling_page.py", "--warpmem", os.environ["WARPMEM"]]
    subprocess.run([*tool, docs, *files], check=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        docs = pathlib.Path(folder)
        (docs / "pictures").mkdir()
        scaling = {
            "library": "",
            "node_nm": 180.0,
            "points": [point("tsma", 8, False), point("tsma", 64, True)],
            "checks": [
                {"synthesized": point("tsma", 64, False), "by_law": point("tsma", 64, True)}
            ],
        }
        (docs / "in.json").write_text(json.dumps(scaling))
        (docs / "unit.json").write_text(json.dumps(unit()))
        files = [f"demo={docs / 'in.json'}", f"tsma={docs / 'unit.json'}"]
        write_page(docs, files)
        page = (docs / "scaling.md").read_text()
        for expected in (
            "`warpmem synth --scaling --node 180 --check 64 --json FILE`",
            "| tsma | 64 | 8000 | 30 | 0 | 10 | 60 | 1600 | 500 | 3.00 | 1.5 | 0.5 | law |",
            "| tsma | 8 | 100 | +3.0 % | 2.000 | -5.0 % |",
            "| tsma, beyond it | 64 | 6400 | +0.0 % | 2.000 | +0.0 % |",
            "| tsma -p ENTRIES=48 -p SLOT_BITS=16 --storage-outside --lib demo.lib | 30 | 10 | "
            "20 | 0 | 0 | 7 | 250 | 1.5 | 2 | 0.1 |",
        ):
            if expected not in page:
                sys.exit(f"{page}\nis without {expected}")
        if "Clocks beside" in page:
            sys.exit("a library of another node is beside the machines' clocks")
        at_45 = {**unit(), "library": {"file": "demo45.lib"}}
        (docs / "unit.json").write_text(json.dumps(at_45))
        write_page(docs, files)
        row = "| tsma ENTRIES=48 SLOT_BITS=16 | 250 | kim-tsma-200 | sm | 1400 | 0.18 |"
        if row not in (docs / "scaling.md").read_text():
            sys.exit(f"{(docs / 'scaling.md').read_text()}\nis without {row}")
        for kind, ports in ((0, 2), (1, 1), (2, 1)):
            macro = {"area_um2": 10 * ports, "access_ns": 0.25, "node_nm": 45}
            slots = {"ports": ports, "estimated": macro}
            one = {**unit(), "unit": "dl_mshr", "slots_outside": [slots]}
            one["parameters"] = {"SETS": "8", "STORAGE": str(kind), "SLOT_BITS": "16"}
            (docs / f"storage{kind}.json").write_text(json.dumps(one))
            files.append(f"storage{kind}={docs}/storage{kind}.json")
        write_page(docs, files)
        for row in (
            "| dl_mshr | 8 | two ports | 30 | 20 | 50 | 100.0 % | 250 | 0.250 | 4000 |",
            "| dl_mshr | 8 | split cycle | 30 | 10 | 40 | 80.0 % | 250 | 0.250 | 2000 |",
        ):
            if row not in (docs / "scaling.md").read_text():
                sys.exit(f"{(docs / 'scaling.md').read_text()}\nis without {row}")
        for name, size in (("cart_branch", {}), ("cart_shared", {"BANKS": "16"})):
            one = {**unit(), "unit": name, "parameters": {"ROWS": "4", **size}}
            (docs / f"{name}.json").write_text(json.dumps(one))
            files.append(f"{name}={docs}/{name}.json")
        write_page(docs, files)
        row = "| demo.lib | 16 | 30 | 480 | 30 | 6 % | 10 | 20 | 250 | 250 |"
        if row not in (docs / "scaling.md").read_text():
            sys.exit(f"{(docs / 'scaling.md').read_text()}\nis without {row}")
        estimated = {"area_um2": 20, "read_pj": 1, "write_pj": 1, "leakage_nw": 5e5, "node_nm": 45}
        for name, size in (
            ("dl_mshr", {"SETS": "16"}),
            ("dl_mshr_pipe", {"SETS": "16"}),
            ("mshr_conventional", {"ENTRIES": "4"}),
        ):
            one = {**unit(), "unit": name, "slots_outside": [{"estimated": estimated}]}
            one["parameters"] = {**size, "SLOT_BITS": "16"}
            one["area"] = {**one["area"], "total_um2": 980 if name == "dl_mshr" else 1980}
            (docs / f"{name}.json").write_text(json.dumps(one))
            files.append(f"{name}={docs}/{name}.json")
            write_page(docs, files)
            whole = name == "mshr_conventional"
            if ("its pipeline and" in (docs / "scaling.md").read_text()) != whole:
                sys.exit(f"the files stand beside each other: not {whole}, after {name}")
        # 2 mW at 250 MHz are 8 pJ a cycle; 0.5015 mW leak.
        row = "| 45 | demo.lib | 16 | 250 | 250 | 250 | 0.0010 | 0.0020 | 0.0020 | 3 | 3 | 3 | 10 |"
        if row not in (docs / "scaling.md").read_text():
            sys.exit(f"{(docs / 'scaling.md').read_text()}\nis without {row}")
        picture = xml.etree.ElementTree.parse(docs / "pictures/scaling-demo-area.svg")
        titles = [t.text for t in picture.iter() if t.tag.endswith("title")]
        if titles != ["tsma, 8 entries: 1,000 (synthesized)", "tsma, 64 entries: 8,000 (law)"]:
            sys.exit(f"the curve's points are {titles}")


if __name__ == "__main__":
    main()
