#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The page on miss handlers over their size and on all units: docs/scaling.md, its curves, and the
numbers.

usage: scaling_page.py [--warpmem W] DOCS NAME=FILE.json [NAME=FILE.json ...]

FILE.json is what `warpmem synth --scaling --json` wrote with library NAME, or what
`warpmem synth UNIT --json` wrote; it is copied to DOCS/scaling/NAME.json. Pictures
DOCS/pictures/scaling-NAME-area.svg and the like are drawn, and DOCS/scaling.md is written.
"""
import argparse
import functools
import json
import pathlib
import re
import sys

import machines_page

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools/report"))
import charts  # noqa: E402

COLOURS = {
    "conventional": "--c0",
    "set_assoc": "--c1",
    "dl": "--c2",
    "tsma": "--c3",
    "htsma": "--c4",
}
CURVES = (
    ("area", "area_um2", "area, µm²"),
    ("fmax", "fmax_mhz", "maximum clock of the control, MHz"),
    ("power", "power_mw", "power, mW"),
)
# The machine of configs/ in which a unit stands, of several that of its paper, and the part of it
# in whose clock.
MACHINES = {
    "bucl_ctrl": ("bucl", "sm"),
    "cart_branch": ("gu-cart", "l2"),
    "cart_shared": ("gu-cart", "l2"),
    "dau": ("gu-dlmshr", "sm"),
    "dl_mshr": ("gu-dlmshr", "sm"),
    "dl_mshr_pipe": ("gu-dlmshr", "sm"),
    "htsma": ("kim-tsma-200", "sm"),
    "htsma_steer": ("kim-tsma-200", "sm"),
    "laws_score": ("kim-laws", "sm"),
    "mrpb_drain": ("mrpb-base-s", "sm"),
    "mshr_conventional": ("kim-tsma-200", "sm"),
    "mshr_set_assoc": ("kim-tsma-200", "sm"),
    "throttle_unit": ("kim-laws", "sm"),
    "tsma": ("kim-tsma-200", "sm"),
    "tsma_index_gen": ("kim-tsma-200", "sm"),
}
MACHINE_NM = 45  # the papers' own area figures are of 45 nm
HEAD = """# Area, clock and power: miss handlers over their size, and all units

Written by `tools/scaling_page.py` from `docs/scaling/*.json`; nothing here is written by hand. What
each figure contains: `synthesis.md`. Entries have 8 slots of 16 bits and addresses of 25 bits;
set_assoc has 4 ways, htsma a small file of 8 entries besides; dl's entries are sets of 2 slots,
half of them reserved, so that 128 sets hold what 32 entries of the others hold. Slots are a macro
(estimated), all else is synthesized, or follows the law through 8, 16 and 32 entries (hollow
points). Power is that of one request and one return a cycle, of the longer of period and access,
every net at 0.1 transitions a cycle. Libraries: Debian's osu018, and nangate45 and sky130, which
are not part of the tree (`synthesis.md`). The clock is that of the smallest area times period, and
abc's heuristics scatter it by a fifth; htsma's law is that of its tsma.
"""

CLOCKS = """Each unit beside the clock of the machine of `configs/` in which it stands; the papers'
machines were made in other processes. The netlist is that of the smallest area times period, and
`--target-period` buys speed for area. With a ratio below 1 the unit needs more than a cycle of that
machine, where the papers count one: it would have to be split over stages, as `dl_mshr_pipe` is,
or be smaller.
"""


STORAGE = """What holds the slots of the DL-MSHR, as its parameter `STORAGE` says
(`rtl/common/README.md`): the logic around them is synthesized, the macro estimated. In a split
cycle the one port is used twice, so the cycle is no shorter than two accesses of the macro. A row
is `warpmem synth UNIT -p SETS=N -p RESERVED=N/2 -p STORAGE=K --storage-outside --lib FILE
--node NM`.
"""
STORAGE_KINDS = ("two ports", "one port", "split cycle")

BRANCHES = """The leaf queues of all DRAM banks of an L2 partition, without the requests that wait
in them: a `cart_branch` for each bank, as the simulator has them (`frontend.cart_unit`), beside
`cart_shared`, one engine for all branches (GU 2.6.4). The branches have the same registers in both;
what compares tags and lengths is there once, and the multiplexers that read a branch out of all and
write it back are there besides. Branches can be asked all at once; the engine fills one of them and
drains one in a cycle, and those multiplexers are in its longest path.
"""

BESIDE = """`dl_mshr` (v1), its pipeline `dl_mshr_pipe` (v2), and a `mshr_conventional` with as
many slots (a quarter of the entries, of 8 slots each): all synthesized flat, none by a law. The
area is that of the logic and of the estimated macro of the slots. Power is leakage and dynamic,
macro included, at the unit's own highest clock; the energy beside it is the dynamic one of a cycle
with one request and one return. In both every net has 0.1 transitions a cycle, and clocks always
run. A row is `warpmem synth UNIT -p SETS=N -p RESERVED=N/2 --storage-outside --lib FILE --node NM`,
of `mshr_conventional` with `-p ENTRIES=N/4`.
"""
BESIDE_UNITS = {"dl_mshr": "v1", "dl_mshr_pipe": "v2", "mshr_conventional": "conventional"}


def standalone(svg_text):
    """A picture of its own: with the page's colours and styles."""
    style = (ROOT / "tools/report/style.css").read_text()
    root = re.search(r":root\s*\{[^}]*\}", style).group(0)
    rules = "".join(
        line for line in style.splitlines(True) if re.match(r"svg (text|\.grid|\.line)", line)
    )
    head = '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" '
    inner = (
        f"<style>{root}\n{rules}</style>"
        '<rect width="100%" height="100%" style="fill:var(--paper)"/>'
    )
    start, rest = svg_text.split(">", 1)
    return start.replace("<svg ", head) + ">" + inner + rest + "\n"


