# SPDX-License-Identifier: Apache-2.0
"""The standard output of Accel-Sim, or of GPGPU-Sim 4. After each launch it prints a block that
begins with `kernel_name`. Cycles and instructions (gpu_sim_*) are of the launch; caches, DRAM and
warp instructions are counted on from launch to launch, so that differences are taken."""
import re

from metrics import FEW
from reference import Launch, Reference, problem
from units import number

PAIR = re.compile(r"\s*([A-Za-z_][\w .]*(?:\[\w+\])*)\s*=\s*(-?\d+(?:\.\d+)?)\s*(%|GB/Sec)?\s*$")
OPTION = re.compile(r"\s*-(gpgpu_\w+|gpgpu_cache:dl[12])\s+(\S+)\s+#")
END = "GPGPU-Sim: *** exit detected ***"
BROKEN_OFF = "GPGPU-Sim: ** break due to reaching the maximum cycles"

# Kinds of access in the breakdowns. Local stores are accesses of L1D for us, as loads are.
L1D_READS = ("GLOBAL_ACC_R", "LOCAL_ACC_R", "LOCAL_ACC_W")
L1D_WRITES = ("GLOBAL_ACC_W",)
L2_READS = ("GLOBAL_ACC_R", "LOCAL_ACC_R")
L2_WRITES = ("GLOBAL_ACC_W", "LOCAL_ACC_W", "L1_WRBK_ACC")
L1D = "Total_core_cache_stats_breakdown"
L2 = "L2_cache_stats_breakdown"
LOOKUPS = ("HIT", "HIT_RESERVED", "MISS", "SECTOR_MISS")

# Printed with each launch, but sums since the first one.
SUMS = {"gpgpu_n_tot_w_icount", "total dram reads", "total dram writes", "L1D_total_cache_accesses"}
READ = {"gpu_sim_cycle", "gpu_sim_insn", "gpu_tot_sim_cycle", "kernel_stream_id", *SUMS}


def is_accelsim(text):
    return re.search(r"^kernel_name = ", text, re.M) is not None and "gpu_sim_cycle" in text


class Block:
    """What one launch has printed: values and their lines by name."""

    def __init__(self, line, kernel):
        self.line = line
        self.kernel = kernel
        self.uids = None
        self.values = {}
        self.lines = {}


def amount(file, line, name, text):
    value = number(text)
    if value is None:
        raise problem(file, line, f"{name} is {text}: no counter is so large")
    return value


def blocks_of(file, text):
    blocks, options = [], {}
    ended = False
    for line, words in enumerate(text.splitlines(), 1):
        if words.startswith("kernel_name = "):
            blocks.append(Block(line, words.partition("=")[2].strip()))
        elif words.startswith("kernel_launch_uid = ") and blocks:
            blocks[-1].uids = words.partition("=")[2].split()
        elif words.startswith(BROKEN_OFF):
            raise problem(file, line, "the simulation broke off, so that its last launch is a part")
        elif words.startswith(END):
            ended = True
        elif match := OPTION.match(words):
            options[match[1]] = match[2]
        elif blocks and (match := PAIR.match(words)):
            name = match[1].strip()
            if name not in blocks[-1].values:
                blocks[-1].values[name] = amount(file, line, name, match[2])
                blocks[-1].lines[name] = line
    if not ended:
        last = text.count("\n") + (not text.endswith("\n"))
        text = f"no line '{END}': cut off, or the simulation did not end"
        raise problem(file, max(last, 1), text)
    return blocks, options


class Sums:
    """Counters that are counted on from launch to launch, and what they were before."""

    def __init__(self, file):
        self.file = file
        self.before = {}  # (stream, name) -> (value, line)

    def of_launch(self, block, name):
        """What the launch added to the counter; None when it is not printed. The breakdowns are
        printed for the stream of the launch alone."""
        if name not in block.values:
            return None
        stream = block.values.get("kernel_stream_id") if "breakdown" in name else None
        value, line = block.values[name], block.lines[name]
        before, where = self.before.get((stream, name), (0, 0))
        if value < before:
            text = f"{name} is {value:.0f}, less than in line {where}: two logs in one file?"
            raise problem(self.file, line, text)
        self.before[stream, name] = (value, line)
        return value - before

    def of_kinds(self, block, cache, kinds):
        """Lookups by outcome, over kinds of access. What is not printed is 0: older versions print
        nothing else."""
        counts = dict.fromkeys((*LOOKUPS, "MSHR_HIT"), 0)
        for kind in kinds:
            for outcome in counts:
                counts[outcome] += self.of_launch(block, f"{cache}[{kind}][{outcome}]") or 0
        return counts


def outcomes(counts):
    """(hits, merges, misses) of lookups, which they sum to. A read that is reserved finds an entry
    of an MSHR and is counted there too; further hits of MSHRs were misses of the tags. Writes may
    be reserved without an MSHR."""
    merges = max(counts["HIT_RESERVED"], counts["MSHR_HIT"])
    misses = sum(counts[outcome] for outcome in LOOKUPS) - counts["HIT"] - merges
    return counts["HIT"], merges, misses


