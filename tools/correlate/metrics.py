# SPDX-License-Identifier: Apache-2.0
"""What is compared. docs/correlate.md says what each metric is and which counter of whom it is."""


class Metric:
    """`units` are what it may be counted in: in two units it is two things. `rate`: errors are
    points, else % of the reference or, where that is smaller, of `floor`. `result`: it follows
    from the others, so that it explains nothing. `weight` is the metric that a mean over launches
    is weighted with; an amount is added up, and what has neither has no total."""

    def __init__(self, name, *units, floor=1, rate=False, result=False, weight=None, mean=False):
        self.name = name
        self.units = units
        self.floor = floor
        self.rate = rate
        self.result = result
        self.weight = weight
        self.adds_up = not (rate or mean or weight)


REQUESTS = ("requests", "sectors")
SHARES = ("%", "% of sectors")
FEW = 100  # accesses: fewer are no measure of an error, and give no rate
FEW_BYTES = 128 * FEW  # as many lines

ALL = [
    Metric("cycles", "cycles", result=True),
    Metric("kernel_cycles", "cycles", result=True),
    Metric("duration", "ns", result=True),
    Metric("ipc", "per cycle", floor=0.01, result=True, weight="cycles"),
    Metric("warp_ipc", "per cycle", floor=0.01, result=True, weight="cycles"),
    Metric("warp_instructions", "instructions", floor=FEW),
    Metric("thread_instructions", "instructions", floor=FEW),
    Metric("loads", "instructions", floor=FEW),
    Metric("l1d.accesses", *REQUESTS, floor=FEW),
    Metric("l1d.reads", *REQUESTS, floor=FEW),
    Metric("l1d.writes", *REQUESTS, floor=FEW),
    Metric("l1d.misses", *REQUESTS, floor=FEW),
    Metric("l1d.merges", *REQUESTS, floor=FEW),
    Metric("l1d.hit_rate", *SHARES, rate=True, weight="l1d.reads"),
    Metric("l2.accesses", *REQUESTS, floor=FEW),
    Metric("l2.reads", *REQUESTS, floor=FEW),
    Metric("l2.writes", *REQUESTS, floor=FEW),
    Metric("l2.misses", *REQUESTS, floor=FEW),
    Metric("l2.merges", *REQUESTS, floor=FEW),
    Metric("l2.hit_rate", *SHARES, rate=True, weight="l2.accesses"),
    Metric("dram.reads", "requests", floor=FEW),
    Metric("dram.writes", "requests", floor=FEW),
    Metric("dram.read_bytes", "B", floor=FEW_BYTES),
    Metric("dram.write_bytes", "B", floor=FEW_BYTES),
    Metric("dram.row_hit_rate", "%", rate=True),
    Metric("load_latency", "cycles", weight="loads"),
    Metric("memory_latency", "cycles", mean=True),
]
BY_NAME = {metric.name: metric for metric in ALL}

# The metric that launches are judged by: the first of these that the reference has.
TIME = ("cycles", "kernel_cycles", "duration")
# The metric that tells whether two launches did the same work, likewise.
WORK = ("warp_instructions", "thread_instructions")