def draw(docs, name, data):
    links = []
    for picture, key, title in CURVES:
        curves = []
        for kind, colour in COLOURS.items():
            own = [p for p in data["points"] if p["kind"] == kind]
            points = [(p["entries"], p[key], p["by_law"]) for p in own]
            if points:
                curves.append((kind, colour, points))
        file = f"pictures/scaling-{name}-{picture}.svg"
        label = f"{title}, over entries, {name}"
        (docs / file).write_text(
            standalone(charts.lines_over_size(curves, "entries (dl: sets)", title, label))
        )
        links.append(f"![{label}]({file})")
    return links


def table(points):
    rows = [
        "| kind | entries | area µm² | tags | links | other registers | gates | slots | "
        "fmax MHz | access ns | dynamic mW | leakage mW | control |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for p in points:
        parts = ("area_um2", "tag_bits_um2", "link_bits_um2", "other_bits_um2", "gates_um2")
        areas = " | ".join(f"{p[part]:.0f}" for part in (*parts, "slots_um2"))
        rows.append(
            f"| {p['kind']} | {p['entries']} | {areas} | {p['fmax_mhz']:.0f} | "
            f"{p['access_ns']:.2f} | "
            f"{p['dynamic_mw']:.3g} | {p['leakage_mw']:.3g} | "
            f"{'law' if p['by_law'] else 'synthesized'} |"
        )
    return rows


def off(fitted, synthesized):
    return f"{100 * (fitted / synthesized - 1):+.1f} %"


def logic(point):
    return point["area_um2"] - point["slots_um2"]


def laws(data):
    rows = ["| law of | entries | control µm² | law | period ns | law |"]
    rows += ["|---|---|---|---|---|---|"]
    seen = set()
    for p in data["points"]:
        if p["by_law"] and p["kind"] not in seen:
            seen.add(p["kind"])
            for q in p["law"]:
                area = off(q["fitted_um2"], q["area_um2"])
                period = off(q["fitted_ns"], q["period_ns"])
                rows.append(
                    f"| {p['kind']} | {q['entries']} | {q['area_um2']:.0f} | {area} | "
                    f"{q['period_ns']:.3f} | {period} |"
                )
    for c in data["checks"]:
        real, law = c["synthesized"], c["by_law"]
        rows.append(
            f"| {real['kind']}, beyond it | {real['entries']} | {logic(real):.0f} | "
            f"{off(logic(law), logic(real))} | {real['period_ns']:.3f} | "
            f"{off(law['period_ns'], real['period_ns'])} |"
        )
    return rows


def command(data):
    """The command that synthesizes the unit again."""
    parameters = data["parameters"]
    # Units with slots have this parameter; where these stood outside there are no such bits.
    outside = "SLOT_BITS" in parameters and "slot" not in data["registers"]["by_purpose"]
    words = [f"-p {k}={v}" for k, v in sorted(parameters.items()) if not k.endswith("_W")]
    words += ["--storage-outside"] if outside else []
    return " ".join(["warpmem synth", data["unit"], *words, "--lib", data["library"]["file"]])


def units(results):
    rows = [
        "| `warpmem synth` | area µm² | registers | gates | bits: tag | link | control | "
        "fmax MHz | leakage µW | dynamic mW | transitions a cycle |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for data in results:
        area, bits, power = data["area"], data["registers"]["by_purpose"], data["power"]
        areas = " | ".join(
            f"{area[key]:.0f}" for key in ("total_um2", "sequential_um2", "combinational_um2")
        )
        purposes = " | ".join(str(bits.get(key, 0)) for key in ("tag", "link", "control"))
        measured = power.get("transitions")
        how = f"{measured['mean']:.3f}, {measured['from']}" if measured else f"{power['activity']}"
        rows.append(
            f"| {command(data).removeprefix('warpmem synth ')} | {areas} | {purposes} | "
            f"{data['timing']['fmax_mhz']:.0f} | {power['leakage_nw'] / 1000:.3g} | "
            f"{power['dynamic_mw']:.3g} | {how} |"
        )
    return rows


def storages(results):
    """Units of which all kinds of storage were synthesized, at one size and library each."""
    sizes = {}
    for data in results:
        slots = data.get("slots_outside", [])
        if "STORAGE" in data["parameters"] and slots and "estimated" in slots[0]:
            sets, kind = data["parameters"]["SETS"], int(data["parameters"]["STORAGE"])
            key = (data["unit"], int(sets), data["library"]["file"])
            sizes.setdefault(key, {})[kind] = data
    rows = [
        "| unit | sets | slots | logic µm² | slots µm² | both | of two ports | fmax MHz | macro "
        "access ns | so at most MHz |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for (unit, sets, _), kinds in sorted(sizes.items()):
        if set(kinds) != {0, 1, 2}:
            continue
        whole = {}
        for kind, data in sorted(kinds.items()):
            macro = data["slots_outside"][0]["estimated"]
            whole[kind] = data["area"]["total_um2"] + macro["area_um2"]
            most = f"{1000 / macro['access_ns'] / (2 if kind == 2 else 1):.0f}"
            rows.append(
                f"| {unit} | {sets} | {STORAGE_KINDS[kind]} | {data['area']['total_um2']:.0f} | "
                f"{macro['area_um2']:.0f} | {whole[kind]:.0f} | "
                f"{100 * whole[kind] / whole[0]:.1f} % | {data['timing']['fmax_mhz']:.0f} | "
                f"{macro['access_ns']:.3f} | {most} |"
            )
    return rows if len(rows) > 2 else []


def figures(data):
    """Clock in MHz, area in mm², power in mW and energy of a cycle in pJ, slots' macro included."""
    macro = data["slots_outside"][0]["estimated"]
    power, fmax = data["power"], data["timing"]["fmax_mhz"]
    energy = 1000 * power["dynamic_mw"] / fmax + macro["read_pj"] + macro["write_pj"]
    leakage_mw = 1e-6 * (power["leakage_nw"] + macro["leakage_nw"])
    area = data["area"]["total_um2"] + macro["area_um2"]
    return fmax, 1e-6 * area, leakage_mw + 1e-3 * energy * fmax, energy


def beside(results):
    """The DL-MSHR files and a conventional one of as many slots, at each library and size."""
    sizes = {}
    for data in results:
        slots, parameters = data.get("slots_outside", []), data["parameters"]
        if data["unit"] not in BESIDE_UNITS or not slots or "estimated" not in slots[0]:
            continue
        sets = int(parameters.get("SETS", 4 * int(parameters.get("ENTRIES", 0))))
        node = slots[0]["estimated"]["node_nm"]
        sizes.setdefault((node, data["library"]["file"], sets), {})[data["unit"]] = data
    titles = [
        f"{name} {unit}"
        for unit in ("MHz", "mm²", "mW", "pJ")
        for name in BESIDE_UNITS.values()
    ]
    rows = ["| nm | library | sets | " + " | ".join(titles) + " |"]
    rows += ["|---" * (3 + len(titles)) + "|"]
    for (node, library, sets), kinds in sorted(sizes.items()):
        if set(kinds) != set(BESIDE_UNITS):
            continue
        columns = zip(*(figures(kinds[unit]) for unit in BESIDE_UNITS))
        cells = [
            f"{value:{form}}" for form, column in zip((".0f", ".4f", ".3g", ".4g"), columns)
            for value in column
        ]
        rows.append(f"| {node:.0f} | {library} | {sets} | " + " | ".join(cells) + " |")
    return rows if len(rows) > 2 else []


def branches(results):
    """cart_shared beside as many cart_branch of one size and library."""
    alone = {}
    for data in results:
        if data["unit"] == "cart_branch":
            alone[tuple(sorted(data["parameters"].items())), data["library"]["file"]] = data
    rows = [
        "| library | banks | `cart_branch` each µm² | all banks | `cart_shared` | of all banks | "
        "registers | gates | `cart_branch` MHz | `cart_shared` MHz |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for data in results:
        if data["unit"] != "cart_shared":
            continue
        size = {k: v for k, v in data["parameters"].items() if k != "BANKS"}
        library = data["library"]["file"]
        one = alone.get((tuple(sorted(size.items())), library))
        if not one:
            continue
        banks, area = int(data["parameters"]["BANKS"]), data["area"]
        independent = banks * one["area"]["total_um2"]
        rows.append(
            f"| {library} | {banks} | {one['area']['total_um2']:.0f} | {independent:.0f} | "
            f"{area['total_um2']:.0f} | {100 * area['total_um2'] / independent:.0f} % | "
            f"{area['sequential_um2']:.0f} | {area['combinational_um2']:.0f} | "
            f"{one['timing']['fmax_mhz']:.0f} | {data['timing']['fmax_mhz']:.0f} |"
        )
    return rows if len(rows) > 2 else []


@functools.lru_cache(maxsize=None)
def machine_of(name, warpmem):
    return machines_page.Machine(warpmem, ROOT / "configs" / f"{name}.yaml", [])


def clocks(results, warpmem):
    rows = [
        "| unit | fmax MHz | machine | part | its clock MHz | fmax / clock |",
        "|---|---|---|---|---|---|",
    ]
    for data in results:
        machine, part = MACHINES[data["unit"]]
        clock = machine_of(machine, warpmem).number(f"{part}.clock") / 1e6
        fmax = data["timing"]["fmax_mhz"]
        # Of the command what says the size.
        size = command(data).removeprefix("warpmem synth ").split(" --")[0].replace("-p ", "")
        rows.append(
            f"| {size} | {fmax:.0f} | {machine} | {part} | {clock:g} | {fmax / clock:.2f} |"
        )
    return rows


def main():
    parser = argparse.ArgumentParser(description="Write the page on miss handlers and units.")
    parser.add_argument("--warpmem", default="warpmem", help="the command line tool")
    parser.add_argument("docs", metavar="DOCS", type=pathlib.Path)
    parser.add_argument("files", metavar="NAME=FILE.json", nargs="+")
    arguments = parser.parse_args()
    docs = arguments.docs
    if wrong := [a for a in arguments.files if "=" not in a]:
        parser.error(f"{wrong[0]}: no NAME=FILE.json")
    (docs / "scaling").mkdir(exist_ok=True)
    lines = [HEAD]
    single = []
    for argument in arguments.files:
        name, file = argument.split("=", 1)
        source = pathlib.Path(file).read_text()
        data = json.loads(source)
        (docs / "scaling" / f"{name}.json").write_text(source)
        if "unit" in data:
            single.append(data)
            continue
        library = f" --lib {data['library']}" if data["library"] else ""
        check = max((c["synthesized"]["entries"] for c in data["checks"]), default=0)
        options = f"{library} --node {data['node_nm']:.0f}" + (f" --check {check}" if check else "")
        lines += [f"## {name}, {data['node_nm']:.0f} nm\n"]
        lines += [f"`warpmem synth --scaling{options} --json FILE`\n"]
        lines += [f"The numbers: `scaling/{name}.json`.\n"]
        lines += draw(docs, name, data) + [""] + table(data["points"]) + [""]
        lines += ["What the law says of the sizes behind it, and of one beyond it:\n"]
        lines += laws(data) + [""]
    if single:
        lines += ["## Units\n", "Slots stand outside (a macro) where the command says so.\n"]
        # Other kinds of storage have a table of their own.
        plain = [d for d in single if int(d["parameters"].get("STORAGE", 0)) == 0]
        lines += units(plain)
        if rows := beside(plain):
            lines += ["\n## DL-MSHR, its pipeline and a conventional file\n", BESIDE] + rows
        named = [d for d in plain if f"{MACHINE_NM}" in d["library"]["file"]]
        if named:
            lines += [f"\n## Clocks beside those of the machines, {MACHINE_NM} nm\n", CLOCKS]
            lines += clocks(named, arguments.warpmem)
        if rows := branches(single):
            lines += ["\n## CART: a branch for each bank, and one engine for all\n", BRANCHES]
            lines += rows
        if rows := storages(single):
            lines += ["\n## Slots with two ports, with one, in split cycles\n", STORAGE] + rows
    (docs / "scaling.md").write_text("\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    main()
