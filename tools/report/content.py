# SPDX-License-Identifier: Apache-2.0
"""What the page says: tables and sentences from the runs, in the order of the template's names.

Every part copes with statistics that a run does not have.
"""
import shlex

import charts
import costs
import reference_table
import translation_over_time
from answer import answer
from bounds import roofline, uses
from comparison import comparison
from figures import fail_charts, latency_chart, occupancy_charts
from heat import heat_maps
from instructions import instruction_table
from kernels import kernel_bars, kernel_table
from life import lives
from over_time import lines
from paging import paging_charts
from synthesis import synth_parts
from values import CACHES, all_fails, change, join, whole


def config_table(runs):
    keys = sorted({key for run in runs for key in run.config})
    rows = []
    for key in keys:
        values = [run.config.get(key, "–") for run in runs]
        rows.append({"key": key, "values": values, "differs": len(set(values)) > 1})
    return rows


def statistics_table(runs):
    """Rows of all statistics, and the names of those that are 0 in every run that has them."""
    names = list(dict.fromkeys(name for run in runs for name in run.stats))
    rows, zeros = [], []
    for name in names:
        if not any(run.stats.get(name) for run in runs):
            zeros.append(name)
            continue
        about = next((run.units[name] for run in runs if name in run.units), {})
        rows.append(
            {
                "name": name,
                "unit": about.get("unit", ""),
                "doc": about.get("doc", ""),
                "values": [
                    charts.exact(run.stats[name]) if name in run.stats else "–" for run in runs
                ],
            }
        )
    return rows, zeros


def program_of(run):
    """The program's file name in the recorded command, with its arguments; else ""."""
    try:
        words = shlex.split(run.manifest.get("command", ""))
    except ValueError:
        return ""
    if words[:2] == ["warpmem", "run"]:
        end = words.index("--") if "--" in words else len(words)
        words = words[end - 1 : end] + words[end + 1 :]
    return " ".join([words[0].rsplit("/", 1)[-1], *words[1:]]) if words else ""


def machine_sentence(config):
    """What was simulated, as far as the configuration tells."""
    if not config:
        return ""
    parts = []
    if "sm.count" in config:
        parts.append(
            f"{config['sm.count']} streaming multiprocessors"
            + (f" at {config['sm.clock']}" if "sm.clock" in config else "")
        )
    if config.get("l1d.enable", "true") == "false":
        parts.append("no L1 data cache")
    elif "l1d.size" in config:
        parts.append(f"an L1 data cache of {config['l1d.size']} each")
    if "memory.partitions" in config and "l2.size" in config:
        slices = int(config.get("l2.slices", 1))
        parts.append(
            f"{config['memory.partitions']} memory partitions with "
            + (f"{slices} slices of {config['l2.size']} of L2" if slices > 1 else
               f"{config['l2.size']} of L2")
            + " each"
        )
    return f"The machine: {join(parts)}." if parts else ""


def findings(runs):
    """The results in sentences: one for each run against the first."""
    base = runs[0]
    sentences = []
    for run in runs[1:]:
        if run.other_work:
            sentences.append((run.name, f"did different work than {base.name}: {run.other_work}."))
            continue
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
                share = 100 * abs(after / before - 1)
                words.append(
                    f"spends {share:.1f} % {'fewer' if after < before else 'more'} cycles in "
                    f"{name} reservation fails"
                    if after != before
                    else f"has as many {name} reservation fails"
                )
            elif before == 0 and after:
                words.append(
                    f"spends {whole(after)} cycles in {name} reservation fails, where "
                    f"{base.name} has none"
                )
        if words:
            sentences.append((run.name, join(words) + "."))
    return sentences


def identical_groups(runs):
    groups = []
    for run in runs:
        for group in groups:
            other = group[0]
            if (run.stats, run.series, run.histograms) == (
                other.stats,
                other.series,
                other.histograms,
            ):
                group.append(run)
                break
        else:
            groups.append([run])
    return [[run.name for run in group] for group in groups if len(group) > 1]


def manifest_facts(manifest):
    """What else the manifest says of a run, in short phrases."""
    facts = [f"warpmem {manifest.get('warpmem', '(version not recorded)')}"]
    if manifest.get("program_hash"):
        facts.append(f"program SHA-256 {manifest['program_hash'][:16]}…")
    if "wall_seconds" in manifest:
        facts.append(f"simulated in {manifest['wall_seconds']:.2f} s")
    if "warp_instructions_per_second" in manifest:
        rate = manifest["warp_instructions_per_second"] / 1000
        facts.append(f"{rate:.0f} k warp instructions/s")
    if manifest.get("host"):
        facts.append(f"on {manifest['host']}")
    return facts


def page(runs, synths, title, reference=""):
    programs = list(dict.fromkeys(filter(None, (program_of(run) for run in runs))))
    configured = [document for document in synths if costs.is_configured(document)]
    synths = [document for document in synths if not costs.is_configured(document)]
    found_costs = costs.costs_of(runs, configured)
    comparison_rows, absent, zeros = comparison(runs)
    synth_rows, synth_table, synth_chart = synth_parts(synths)
    statistics, zero_statistics = statistics_table(runs)
    configs = config_table(runs)
    return {
        "title": title or ("warpmem: " + (", ".join(programs) if programs else "run report")),
        "runs": [
            {
                "name": run.name,
                "manifest": run.manifest,
                "facts": manifest_facts(run.manifest),
                "directory": "/".join(run.path.parts[-2:]),
            }
            for run in runs
        ],
        "answer": answer(runs, ", ".join(programs), machine_sentence(runs[0].config)),
        "costs": costs.cost_table(runs, found_costs),
        "cost_library": costs.library_text(configured, found_costs),
        "area_chart": costs.area_chart(runs, found_costs),
        "findings": findings(runs),
        "identical": [join(group) for group in identical_groups(runs)],
        "comparison": comparison_rows,
        "absent": absent,
        "zeros": zeros,
        "fail_charts": list(fail_charts(runs)),
        "occupancy_charts": list(occupancy_charts(runs)),
        "latency": latency_chart(runs),
        "paging": paging_charts(runs),
        "kernels": kernel_table(runs),
        "kernel_bars": kernel_bars(runs),
        "instructions": instruction_table(runs),
        "lives": lives(runs),
        "heat_maps": heat_maps(runs),
        "over_time": lines(runs) + translation_over_time.chart(runs),
        "uses": uses(runs),
        "roofline": roofline(runs),
        "synths": synth_rows,
        "synth_table": synth_table,
        "synth_chart": synth_chart,
        "configs": configs,
        "differing": [row for row in configs if row["differs"]],
        "statistics": statistics,
        "zero_statistics": zero_statistics,
        "reference": reference_table.of_runs(reference, runs) if reference else None,
    }
