# SPDX-License-Identifier: Apache-2.0
"""CSV of Nsight Compute, `ncu --csv`: a row for each launch and a line of units (`--page raw`), or
a row for each metric of a launch (`--page details`, and what ncu prints itself)."""
import re

import units
from metrics import FEW
from own_csv import rows_of
from reference import MOST_RATE, Launch, Reference, problem

# Metric of Nsight -> ours and the unit that it is in. Of several for one of ours the first that
# was measured is taken.
COUNTERS = [
    ("sm__cycles_elapsed.max", "cycles", "cycles"),
    ("gpc__cycles_elapsed.max", "cycles", "cycles"),
    ("Elapsed Cycles", "cycles", "cycles"),
    ("sm__cycles_elapsed.avg", "cycles", "cycles"),
    ("gpc__cycles_elapsed.avg", "cycles", "cycles"),
    ("gpu__time_duration.sum", "duration", "ns"),
    ("Duration", "duration", "ns"),
    ("smsp__inst_executed.sum", "warp_instructions", "instructions"),
    ("sm__inst_executed.sum", "warp_instructions", "instructions"),
    ("Executed Instructions", "warp_instructions", "instructions"),
    ("smsp__thread_inst_executed.sum", "thread_instructions", "instructions"),
    ("smsp__inst_executed_op_global_ld.sum", "loads", "instructions"),
    ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "loads", "instructions"),
    ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1d.reads", "sectors"),
    ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1d.writes", "sectors"),
    ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", "l1d.misses", "sectors"),
    ("l1tex__t_sector_hit_rate.pct", "l1d.hit_rate", "% of sectors"),
    ("L1/TEX Hit Rate", "l1d.hit_rate", "% of sectors"),
    ("lts__t_sectors_srcunit_tex.sum", "l2.accesses", "sectors"),
    ("lts__t_sectors.sum", "l2.accesses", "sectors"),
    ("lts__t_sectors_srcunit_tex_op_read.sum", "l2.reads", "sectors"),
    ("lts__t_sectors_op_read.sum", "l2.reads", "sectors"),
    ("lts__t_sectors_srcunit_tex_op_write.sum", "l2.writes", "sectors"),
    ("lts__t_sectors_op_write.sum", "l2.writes", "sectors"),
    ("lts__t_sectors_srcunit_tex_lookup_miss.sum", "l2.misses", "sectors"),
    ("lts__t_sectors_lookup_miss.sum", "l2.misses", "sectors"),
    ("lts__t_sector_hit_rate.pct", "l2.hit_rate", "% of sectors"),
    ("L2 Hit Rate", "l2.hit_rate", "% of sectors"),
    ("dram__bytes_read.sum", "dram.read_bytes", "B"),
    ("dram__bytes_op_read.sum", "dram.read_bytes", "B"),
    ("dram__sectors_read.sum", "dram.read_bytes", "sectors"),
    ("dram__bytes_write.sum", "dram.write_bytes", "B"),
    ("dram__bytes_op_write.sum", "dram.write_bytes", "B"),
    ("dram__sectors_write.sum", "dram.write_bytes", "sectors"),
]
KNOWN = {name: (metric, unit) for name, metric, unit in COUNTERS}
# (hits, lookups, rate): of global loads, and of what L1 asks L2 for, rates are nearer to ours than
# those over all accesses of L1 and of L2.
RATES = [
    (
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        "l1d.hit_rate",
    ),
    ("lts__t_sectors_srcunit_tex_lookup_hit.sum", "lts__t_sectors_srcunit_tex.sum", "l2.hit_rate"),
]
HITS = {hits for hits, *_ in RATES}
SECTOR = 32  # bytes

# What ncu writes where it could not measure.
NO_VALUE = re.compile(r"(\(!\) )?(n/a|nan|no data)$", re.I)
# Columns of the launch; in the raw page all others are metrics.
ABOUT = {"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context",
         "Stream", "Block Size", "Grid Size", "Device", "CC", "Section Name"}  # fmt: skip
LONG = ("Metric Name", "Metric Unit", "Metric Value")


def header_line(text):
    """The index of the header's line, None when there is none."""
    for index, line in enumerate(text.splitlines()):
        if line.startswith('"ID",') and '"Kernel Name"' in line:
            return index
    return None


def is_nsight(text):
    return header_line(text) is not None


class Profile:
    """What is known of one launch: (value, spelling of its unit, line) by Nsight's name."""

    def __init__(self, line, row):
        self.line = line
        self.process = (row.get("Process ID", ""), row.get("Process Name", ""))
        self.identity = (*self.process, row["ID"])
        self.kernel = row["Kernel Name"]
        self.values = {}


def rate_or_amount(file, line, name, written, unit):
    """How much of our unit the unit in the file is. Counts may have none."""
    if unit == "% of sectors":
        unit = "%"
    if written == "" and unit in ("cycles", "instructions", "sectors"):
        return 1
    times = units.factor(written, unit)
    if times is None and name.startswith("l1tex__t_requests"):
        times = units.factor(written, "requests")
    if times is None:
        text = f"'{written}' is no unit of {name}; allowed: {units.allowed(unit)}"
        raise problem(file, line, text)
    return times


