# SPDX-License-Identifier: Apache-2.0
"""What the page says: tables, charts and sentences from the runs' statistics (SPEC section 7 names).

Every part copes with statistics that a run does not have: a chart without data is replaced by a
sentence that names what is absent.
"""
import re
import shlex

from markupsafe import Markup

import charts

CACHES = (("l1d", "L1D"), ("l2", "L2"))

# Order and colour are the same in every chart of the page.
CAUSES = {
    "entry_full": ("--c0", "no MSHR entry free"),
    "merge_full": ("--c1", "the entry of the line takes no more requests"),
    "assoc_full": ("--c2", "every line of the set is reserved"),
    "miss_queue_full": ("--c3", "the queue towards the next level is full"),
    "set_locked": ("--c4", "every line of the set is shared (TSMA)"),
    "mshr_set_full": ("--c5", "the MSHR set is full (set-associative)"),
}
RUN_COLOURS = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5", "--c6", "--c7"]
STAGE_COLOURS = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5", "--c6", "--c7", "--c8", "--c9"]


def run_colour(index):
    return RUN_COLOURS[index % len(RUN_COLOURS)]


# ---- Values --------------------------------------------------------------------------------------


def first(stats, *names):
    """The first of the statistics that is there, else None."""
    return next((stats[name] for name in names if name in stats), None)


def quotient(stats, above, below):
    if above in stats and stats.get(below):
        return stats[above] / stats[below]
    return None


def hit_rate(stats, cache):
    rate = first(stats, f"{cache}.hit_rate")
    return rate if rate is not None else quotient(stats, f"{cache}.hits", f"{cache}.accesses")


def fails(stats, cache, kind="cycles"):
    """Reservation fails of one kind by cause; empty when the run does not have them."""
    found = {}
    pattern = re.compile(rf"{cache}\.reservation_fails\.(\w+?)(?:[._](cycles|requests))?$")
    for name, value in stats.items():
        match = pattern.match(name)
        if match and match.group(1) != "total" and (match.group(2) or "cycles") == kind:
            found[match.group(1)] = value
    return found


def all_fails(stats, cache, kind="cycles"):
    found = fails(stats, cache, kind)
    return sum(found.values()) if found else None


def mean_load_latency(run):
    histogram = run.histograms.get("sm.load.latency")
    return histogram["sum"] / histogram["samples"] if histogram and histogram.get("samples") else None


def fail_series(run, cache):
    pattern = re.compile(rf"{cache}\.reservation_fails\.(\w+?)(?:[._](?:cycles|over_time))?$")
    return {m.group(1): s for name, s in run.series.items() if (m := pattern.match(name))}


def occupancy_series(run, cache):
    for name, series in run.series.items():
        if re.match(rf"{cache}\.mshr\.\w*(occup|used|in_use|busy)\w*$", name):
            return series
    return None


# ---- Text ----------------------------------------------------------------------------------------


def whole(value):
    return f"{value:,.0f}"


def fixed(value):
    return f"{value:,.2f}" if abs(value) < 1000 else f"{value:,.0f}"


def percent(value):
    return f"{100 * value:.1f} %"


def times(value):
    return f"{value:.3f}×"


def change(value, base):
    """ "+12.3 %" against the baseline; empty when that says nothing."""
    if base in (None, 0) or value is None:
        return ""
    ratio = value / base - 1
    return "±0 %" if abs(ratio) < 0.0005 else f"{100 * ratio:+.1f} %"


def join(words):
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


# ---- Parts of the page ---------------------------------------------------------------------------


