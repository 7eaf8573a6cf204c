# SPDX-License-Identifier: Apache-2.0
"""The table of memory instructions (`run --per-pc`): what each load and store did, beside its
source line."""
from html import escape

from markupsafe import Markup

from figures import STAGE_COLOURS, stage_name
from sources import Sources
from values import fixed, percent, whole

SPARK_WIDTH, SPARK_HEIGHT = 88, 22


def launched_together(name):
    """The names of the kernels of a launch, of which several may have run together."""
    names, depth, begin = [], 0, 0
    for at, letter in enumerate(name):
        depth += (letter in "(<") - (letter in ")>")
        if depth == 0 and name.startswith(" + ", at):
            names.append(name[begin:at])
            begin = at + len(" + ")
    return [*names, name[begin:]]


def without_parameters(name):
    """Cuts the brackets that end a name: those of a namespace without a name are in front."""
    depth = 0
    for at in range(len(name) - 1, -1, -1) if name.endswith(")") else ():
        depth += (name[at] == ")") - (name[at] == "(")
        if depth == 0:
            return name[:at] or name
    return name


def short_kernel(name):
    """"atax_rows(float const*, int)" -> "atax_rows"; of kernels that ran together, those of all."""
    return " + ".join(without_parameters(one) for one in launched_together(name))


def kernel_order(runs):
    """Names of all kernels with instructions, as the first run launched them."""
    order = [kernel.get("name", "") for run in runs for kernel in run.kernels]
    for run in runs:
        if run.observed.instructions:
            order += [kernel["name"] for kernel in run.observed.instructions["kernels"]]
    return list(dict.fromkeys(order))


def instructions_of(run):
    """Kernel -> its instructions; {} for a run without."""
    document = run.observed.instructions
    return {k["name"]: k["instructions"] for k in document["kernels"]} if document else {}


def spark(latency):
    """A histogram of latencies as a small picture."""
    counts, bounds = latency["counts"], latency["bounds"]
    top, step = max(counts, default=0), SPARK_WIDTH / len(counts)
    if not top:
        return ""
    bars = []
    for index, count in enumerate(counts):
        height = (SPARK_HEIGHT - 2) * count / top
        above = f"above {whole(bounds[index - 1])}" if index else ""
        upto = f"up to {whole(bounds[index])}" if index < len(bounds) else ""
        tip = f"{' and '.join(filter(None, (above, upto)))} cycles: {whole(count)}"
        bars.append(
            f'<rect x="{index * step:.1f}" y="{SPARK_HEIGHT - 1 - height:.1f}" '
            f'width="{step - 1:.1f}" height="{height:.1f}" style="fill:var(--c0)">'
            f"<title>{escape(tip)}</title></rect>"
        )
    bars.append(
        f'<line x1="0" x2="{SPARK_WIDTH}" y1="{SPARK_HEIGHT - .5}" y2="{SPARK_HEIGHT - .5}" '
        'class="grid"/>'
    )
    return Markup(
        f'<svg class="spark" viewBox="0 0 {SPARK_WIDTH} {SPARK_HEIGHT}" role="img" '
        f'aria-label="distribution of latency">{"".join(bars)}</svg>'
    )


def life_bar(slowest):
    """The parts of the slowest request as widths of a bar."""
    if not slowest or not slowest["fs"]:
        return []
    parts = []
    for part in slowest["parts"]:
        name = stage_name(part["name"])
        parts.append(
            {
                "width": round(100 * part["fs"] / slowest["fs"], 2),
                "colour": STAGE_COLOURS.get(part["name"], "--c7"),
                "tip": f"{name}: {part['fs'] / 1e6:.1f} ns",
            }
        )
    return parts


def hits_of(level):
    """("75.0 %", "3 of 4") of the requests that could hit, or ("–", "") without such."""
    asked = level["hits"] + level["primary_misses"] + level["secondary_misses"]
    if not asked:
        return "–", ""
    return percent(level["hits"] / asked), f"{whole(level['hits'])} of {whole(asked)}"


