# SPDX-License-Identifier: Apache-2.0
"""What Nsight Compute counts in the launches of a program."""
import csv

from running import run

from problems import Problem

# Those that `warpmem correlate` reads.
COUNTERS = [
    "sm__cycles_elapsed.max", "gpu__time_duration.sum", "smsp__inst_executed.sum",
    "smsp__thread_inst_executed.sum", "smsp__inst_executed_op_global_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "lts__t_sectors_srcunit_tex.sum",
    "lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_write.sum",
    "lts__t_sectors_srcunit_tex_lookup_miss.sum", "lts__t_sector_hit_rate.pct",
    "dram__bytes_read.sum", "dram__bytes_write.sum",
]  # fmt: skip
# What tells why a kernel takes the time that it takes.
DIAGNOSES = [
    "launch__registers_per_thread", "sm__warps_active.avg.per_cycle_active",
    "dram__cycles_elapsed.avg.per_second",
]  # fmt: skip
# The raw page has hundreds of columns more, which describe the card.
COLUMNS = ["ID", "Process ID", "Process Name", "Kernel Name", "Block Size", "Grid Size",
           *COUNTERS, *DIAGNOSES]  # fmt: skip
NOT_PERMITTED = "ERR_NVGPUCTRPERM"


class NotPermitted(Exception):
    """The driver lets only root read counters."""


def rows_of(file):
    """The rows of a CSV of Nsight Compute, that of the units first, among what it says besides."""
    lines = [line for line in file.read_text().splitlines() if line.startswith('"')]
    return [{name: row.get(name, "") for name in COLUMNS} for row in csv.DictReader(lines)]


def count(ncu, program, most, timeout):
    """The counters of one run: a row of units, and one for each of its first `most` launches. The
    clocks stay as they are; before each launch Nsight Compute empties the caches."""
    file = program.executable.with_suffix(".csv")
    words = [ncu, "--csv", "--page", "raw", "--metrics", ",".join(COUNTERS + DIAGNOSES)]
    words += ["--clock-control", "none", "--cache-control", "all", "--launch-count", str(most)]
    words += ["--log-file", str(file)]
    try:
        run(program, before=words, timeout=timeout)
    except OSError as error:
        raise Problem(f"{ncu}: {error.strerror}; --ncu names Nsight Compute") from error
    except Problem:
        if file.exists() and NOT_PERMITTED in file.read_text():
            raise NotPermitted from None
        raise
    rows = rows_of(file) if file.exists() else []
    if len(rows) < 2:
        raise Problem(f"{program.name}: {ncu} has counted nothing")
    return rows


def write(file, notes, programs):
    """`programs`: the rows of each. Units are those of the first."""
    with open(file, "w", newline="") as out:
        out.writelines(f"# {note}\n" for note in notes)
        rows = csv.DictWriter(out, COLUMNS, quoting=csv.QUOTE_ALL, lineterminator="\n")
        rows.writeheader()
        units = programs[0][0]
        rows.writerow(units)
        for first, *launches in programs:
            if first != units:
                raise Problem(f"{launches[0]['Process Name']}: units {first}, of others {units}")
            rows.writerows(launches)