def add_cache(launch, level, reads, writes, unit):
    """Sets the metrics of a cache from its lookups. L1D's outcomes are those of the reads."""
    share = "% of sectors" if unit == "sectors" else "%"
    read = sum(reads[outcome] for outcome in LOOKUPS)
    written = sum(writes[outcome] for outcome in LOOKUPS)
    launch.set(f"{level}.reads", read, unit)
    launch.set(f"{level}.writes", written, unit)
    launch.set(f"{level}.accesses", read + written, unit)
    parts = [outcomes(part) for part in ([reads] if level == "l1d" else [reads, writes])]
    hits, merges, misses = map(sum, zip(*parts))
    if misses < 0:
        text = f"{level}: more MSHR hits than lookups that did not hit"
        raise problem(launch.file, launch.line, text)
    launch.set(f"{level}.misses", misses, unit)
    launch.set(f"{level}.merges", merges, unit)
    lookups = hits + merges + misses
    if lookups >= FEW:
        launch.set(f"{level}.hit_rate", 100 * hits / lookups, share)


def unit_of_cache(options, name):
    """Requests are counted, and with sectors (the option's first letter) each of 32 B."""
    return "sectors" if options.get(name, "").startswith("S:") else "requests"


def dram_atom(options):
    """Bytes of a DRAM access that is counted; None when the log does not tell."""
    names = ("gpgpu_dram_burst_length", "gpgpu_dram_buswidth", "gpgpu_n_mem_per_ctrlr")
    values = [options.get(name, "") for name in names]
    if not all(value.isdigit() for value in values):
        return None
    burst, width, chips = map(int, values)
    return burst * width * chips


def launch_of(file, block, sums, options, first):
    for name in ("gpu_sim_cycle", "gpu_sim_insn"):
        if name not in block.values:
            raise problem(file, block.line, f"no {name} after this kernel_name: cut off?")
    if block.uids is None or len(block.uids) != 1:
        raise problem(file, block.line, "kernels ran at the same time, and their counts are one")
    launch = Launch(file, block.line, block.kernel)
    cycles, instructions = block.values["gpu_sim_cycle"], block.values["gpu_sim_insn"]
    launch.set("cycles", cycles, "cycles")
    launch.set("thread_instructions", instructions, "instructions")
    if cycles:
        launch.set("ipc", instructions / cycles, "per cycle")
    total = sums.of_launch(block, "gpu_tot_sim_cycle")
    if total is not None and total != cycles:
        text = f"gpu_tot_sim_cycle grew by {total:.0f}, and gpu_sim_cycle is {cycles:.0f}"
        raise problem(file, block.lines["gpu_tot_sim_cycle"], f"{text}: is a launch missing?")
    warps = sums.of_launch(block, "gpgpu_n_tot_w_icount")
    if warps is not None:
        launch.set("warp_instructions", warps, "instructions")
    for level, cache, option, reads, writes in (
        ("l1d", L1D, "gpgpu_cache:dl1", L1D_READS, L1D_WRITES),
        ("l2", L2, "gpgpu_cache:dl2", L2_READS, L2_WRITES),
    ):
        if any(name.startswith(cache + "[") for name in block.values):
            found = [sums.of_kinds(block, cache, kinds) for kinds in (reads, writes)]
            add_cache(launch, level, *found, unit_of_cache(options, option))
    accesses = sums.of_launch(block, "L1D_total_cache_accesses")
    if accesses is not None and "l1d.accesses" not in launch.values:
        launch.set("l1d.accesses", accesses, unit_of_cache(options, "gpgpu_cache:dl1"))
    atom = dram_atom(options)
    for name, metric in (("reads", "dram.read_bytes"), ("writes", "dram.write_bytes")):
        count = sums.of_launch(block, f"total dram {name}")
        if count is not None and atom is not None:
            launch.set(metric, count * atom, "B")
    if first and "averagemflatency" in block.values:
        launch.set("memory_latency", block.values["averagemflatency"], "cycles")
    return launch


def unread_of(blocks, options):
    """Names of what is printed and not compared; indices are left out."""
    kinds = {*L1D_READS, *L1D_WRITES, *L2_WRITES}
    names = []
    for block in blocks:
        for name in block.values:
            cache, _, kind = name.partition("[")
            if name in READ or (cache in (L1D, L2) and kind.partition("]")[0] in kinds):
                continue
            names.append(re.sub(r"\[.*", "", name))
    unread = [name for name in dict.fromkeys(names) if name != "averagemflatency"]
    if "averagemflatency" in names and len(blocks) > 1:
        unread.append("averagemflatency after the first launch: it is a mean since that")
    if dram_atom(options) is None and any("total dram reads" in b.values for b in blocks):
        unread.append("total dram reads and writes: the log has no options that tell their bytes")
    return unread


def read(file, text):
    blocks, options = blocks_of(file, text)
    reference = Reference(file, "Accel-Sim log")
    sums, seen = Sums(file), {}
    for block in blocks:
        if block.uids == [] and block.values.get("gpu_sim_insn") == 0:
            continue  # GPGPU-Sim prints one after copies, too
        launch = launch_of(file, block, sums, options, block is blocks[0])
        first = seen.setdefault(block.uids[0], launch)
        if first is not launch:
            text = f"launch {block.uids[0]} stands in line {first.line} already"
            raise problem(file, block.line, text)
        reference.launches.append(launch)
    reference.unread = unread_of(blocks, options)
    return reference
