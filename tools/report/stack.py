# SPDX-License-Identifier: Apache-2.0
"""The cycle stack of a run: what the SMs did in each of its cycles.

All cycles of all SMs in use are divided: `sm.issue_cycles` and `sm.stall.*` are what the model
counted, the rest of `gpu.cycles` is without a thread block. SMs that a launch has no thread block
for are left out: what they do is the same in every run, and would hide the rest. Only
`sm.stall.memory` is split further, launch by launch, in proportion to the time that load requests
spent at each level (`sm.latency.*_ns`).
"""

# Stages of a load request's way, by the level at which they are spent.
LEVELS = {
    "translation": ("tlb", "walk", "fault", "transfer"),
    "l1d": ("coalescer", "l1d_queue", "writeback"),
    "mshr": ("mshr_wait",),
    "crossbar": ("crossbar", "response_path"),
    "l2": ("l2_queue", "l2_access"),
    "dram": ("dram_queue", "dram_service"),
}

# In the order of the bars: (key, colour, what the SM does).
PARTS = [
    ("issue", "--s-issue", "issues an instruction"),
    ("result", "--s-result", "waits for a result of its pipelines"),
    ("l1d", "--s-l1d", "waits for loads at the LSU and L1D"),
    ("mshr", "--s-mshr", "waits for loads in an MSHR, behind a miss to the same line"),
    ("translation", "--s-translation", "waits for loads at the TLB, or for a page"),
    ("crossbar", "--s-crossbar", "waits for loads in the crossbar"),
    ("l2", "--s-l2", "waits for loads at L2"),
    ("dram", "--s-dram", "waits for loads at DRAM"),
    ("memory", "--s-dram", "waits for memory"),
    ("lsu", "--s-lsu", "cannot issue: the LSU is full"),
    ("unit", "--s-unit", "cannot issue: an execution unit is busy"),
    ("bulk", "--s-bulk", "waits for a bulk copy"),
    ("barrier", "--s-barrier", "waits at a barrier"),
    ("throttle", "--s-throttle", "is held back by the scheduling policy"),
    ("drain", "--s-drain", "has ended, and awaits last responses"),
    ("launch", "--s-launch", "waits for the launch of a kernel"),
    ("idle", "--s-idle", "has no thread block"),
]
COLOURS = {key: colour for key, colour, _ in PARTS}
WORDS = {key: words for key, _, words in PARTS}
STALL = "sm.stall."


class Stack:
    """`parts`: key -> cycles of an average SM; they add up to `cycles`. `split` tells that the
    waits for memory are divided by level."""

    def __init__(self, cycles, parts, split):
        self.cycles, self.parts, self.split = cycles, parts, split

    def share(self, key):
        return self.parts.get(key, 0) / self.cycles


def whole_number(text):
    try:
        return int(str(text).replace(",", ""))
    except ValueError:
        return None


def level_shares(stats):
    """Level -> share of the time of load requests; {} when it is not recorded or there were no
    loads."""
    times = {
        level: sum(stats.get(f"sm.latency.{stage}_ns", 0) for stage in stages)
        for level, stages in LEVELS.items()
    }
    whole = sum(times.values())
    return {level: time / whole for level, time in times.items() if time} if whole else {}


def launch_cycles(stats, together=()):
    """The cycles in which kernels of a launch had yet to begin. Those that ran `together` wait at
    the same time where their latencies overlap, which `gpu.launch_cycles` counts for each."""
    begins = sorted(kernel["begin"] for kernel in together) or [0]
    each = stats.get("gpu.launch_cycles", 0) / len(begins)
    later = (min(each, after - before) for before, after in zip(begins, begins[1:]))
    return each + sum(later)


def stack_of(stats, sm_count, together=()):
    """The stack of one launch, of kernels that ran `together`, or of what was recorded as one; None
    when the counters are not there, or are not those of `sm_count` SMs."""
    cycles, active = stats.get("gpu.cycles"), stats.get("sm.active_cycles")
    if not cycles or active is None or not sm_count:
        return None
    sm_count = max(min(sm_count, stats.get("sm.ctas", sm_count)), 1)
    if active > cycles * sm_count:
        return None
    found = {"issue": stats.get("sm.issue_cycles", 0)}
    for name, value in stats.items():
        key = name.removeprefix(STALL)
        if name.startswith(STALL) and key in WORDS:
            found[key] = value
    if sum(found.values()) != active:
        return None
    shares = level_shares(stats)
    if shares:
        memory = found.pop("memory", 0)
        for level, share in shares.items():
            found[level] = memory * share
    idle = cycles * sm_count - active
    found["launch"] = min(launch_cycles(stats, together) * sm_count, idle)
    found["idle"] = idle - found["launch"]
    parts = {key: found[key] / sm_count for key, _, _ in PARTS if found.get(key)}
    return Stack(cycles, parts, bool(shares))


def added(stacks):
    parts = {}
    for stack in stacks:
        for key, value in stack.parts.items():
            parts[key] = parts.get(key, 0) + value
    ordered = {key: parts[key] for key, _, _ in PARTS if key in parts}
    return Stack(sum(s.cycles for s in stacks), ordered, any(s.split for s in stacks))


def sms_of(run):
    return whole_number(run.config.get("sm.count"))


def of_launches(launches, sm_count):
    """The stack of several launches one after the other, as `kernels` of stats.json has them; None
    as above."""
    stacks = [
        stack_of(launch["stats"], sm_count, launch.get("together", ()))
        for launch in launches
        if launch["stats"].get("gpu.cycles")
    ]
    return added(stacks) if stacks and None not in stacks else None


def of_run(run):
    """The stack of the whole run: of its launches where they make it up, since each waits at other
    levels, else of its totals."""
    total = run.stats.get("gpu.cycles")
    if total and sum(kernel["stats"].get("gpu.cycles", 0) for kernel in run.kernels) == total:
        found = of_launches(run.kernels, sms_of(run))
        if found:
            return found
    return stack_of(run.stats, sms_of(run))