def row_of(kernel, run, one, place):
    l1d, l2, latency = one["l1d"], one["l2"], one["latency"]
    l1d_rate, l1d_hits = hits_of(l1d)
    l2_rate, l2_hits = hits_of(l2)
    return {
        "pc": f"0x{one['pc']:x}",
        "kernel": short_kernel(kernel),
        "line": f"{place['file']}:{one['source_line']}" if place["file"] else
                (f"line {one['source_line']}" if one["source_line"] else ""),
        "source": place["source"],
        "ptx": place["ptx"] or one["text"] or f"{one['op']} {one['space']}",
        "run": run.name,
        "executions": whole(one["executions"]),
        "degree": fixed(one["requests"] / one["executions"]) if one["executions"] else "–",
        "l1d": l1d_rate,
        "l1d_hits": l1d_hits,
        "misses": whole(l1d["primary_misses"]),
        "merged": whole(l1d["secondary_misses"]),
        "l2": l2_rate,
        "l2_hits": l2_hits,
        "dram": whole(l2["primary_misses"]),
        "evictions": whole(l1d["evictions"]),
        "mean": fixed(latency["mean"]) if latency["samples"] else "–",
        "most": f"most {whole(latency['max'])}" if latency["samples"] else "",
        "sum": whole(latency["sum"]),
        "spread": spark(latency),
        "bytes": whole(one["bytes"]),
        "life": life_bar(one.get("slowest")),
        "life_ns": f"{one['slowest']['fs'] / 1e6:,.0f}" if one.get("slowest") else "–",
    }


def costliest(run):
    """(kernel, instruction) whose executions took most cycles together; None without any."""
    every = [(k, one) for k, found in instructions_of(run).items() for one in found]
    found = max(every, key=lambda item: item[1]["latency"]["sum"], default=None)
    return found if found and found[1]["latency"]["sum"] else None


def finding(run, places):
    """The sentence on the source line, or PC, whose instructions took most cycles; None without."""
    sums = {}
    for kernel, found in instructions_of(run).items():
        for one, place in zip(found, places[kernel]):
            line = one["source_line"]
            where = f"line {line}" if line else f"PC 0x{one['pc']:x}"
            key = (kernel, place["file"], where)
            cycles, code = sums.get(key, (0, place["source"] or place["ptx"] or one["text"]))
            sums[key] = (cycles + one["latency"]["sum"], code)
    total = sum(cycles for cycles, _ in sums.values())
    if not total:
        return None
    (kernel, _, where), (cycles, code) = max(sums.items(), key=lambda item: item[1][0])
    return {
        "run": run.name,
        "text": f"{percent(cycles / total)} of the cycles that memory instructions took went to "
        f"{where} of {short_kernel(kernel)}: ",
        "code": code,
    }


def instruction_table(runs):
    """What the page shows of instructions; None when no run has them."""
    having = [run for run in runs if run.observed.instructions]
    if not having:
        return None
    rows, problems, findings, places = [], [], [], {}
    for run in having:
        sources = Sources(run)
        places[run.name] = {
            k: sources.of_kernel(short_kernel(k), i) for k, i in instructions_of(run).items()
        }
        problems += [f"{run.name}: {problem}" for problem in sources.problems]
        findings.append(finding(run, places[run.name]))
    for kernel in kernel_order(having):
        of_kernel = []
        for number, run in enumerate(having):
            found = instructions_of(run).get(kernel, [])
            for one, place in zip(found, places[run.name].get(kernel, [])):
                of_kernel.append((one["pc"], one["line"], number, row_of(kernel, run, one, place)))
        rows += [row for *_, row in sorted(of_kernel, key=lambda item: item[:3])]
    return {
        "rows": rows,
        "several": len(having) > 1,
        "problems": problems,
        "findings": [f for f in findings if f],
    }