def metrics(runs):
    """(label, explanation, function of a run, format, whether more is better or None)."""

    def stat(*names):
        return lambda run: first(run.stats, *names)

    base_cycles = first(runs[0].stats, "gpu.cycles")
    rows = [
        ("Machine", None, None, None, None),
        ("Cycles", "SM clock cycles until the last thread block ended", stat("gpu.cycles"), whole, False),
        ("Speed-up", "cycles of the first run ÷ cycles of this run",
         lambda r: base_cycles / r.stats["gpu.cycles"] if base_cycles and r.stats.get("gpu.cycles") else None,
         times, True),
        ("IPC", "thread instructions per cycle, all SMs", stat("gpu.ipc"), fixed, True),
        ("Warp instructions", "instructions issued, one per warp of 32 threads",
         stat("gpu.warp_inst", "sm.warp_inst"), whole, None),
        ("Mean load latency", "cycles from the issue of a load to its last response",
         mean_load_latency, fixed, False),
    ]
    for key, name in CACHES:
        rows += [
            (name, None, None, None, None),
            ("Accesses", "requests accepted; refused attempts do not count", stat(f"{key}.accesses"),
             whole, None),
            ("Hit rate", "hits ÷ accesses", lambda r, k=key: hit_rate(r.stats, k), percent, True),
            ("Primary misses", "first miss of a line: takes an MSHR entry and asks the next level",
             stat(f"{key}.primary_misses"), whole, None),
            ("Secondary misses", "miss of a line already asked for: merged in its MSHR entry",
             stat(f"{key}.secondary_misses"), whole, None),
            ("Reservation fails, cycles", "cycles in which the request at the head was refused",
             lambda r, k=key: all_fails(r.stats, k), whole, False),
        ]
        seen = {c for r in runs for c in fails(r.stats, key)}
        for cause in [c for c in CAUSES if c in seen] + sorted(seen - set(CAUSES)):
            rows.append((f"– {cause}", CAUSES.get(cause, ("", ""))[1],
                         lambda r, k=key, c=cause: fails(r.stats, k).get(c), whole, False))
        rows += [
            ("Requests ever refused", "requests that met at least one reservation fail",
             lambda r, k=key: all_fails(r.stats, k, "requests"), whole, False),
            ("MSHR utilisation", "occupied slots ÷ all slots, time average",
             stat(f"{key}.mshr.utilization"), percent, None),
            ("MSHR peak", "most slots occupied at once in one cache", stat(f"{key}.mshr.peak"), whole,
             None),
            ("MSHR comparator activations", "entries compared in look-ups: the power figure",
             stat(f"{key}.mshr.comparator_activations"), whole, False),
            ("Bypasses", "requests sent around the cache", stat(f"{key}.bypasses"), whole, None),
        ]
    rows += [
        ("DRAM", None, None, None, None),
        ("Row-hit rate", "column commands that found their row open", stat("dram.row_hit_rate"), percent,
         True),
        ("Efficiency", "data-bus cycles ÷ cycles with a request pending", stat("dram.efficiency"),
         percent, True),
        ("Bank-level parallelism", "banks busy at once, while any is", stat("dram.blp"), fixed, True),
    ]
    return rows


def comparison(runs):
    """Rows of the comparison table, and the labels of those that no run has."""
    rows, absent, group = [], [], None
    for label, doc, function, form, better in metrics(runs):
        if function is None:
            group = label
            continue
        values = [function(run) for run in runs]
        if all(value is None for value in values):
            absent.append(f"{group}: {label}")
            continue
        cells = []
        for index, value in enumerate(values):
            delta = change(value, values[0]) if index and form is not times else ""
            tone = ""
            if delta and better is not None and not delta.startswith("±"):
                tone = "good" if (value > values[0]) == better else "bad"
            cells.append({"text": "–" if value is None else form(value), "delta": delta, "tone": tone})
        rows.append({"group": group, "label": label, "doc": doc, "cells": cells})
        group_rows = [r for r in rows if r["group"] == group]
        rows[-1]["first"] = len(group_rows) == 1
    return rows, absent


def legend(entries):
    return [{"colour": colour, "name": name, "doc": doc} for name, colour, doc in entries]


def absent_chart(title, what):
    return {"title": title, "svg": None, "note": f"Not drawn: these runs have no {what}.", "legend": []}


def cause_style(causes):
    order = [c for c in CAUSES if c in causes] + sorted(set(causes) - set(CAUSES))
    spare = ["--c6", "--c7", "--c8", "--c9"]
    colours = {}
    for cause in order:
        colours[cause] = CAUSES[cause][0] if cause in CAUSES else spare[len(colours) % len(spare)]
    entries = [(c, colours[c], CAUSES.get(c, ("", ""))[1]) for c in order]
    return order, colours, legend(entries)


