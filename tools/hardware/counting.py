# SPDX-License-Identifier: Apache-2.0
"""What Nsight Compute counts in the launches of a program."""
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
NOT_PERMITTED = "ERR_NVGPUCTRPERM"


class NotPermitted(Exception):
    """The driver lets only root read counters."""


def count(ncu, program, folder, most, timeout):
    """Writes the counters of one run: of its first `most` launches. The clocks stay as they are;
    before each launch Nsight Compute empties the caches."""
    folder.mkdir(exist_ok=True)
    file = folder / f"{program.name}.csv"
    words = [ncu, "--csv", "--page", "raw", "--metrics", ",".join(COUNTERS + DIAGNOSES)]
    words += ["--clock-control", "none", "--cache-control", "all", "--launch-count", str(most)]
    words += ["--log-file", str(file)]
    try:
        run(program, before=words, timeout=timeout)
    except OSError as error:
        raise Problem(f"{ncu}: {error.strerror}; --ncu names Nsight Compute") from error
    except Problem:
        if file.exists() and NOT_PERMITTED in file.read_text():
            file.unlink()
            raise NotPermitted from None
        file.unlink(missing_ok=True)
        raise
    if not file.exists():
        raise Problem(f"{program.name}: {ncu} has written nothing")