def set_rate(launch, metric, rate, name, missing):
    """Sets a rate, unless Nsight's counts did not fit together: those of a short kernel that are
    measured in several passes may give several hundred %."""
    if rate > MOST_RATE:
        missing.append(name)
    else:
        launch.set(metric, rate, "% of sectors")


def launch_of(file, profile, missing):
    launch = Launch(file, profile.line, profile.kernel, profile.process[1] or None)
    values = {}
    for name, (value, written, line) in profile.values.items():
        if name in KNOWN or name in HITS:
            unit = KNOWN.get(name, ("", "sectors"))[1]
            values[name] = value * rate_or_amount(file, line, name, written, unit)
    counted = [rate for hits, lookups, rate in RATES if hits in values and lookups in values]
    for name, metric, unit in COUNTERS:
        if name in values and metric not in (*launch.values, *counted):
            if metric.startswith("dram.") and unit == "sectors":
                launch.set(metric, values[name] * SECTOR, "B")
            elif unit == "% of sectors":
                set_rate(launch, metric, values[name], name, missing)
            else:
                launch.set(metric, values[name], unit)
    for hits, lookups, metric in RATES:
        if hits in values and values.get(lookups, 0) >= FEW:
            set_rate(launch, metric, 100 * values[hits] / values[lookups], hits, missing)
    if "cycles" in launch.values and "warp_instructions" in launch.values:
        cycles = launch.values["cycles"][0]
        if cycles:
            instructions = launch.values["warp_instructions"][0]
            launch.set("warp_ipc", instructions / cycles, "per cycle")
    return launch


def add_value(file, profile, name, written, text, line, missing):
    if NO_VALUE.match(text.strip()) or not text.strip():
        if name in KNOWN or name in HITS:
            missing.append(name)
        return
    value = units.number(text)
    if value is None or value < 0:
        if name in KNOWN or name in HITS:
            raise problem(file, line, f"{name} '{text}' is no number from 0")
        return
    before = profile.values.get(name)
    if before is not None and before[:2] != (value, written):
        text = f"{name} of launch {profile.identity[2]} has another value in line {before[2]}"
        raise problem(file, line, text)
    profile.values.setdefault(name, (value, written, line))


def read(file, text):
    start = header_line(text)
    lines = text.split("\n")
    if lines[-1]:
        raise problem(file, len(lines), "the last line has no end: cut off?")
    for index, line in enumerate(lines):  # what ncu and the program say beside the table
        if index < start or line.startswith("=="):
            lines[index] = ""
    profiles, missing = {}, []
    header = written = None
    for line, cells in rows_of(file, "\n".join(lines)):
        if header is None:
            header = cells
            is_long = all(name in header for name in LONG)
            # Rows of metrics end before the columns of rules.
            least = header.index("Metric Value") + 1 if is_long else len(header)
            continue
        if not least <= len(cells) <= len(header):
            wanted = f"{len(cells)} cells where the header has {len(header)}"
            raise problem(file, line, f"{wanted}: cut off, or output of the program?")
        row = dict(zip(header, cells))
        if not is_long and written is None:
            if row["ID"]:
                raise problem(file, line, "the line of units after the header is missing")
            written = row
            continue
        profile = Profile(line, row)
        known = profiles.setdefault(profile.identity, profile)
        if known.kernel != profile.kernel or (known is not profile and not is_long):
            text = f"launch {row['ID']} stands in line {known.line} already"
            raise problem(file, line, text)
        if not is_long:
            for name in header:
                if name not in ABOUT:
                    add_value(file, known, name, written[name], row[name], line, missing)
        elif row["Metric Name"]:  # else it is advice of a rule
            name, unit = row["Metric Name"], row["Metric Unit"]
            add_value(file, known, name, unit, row["Metric Value"], line, missing)
    reference = Reference(file, "Nsight Compute CSV")
    reference.notes = [line[2:] for line in text.split("\n")[:start] if line.startswith("# ")]
    reference.launches = [launch_of(file, one, missing) for one in profiles.values()]
    refuse_processes(file, profiles.values())
    reference.unread = unread_of(profiles.values(), missing)
    return reference


def refuse_processes(file, profiles):
    """Two processes of one name cannot be told apart by name."""
    seen = {}
    for profile in profiles:
        number, name = profile.process
        first, line = seen.setdefault(name, (number, profile.line))
        if first != number:
            text = f"another process '{name}' stands in line {line}; a file has one of each name"
            raise problem(file, profile.line, text)


def unread_of(profiles, missing):
    names = dict.fromkeys(name for profile in profiles for name in profile.values)
    unread = [name for name in names if name not in KNOWN and name not in HITS]
    metrics_of = {}
    for name in names:
        if name in KNOWN:
            metrics_of.setdefault(KNOWN[name][0], []).append(name)
    order = [*(hits for hits, *_ in RATES), *(name for name, *_ in COUNTERS)]
    for hits, lookups, metric in RATES:
        if hits in names and lookups in names:
            metrics_of.setdefault(metric, []).append(hits)
    for found in metrics_of.values():
        found.sort(key=order.index)
        unread += [f"{name}: {found[0]} is the same thing, or nearer" for name in found[1:]]
    return unread + [f"{name}: not measured everywhere" for name in dict.fromkeys(missing)]