def fail_charts(runs):
    for key, name in CACHES:
        title = f"{name}: reservation fails by cause"
        bars = [(run.name, fails(run.stats, key)) for run in runs]
        if not any(parts for _, parts in bars):
            yield absent_chart(title, f"statistic {key}.reservation_fails.*")
        elif not any(sum(parts.values()) for _, parts in bars):
            yield {"title": title, "svg": None, "legend": [],
                   "note": f"No request was ever refused at {name}: nothing to draw."}
        else:
            causes = {c for _, parts in bars for c, v in parts.items() if v}
            order, colours, entries = cause_style(causes)
            yield {
                "title": title, "legend": entries,
                "svg": Markup(charts.stacked_bars(bars, order, colours,
                                                  f"cycles in which a request was refused, all {name}s",
                                                  title)),
                "note": "The longer the bar, the longer requests stood before a full structure; the "
                        "widest colour names the structure to enlarge first.",
            }
        series = [(run, fail_series(run, key)) for run in runs]
        series = [(run, {c: s for c, s in found.items() if any(s["points"])}) for run, found in series]
        title = f"{name}: reservation fails over time"
        if not any(fail_series(run, key) for run in runs):
            yield absent_chart(title, f"series {key}.reservation_fails.*")
            continue
        if not any(found for _, found in series):
            continue
        panels = []
        for run, found in series:
            interval = max((s["interval"] for s in found.values()), default=1)
            panels.append((run.name, interval, {c: rescaled(s, interval) for c, s in found.items()}))
        order, colours, entries = cause_style({c for _, found in series for c in found})
        clock = next((s.get("clock") for _, f in series for s in f.values() if s.get("clock")), "SM")
        yield {
            "title": title, "legend": entries,
            "svg": Markup(charts.stacked_over_time(
                panels, order, colours, f"time, {clock} cycles", f"{name}s refusing", title)),
            "note": f"Height: how many {name}s refused their head request, on average over each "
                    "interval. All runs share both axes, so a panel that ends earlier finished "
                    "earlier; look for the phases that stay high.",
        }


def rescaled(series, interval):
    """Points in intervals of `interval`, a multiple of the series' own."""
    factor = max(interval // series["interval"], 1)
    points = series["points"]
    return [sum(points[i : i + factor]) for i in range(0, len(points), factor)]


def capacity(run, key):
    """Slots of all MSHR files of one level, from the configuration; None when it does not say."""
    counts = {"l1d": "sm.count", "l2": "memory.partitions"}
    try:
        return (int(run.config[counts[key]]) * int(run.config[f"{key}.mshr.entries"])
                * int(run.config[f"{key}.mshr.slots"]))
    except (KeyError, ValueError):
        return None


def occupancy_charts(runs):
    for key, name in CACHES:
        title = f"{name}: MSHR slots in use over time"
        curves = []
        for index, run in enumerate(runs):
            series = occupancy_series(run, key)
            if series:
                curves.append((run.name, run_colour(index), series["interval"], series["points"]))
        if not curves:
            yield absent_chart(title, f"series of the occupancy of {key}.mshr")
            continue
        clock = next((occupancy_series(r, key).get("clock") for r in runs if occupancy_series(r, key)), None)
        slots = {capacity(run, key) for run in runs} - {None}
        limit = (slots.copy().pop(), f"all slots: {whole(slots.pop())}") if len(slots) == 1 else None
        yield {
            "title": title,
            "legend": legend([(n, c, "") for n, c, _, _ in curves]),
            "svg": Markup(charts.lines_over_time(curves, f"time, {clock or 'SM'} cycles",
                                                 f"slots in use, all {name}s", title, limit)),
            "note": "A higher curve means more misses in flight at once. A curve that is flat at its "
                    "top while requests are refused is limited by the MSHRs"
                    + (f"; all runs have {whole(limit[0])} slots." if limit else "."),
        }


def latency_chart(runs):
    title = "Where a load request spends its time"
    pattern = re.compile(r"sm\.latency\.(\w+)_ns$")
    bars, docs = [], {}
    for run in runs:
        parts = {}
        for name, value in run.stats.items():
            if match := pattern.match(name):
                part = match.group(1).replace("_", " ")
                parts[part] = value
                docs[part] = run.units.get(name, {}).get("doc", "").split(": ")[-1]
        bars.append((run.name, parts))
    if not docs:
        return absent_chart(title, "statistic sm.latency.*_ns")
    order = list(docs)
    colours = {part: STAGE_COLOURS[i % len(STAGE_COLOURS)] for i, part in enumerate(order)}
    return {
        "title": title,
        "legend": legend([(part, colours[part], docs[part]) for part in order]),
        "svg": Markup(charts.stacked_bars(bars, order, colours, "mean time of a load request, ns", title,
                                          lambda v: f"{v:.1f} ns")),
        "note": "Each colour is one stage on the way of a request, in order. A scheme that removes "
                "reservation fails shortens the wait before L1D, and may lengthen the queues behind it.",
    }


def kernel_table(runs):
    """Rows by kernel name, launches added up."""
    names = list(dict.fromkeys(k.get("name", "?") for run in runs for k in run.kernels))
    rows = []
    for name in names:
        cells, base = [], None
        for index, run in enumerate(runs):
            launches = [k["stats"] for k in run.kernels if k.get("name", "?") == name]
            if not launches:
                cells.append(None)
                continue
            cycles = sum(s.get("gpu.cycles", 0) for s in launches)
            instructions = sum(s.get("gpu.thread_inst", 0) for s in launches)
            refused = [all_fails(s, "l1d") for s in launches]
            base = cycles if index == 0 else base
            accesses = sum(s.get("l1d.accesses", 0) for s in launches)
            hits = sum(s.get("l1d.hits", 0) for s in launches)
            cells.append({
                "launches": len(launches),
                "cycles": whole(cycles) if cycles else "–",
                "speedup": times(base / cycles) if index and base and cycles else "",
                "ipc": fixed(instructions / cycles) if instructions and cycles else "–",
                "hits": percent(hits / accesses) if accesses else "–",
                "fails": whole(sum(refused)) if None not in refused else "–",
            })
        rows.append({"name": name, "cells": cells})
    return rows


def synth_parts(synths):
    rows, bars = [], []
    for s in synths:
        area, timing, power, library = s["area"], s["timing"], s["power"], s["library"]
        parameters = " ".join(f"{k}={v}" for k, v in s["parameters"].items())
        worst = (timing.get("paths") or [{}])[0]
        rows.append({
            "name": f"{s['unit']} {parameters}".strip(),
            "library": f"{library['name']}, {library['voltage']:.2f} V",
            "total": whole(area["total_um2"]),
            "sequential": whole(area["sequential_um2"]),
            "combinational": whole(area["combinational_um2"]),
            "bits": whole(s["registers"]["bits"]),
            "fmax": f"{timing['fmax_mhz']:.0f}" if timing["fmax_mhz"] else "–",
            "period": f"{timing['period_ns']:.2f}" if timing["period_ns"] else "–",
            "path": f"{worst['start']} → {worst['end']}" if worst else "–",
            "leakage": f"{power['leakage_nw'] / 1000:.3g}" if library.get("states_leakage", True) else "–",
            "dynamic": f"{power['dynamic_mw']:.3g}",
            "activity": power["activity"],
            "warning": f"{timing['overloaded_nets']} nets are loaded above the library's limit."
            if timing.get("overloaded_nets") else "",
            "cells": [
                {"cell": c["cell"], "kind": "sequential" if c["sequential"] else "combinational",
                 "count": whole(c["count"]), "area": whole(c["area_um2"])} for c in area.get("cells", [])
            ],
            "registers": [{"name": r["name"], "bits": whole(r["bits"])}
                          for r in s["registers"].get("by_name", [])],
            "tools": ", ".join(s.get("tools", {}).values()),
        })
        bars.append((f"{s['unit']} {parameters}".strip(),
                     {"sequential": area["sequential_um2"], "combinational": area["combinational_um2"]}))
    chart = None
    if bars:
        colours = {"sequential": "--c0", "combinational": "--c1"}
        title = "Cell area"
        chart = {
            "title": title,
            "legend": legend([("sequential", "--c0", "flip-flops: the storage"),
                              ("combinational", "--c1", "gates: comparators, selection, buffers")]),
            "svg": Markup(charts.stacked_bars(bars, list(colours), colours, "cell area, µm²", title)),
            "note": "A unit that is mostly sequential is as large as its storage; one that is mostly "
                    "combinational pays for its comparisons and choices.",
        }
    return rows, chart


def config_table(runs):
    keys = sorted({key for run in runs for key in run.config})
    rows = []
    for key in keys:
        values = [run.config.get(key, "–") for run in runs]
        rows.append({"key": key, "values": values, "differs": len(set(values)) > 1})
    return rows


def statistics_table(runs):
    names = list(dict.fromkeys(name for run in runs for name in run.stats))
    rows = []
    for name in names:
        about = next((run.units[name] for run in runs if name in run.units), {})
        rows.append({
            "name": name, "unit": about.get("unit", ""), "doc": about.get("doc", ""),
            "values": [charts.exact(run.stats[name]) if name in run.stats else "–" for run in runs],
        })
    return rows


def program_of(run):
    """The program's file name in the recorded command, with its arguments."""
    try:
        words = shlex.split(run.manifest.get("command", ""))
    except ValueError:
        words = []
    for index, word in enumerate(words):
        if word.endswith((".cu", ".ptx", ".traceg")):
            arguments = [w for w in words[index + 1 :] if w != "--"]
            return " ".join([word.rsplit("/", 1)[-1]] + arguments)
    return ""


def machine_sentence(config):
    """What was simulated, as far as the configuration tells."""
    if not config:
        return ""
    parts = []
    if "sm.count" in config:
        parts.append(f"{config['sm.count']} streaming multiprocessors"
                     + (f" at {config['sm.clock']}" if "sm.clock" in config else ""))
    if config.get("l1d.enable", "true") == "false":
        parts.append("no L1 data cache")
    elif "l1d.size" in config:
        parts.append(f"an L1 data cache of {config['l1d.size']} each")
    if "memory.partitions" in config and "l2.size" in config:
        parts.append(f"{config['memory.partitions']} memory partitions with {config['l2.size']} of L2 each")
    return f"The machine: {join(parts)}." if parts else ""


def findings(runs):
    """The results in sentences: one for each run against the first."""
    base = runs[0]
    sentences = []
    for run in runs[1:]:
        words = []
        if base.stats.get("gpu.cycles") and run.stats.get("gpu.cycles"):
            ratio = base.stats["gpu.cycles"] / run.stats["gpu.cycles"]
            if abs(ratio - 1) < 0.0005:
                words.append("takes the same number of cycles")
            else:
                words.append(f"is {ratio:.3f}× as fast ({change(ratio, 1)})")
        for key, name in CACHES:
            before, after = all_fails(base.stats, key), all_fails(run.stats, key)
            if before and after is not None:
                words.append(f"spends {change(after, before)} cycles in {name} reservation fails"
                             if after != before else f"has the same {name} reservation fails")
            elif before == 0 and after:
                words.append(f"spends {whole(after)} cycles in {name} reservation fails, where "
                             f"{base.name} has none")
        if words:
            sentences.append((run.name, join(words) + "."))
    return sentences


def identical_groups(runs):
    groups = []
    for run in runs:
        for group in groups:
            other = group[0]
            if (run.stats, run.series, run.histograms) == (other.stats, other.series, other.histograms):
                group.append(run)
                break
        else:
            groups.append([run])
    return [[run.name for run in group] for group in groups if len(group) > 1]


def tiles(runs):
    result = []
    base = runs[0].stats.get("gpu.cycles")
    for index, run in enumerate(runs):
        cycles = run.stats.get("gpu.cycles")
        refused = all_fails(run.stats, "l1d")
        result.append({
            "colour": run_colour(index), "name": run.name,
            "big": times(base / cycles) if base and cycles and index else
                   ("baseline" if index == 0 else "–"),
            "small": [f"{whole(cycles)} cycles"] * (cycles is not None)
                     + [f"{whole(refused)} L1D fail cycles"] * (refused is not None),
        })
    return result


def page(runs, synths, title):
    programs = list(dict.fromkeys(filter(None, (program_of(run) for run in runs))))
    comparison_rows, absent = comparison(runs)
    synth_rows, synth_chart = synth_parts(synths)
    sentences = findings(runs)
    configs = config_table(runs)
    return {
        "title": title or ("warpmem: " + (", ".join(programs) if programs else "run report")),
        "programs": programs,
        "machine": machine_sentence(runs[0].config),
        "runs": [
            {"name": run.name, "colour": run_colour(i), "manifest": run.manifest,
             "directory": "/".join(run.path.parts[-2:]),
             "incomplete": run.manifest.get("status", "complete") != "complete"}
            for i, run in enumerate(runs)
        ],
        "tiles": tiles(runs),
        "findings": sentences,
        "identical": [join(group) for group in identical_groups(runs)],
        "comparison": comparison_rows,
        "absent": absent,
        "fail_charts": list(fail_charts(runs)),
        "occupancy_charts": list(occupancy_charts(runs)),
        "latency": latency_chart(runs),
        "kernels": kernel_table(runs),
        "synths": synth_rows,
        "synth_chart": synth_chart,
        "configs": configs,
        "differing": [row for row in configs if row["differs"]],
        "statistics": statistics_table(runs),
    }
