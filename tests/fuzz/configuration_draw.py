# SPDX-License-Identifier: Apache-2.0
"""Draws configurations of the machine at random from its schema (`warpmem config --schema`): valid
ones of tiny sizes and odd clocks, and ones with a mistake planted."""

import dataclasses
import itertools
import json
import math
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools/report"))
import quantities  # noqa: E402

# These programs run with arguments that keep a run near a tenth of a second.
PROGRAMS = [
    ("workloads/atax.cu", ["32"]),
    ("workloads/bfs.cu", ["200"]),
    ("workloads/histogram.cu", ["2000"]),
    ("workloads/kmeans_uncoalesced.cu", ["64", "4", "3"]),
    ("workloads/lud.cu", ["32"]),
    ("workloads/reduction.cu", ["2000"]),
    ("workloads/transpose.cu", ["32"]),
    ("workloads/micro/strides.cu", ["loop"]),
    ("workloads/micro/strides.cu", ["straight", "4"]),
    ("workloads/micro/kernels_together.cu", ["streams", "5", "3", "8"]),
    ("workloads/micro/kernels_together.cu", ["default", "6", "2", "8"]),
    ("workloads/micro/zero_copy.cu", ["mixed", "700", "2"]),
    ("workloads/micro/zero_copy.cu", ["sectors", "900"]),
    ("tests/data/traces/saxpy", []),
    ("tests/data/traces/gather", []),
]
MANAGED_PROGRAMS = [
    ("workloads/managed/thrash.cu", ["256", "0", "2"]),
    ("workloads/managed/relay.cu", ["16384", "2"]),
    ("workloads/managed/random.cu", ["128"]),
]
BULK_PROGRAMS = [
    ("workloads/micro/bulk_copy.cu", ["bulk", "3", "2"]),
    ("workloads/micro/bulk_copy.cu", ["async", "3", "2"]),
]
# They need bulk copies too, and a GPC in which four blocks have room.
CLUSTER_PROGRAMS = [
    ("workloads/micro/clusters.cu", ["exchange", "4", "2", "3"]),
    ("workloads/micro/clusters.cu", ["exchange", "2", "3", "3"]),
    ("workloads/micro/clusters.cu", ["multicast", "2", "2", "3"]),
    ("workloads/micro/clusters.cu", ["bandwidth", "4", "1", "4"]),
]

# The statistics are the same whatever their value; they are what is compared, not what is drawn.
VARIANTS = {"tick_all", "reverse_construction"}
CHECKS = ["check_data=true", "check_protocol=true", "dram.check_timing=true"]
VIEWS = ["class", "core", "systemc", "rtl"]

# These keys stay as they are: limits of the run itself and memory that programs must fit in.
KEPT = {"watchdog", "max_cycles", "memory.size", "uvm.host_memory", "sm.registers",
        "sm.shared_memory"}  # fmt: skip
# Now and then a machine has so many more SMs that a set of them takes more than a machine word.
MANY = 64
# These bounds are closer than the schema's, so that a run stays short and most programs fit.
CLOSER = {
    "sm.count": (1, 3),
    "memory.partitions": (1, 3),
    "l2.slices": (1, 4),
    "sm.warps": (8, 64),
    "noc.latency": (1, 60),
    "noc.far_latency": (0, 60),
    "noc.cluster": (1, 4),
    "dram.min_latency": (0, 200),
    "dram.timing.tREFI": (1000, 20000),
    "gpc.sms": (0, 4),
    "gpc.latency": (1, 100),
    "gpu.launch_latency": (0, 2000),
    "gpu.concurrent_kernels": (1, 5),
    "l2.atomic.interval": (1, 4),
    "l2.coalescer.merges": (1, 8),
    "uvm.fault.latency_ns": (1, 2000),
    "uvm.walk.cycles": (1, 200),
    "uvm.pcie.bandwidth": (2000, 1000000),
    "uvm.ture.sample_cycles": (1, 2000),
    "uvm.ture.period_cycles": (1, 4000),
    "sm.lsu.pipeline": (0, 12),
    "l1d.bypass.bucl.period": (10, 2000),
    "l1d.bypass.bucl.profile_cycles": (10, 4000),
    "l1d.bypass.bucl.input_delay": (1, 2000),
}
CLOSER_FREQUENCY = (100_000_000, 2_000_000_000)
OVERSUBSCRIPTION = ["0", "0.5", "1", "1.1", "1.25", "1.5", "2", "3"]
# Sizes of hardware units in cases with views, from which a few shared libraries are built: those
# of gu-dlmshr, which other tests use too.
UNIT_SIZES = {
    "sm.warps": "48",
    "sm.schedulers": "2",
    "sm.scheduler.miss_limit": "31",
    "sm.scheduler.divergence": "8",
    "sm.scheduler.stable_periods": "8",
    "sm.scheduler.hold": "1000",
    "l1d.frontend.mrpb.signature": "warp",
    "l1d.frontend.mrpb.entries": "8",
    "l1d.bypass.bucl.period": "1000",
    "l1d.bypass.bucl.hit_rate_limit": "0.8",
    "l1d.bypass.bucl.input_limit": "0.7",
    "l1d.bypass.bucl.tucd": "5",
    "l1d.bypass.bucl.least": "2",
    "l1d.bypass.bucl.most": "25",
    "l1d.unified": "0",
    "l1d.size": "16 KiB",
    "l1d.ways": "4",
    "l1d.mshr.entries": "32",
    "l1d.mshr.slots": "8",
    "l1d.mshr.slots_per_set": "2",
    "l1d.mshr.associativity": "4",
    "l1d.mshr.reserved_fraction": "0.5",
    "l1d.mshr.small_entries": "4",
    "l1d.mshr.small_slots": "8",
    "l2.size": "128 KiB",
    "l2.ways": "16",
    "l2.mshr.entries": "32",
    "l2.mshr.slots": "4",
    "l2.mshr.slots_per_set": "2",
    "l2.mshr.associativity": "4",
    "l2.mshr.reserved_fraction": "0.5",
    "l2.mshr.small_entries": "4",
    "l2.mshr.small_slots": "4",
    "l1d.line": "128",
    "l1d.sector": "0",
    "l1d.banks": "1",
    "l1d.bank_width": "sector",
    "l1d.miss_ports": "1",
    "l1d.drain": "target",
    "l2.line": "128",
    "l2.sector": "0",
    "l2.frontend.rows": "4",
    "l2.frontend.columns": "2",
    "l2.frontend.depth": "2",
    "memory.partitions": "2",
    "l2.slices": "2",
    "memory.row": "2 KiB",
    "memory.interleave": "256",
}
NOT_RUN = {"dram.kind"}  # a value of which needs a program around the library
SHARE_OF_MECHANISMS = 0.6  # share of the choices and flags that one case draws
SHARE_OF_NUMBERS = 0.2  # share of all other keys
SHARE_OF_MISTAKES = 0.08


@dataclasses.dataclass
class Case:
    """This is one configuration and what runs on it."""

    config: str  # it names a file below configs/, or is ""
    keys: dict  # key -> text, given as --set
    program: str
    arguments: list
    mistake: str = ""  # what is wrong with it on purpose

    def without(self, key):
        return dataclasses.replace(self, keys={k: v for k, v in self.keys.items() if k != key})


def quantity(text):
    """Returns 16384 for "16 KiB", 0.5 for "0.5"."""
    value = quantities.number(text)
    return int(value) if value.is_integer() else value


@dataclasses.dataclass
class Range:
    low: float
    high: float
    power_of_two: bool

    @classmethod
    def of(cls, about):
        """Reads the range from `allowed`, "LOW..HIGH" or "LOW or more", and maybe ", a power of
        two"; of a time the range in cycles, "LOW..HIGH ck or up to HIGH ns"."""
        text, comma, rest = about["allowed"].partition(", a power of two")
        text = text.partition(" ck or ")[0]
        low, _, high = text.replace(" or more", "..").partition("..")
        return cls(quantity(low), quantity(high) if high else math.inf, bool(comma))


class Source:
    """This is what can be drawn. `avoid` holds key=value texts that are not."""

    def __init__(self, schema, configs, avoid=()):
        self.keys = schema["keys"]
        self.configs = configs
        self.avoid = set(avoid)
        self.views = [key for key, about in self.keys.items() if about.get("choices") == VIEWS]

    def values(self, key):
        about = self.keys[key]
        every = about["choices"] if about["type"] == "choice" else ["true", "false"]
        return [v for v in every if f"{key}={v}" not in self.avoid]

    def must_draw(self, key):
        """Says whether the key is set in every case: else it might get a value that is to be
        avoided from the default or a file."""
        return any(text.startswith(f"{key}=") for text in self.avoid)

    def mechanisms(self):
        """Returns the keys of choices and flags that a case may set."""
        checks = {check.partition("=")[0] for check in CHECKS}
        return [key for key, about in self.keys.items()
                if about["type"] in ("choice", "bool") and key not in VARIANTS | checks | NOT_RUN
                and key not in self.views]

    def pairs(self):
        """Returns every pair of values of two mechanisms."""
        values = [(key, value) for key in self.mechanisms() for value in self.values(key)]
        return [(a, b) for a, b in itertools.combinations(values, 2) if a[0] != b[0]]


def draw_choice(source, key, rng):
    values = source.values(key)
    if not values:
        return None
    value = rng.choice(values)
    return value[:-1] + str(rng.randint(1, 8)) if value.endswith(":N") else value


def draw_number(key, about, rng):
    allowed = Range.of(about)
    default = quantity(about["default"])
    low, high = CLOSER.get(key, (allowed.low, allowed.high))
    if about["type"] == "frequency":
        low, high = CLOSER_FREQUENCY
    if about["type"] == "real":
        if key == "uvm.oversubscription":
            return rng.choice(OVERSUBSCRIPTION)
        return f"{rng.uniform(low, min(high, max(2.0, 2 * default))):.3f}"
    kind = rng.random()
    if kind < 0.5 and about["type"] in ("integer", "time"):
        value = low + rng.randint(0, 3)
    else:
        bottom = max(low, default / 4, 1)
        top = max(bottom, min(high, 4 * default))
        value = round(math.exp(rng.uniform(math.log(bottom), math.log(top))))
    if allowed.power_of_two:
        value = 1 << max(int(value).bit_length() - 1, 0)
        while value < allowed.low:
            value *= 2
    value = int(min(max(value, low), high))
    if about["type"] == "time" and rng.random() < 0.3:  # a cycle takes about a nanosecond
        return f"{max(value - rng.random(), 0.001):.3f} ns"
    return str(value)


def draw_geometry(rng):
    """Keys that only fit together. They are always drawn, and small: contention is where faults
    are."""
    line = rng.choice([128, 128, 64, 32])
    keys = {}
    for level in ("l1d", "l2"):
        ways = rng.choice([1, 2, 3, 4, 8, 8, 65])
        sets = rng.choice([1 << rng.randint(0, 5), rng.randint(1, 40)])
        while ways * line * sets < 1024:
            sets *= 2
        associativity = rng.choice([1, 2, 3, 4])
        keys.update({f"{level}.line": line, f"{level}.ways": ways,
                     f"{level}.size": ways * line * sets,
                     f"{level}.mshr.associativity": associativity,
                     f"{level}.mshr.entries": associativity * rng.choice([1, 2, 3, 8])})
        sector = rng.choice([0, *(s for s in (32, 64) if s < line)])
        keys[f"{level}.sector"] = sector
        keys[f"{level}.fetch"] = rng.choice([0, *(f for f in (32, 64, 128) if sector <= f <= line)])
    keys["l1d.banks"] = rng.choice([1, 1, 2, 4, 8, 32])
    keys["l1d.bank_width"] = "word" if keys["l1d.banks"] == 32 else "sector"
    keys["l1d.lookups"] = rng.choice([0, 0, 1, 2, 4])
    keys["l1d.miss_ports"] = rng.choice([1, 2, 4])
    keys["l1d.drain"] = rng.choice(["target", "line"])
    bucl = zip(("least", "tucd", "most"), sorted(rng.randint(1, 32) for _ in range(3)))
    keys.update({f"l1d.bypass.bucl.{name}": value for name, value in bucl})
    if rng.random() < 0.2:
        keys.update(draw_unified(rng, line))
    keys["l2.coalescer.entries"] = rng.choice([0, 0, 1, 2, 8, 64])
    return {key: str(value) for key, value in keys.items()}


def draw_unified(rng, line):
    """Keys of a unified L1 of which most programs get the shared memory that they need."""
    ways = rng.choice([16, 24, 64, 129])
    way = line * max(1, 65536 // (ways * line) + rng.randint(0, 3))
    steps = sorted({*rng.sample(range(ways - 1), 4), ways - rng.choice([1, 2])})
    keys = {"l1d.unified": ways * way, "l1d.ways": ways, "l1d.write": "through_update",
            "l1d.carveout_steps": ", ".join(str(way * step) for step in steps)}
    if rng.random() < 0.5:
        keys["l1d.carveout"] = rng.randint(0, steps[-1] * way)
    return keys


def draw_bank_groups(rng):
    """Keys of a DRAM with bank groups, whose times only fit together."""
    if rng.random() < 0.6:
        return {}
    keys = {"dram.bank_groups": str(rng.choice([2, 4, 8])), "dram.column_command": "burst"}
    for short, within in (("tCCD", "tCCD_L"), ("tRRD", "tRRD_L"), ("tCDLR", "tWTR_L")):
        cycles = rng.randint(1, 20)
        keys[f"dram.timing.{short}"] = str(cycles)
        keys[f"dram.timing.{within}"] = f"{cycles + rng.randint(0, 10)} ck"
    return keys


def draw_case(source, rng, pair, with_views):
    """Returns a case that holds both values of `pair` unless the rest makes them void;
    `with_views`: of units that have the sizes of UNIT_SIZES."""
    config = rng.choice(["", *source.configs])
    keys = {"sm.count": str(rng.randint(*CLOSER["sm.count"]) + MANY * (rng.random() < 0.03)),
            "memory.partitions": str(rng.randint(*CLOSER["memory.partitions"])),
            **draw_geometry(rng), **draw_bank_groups(rng)}
    rare = {"uvm.enable": 0.3, "l1d.enable": 0.9}  # share of values that are `true`
    for key in source.mechanisms():
        if key in keys:
            continue
        if key in rare and not source.must_draw(key):
            keys[key] = "true" if rng.random() < rare[key] else "false"
        elif source.must_draw(key) or rng.random() < SHARE_OF_MECHANISMS:
            keys[key] = draw_choice(source, key, rng)
    for key, about in source.keys.items():
        if about["type"] not in ("choice", "bool", "text") and key not in keys.keys() | KEPT:
            if rng.random() < SHARE_OF_NUMBERS:
                keys[key] = draw_number(key, about, rng)
    if with_views:
        keys.update(UNIT_SIZES)
    for key, value in pair:
        keys[key] = value[:-1] + "2" if value.endswith(":N") else value
    if keys["uvm.enable"] == "true":
        keys.setdefault("uvm.fault.latency_ns", str(rng.randint(1, 2000)))
        program, arguments = rng.choice([*MANAGED_PROGRAMS, *PROGRAMS])
    elif keys.get("sm.bulk.enable") == "true" and rng.random() < 0.5:
        program, arguments = rng.choice([*BULK_PROGRAMS, *CLUSTER_PROGRAMS])
        if program.endswith("clusters.cu"):
            keys["sm.count"], keys["gpc.sms"] = str(rng.randint(4, 9)), "4"
    else:
        program, arguments = rng.choice(PROGRAMS)
    keys = {key: value for key, value in keys.items() if value is not None}
    return Case(config, keys, program, arguments)


def with_fitting_program(case, keys, rng):
    """Returns the case with another program when its own needs the bulk copy engine that the
    machine, as it was made valid, no longer has. Only that launch would be refused, after the
    statistics of those before it."""
    needs_engine = (case.program, case.arguments) in [*BULK_PROGRAMS, *CLUSTER_PROGRAMS]
    if not needs_engine or keys["sm.bulk.enable"]["value"] == "true":
        return case
    program, arguments = rng.choice(PROGRAMS)
    return dataclasses.replace(case, program=program, arguments=arguments)


def plant_mistake(source, case, rng):
    """Returns a valid case with one thing wrong, which a run must refuse."""
    checks = {check.partition("=")[0] for check in CHECKS}  # every run sets them, after the case
    key = rng.choice([key for key in source.keys if key not in checks])
    about = source.keys[key]
    kind = rng.choice(["value", "word", "key", "group", "assignment"])
    if kind == "value" and about["type"] in ("integer", "size", "frequency", "real", "time"):
        allowed = Range.of(about)
        wrong = {key: rng.choice([str(int(min(allowed.high, 2**62)) + 1), "-1", "1e400", "nan"])}
    elif kind in ("value", "word") and about["type"] != "text":
        wrong = {key: rng.choice(["", "~", "none of these", "0x", "\u20ac", "1 parsec"])}
    elif kind == "group":
        wrong = {key.rpartition(".")[0] or "l1d": "1"}
    elif kind == "assignment":
        wrong = {"": key}
    else:
        wrong = {key + rng.choice("abc."): "1"}
    return dataclasses.replace(case, keys={**case.keys, **wrong}, mistake=str(wrong))


class Repair:
    """Makes a drawn case valid: keys without an effect are left out, and keys that the program
    says do not fit together."""

    def __init__(self, warpmem, configs_folder, folder):
        self.warpmem, self.configs, self.folder = warpmem, configs_folder, folder

    def ask(self, case, name):
        file = self.folder / f"{name}.yaml"
        include = f"include: {self.configs / case.config}.yaml\n" if case.config else ""
        file.write_text(include + "".join(f'{k}: "{v}"\n' for k, v in case.keys.items()))
        result = subprocess.run([self.warpmem, "config", "-c", file, "--schema"],
                                capture_output=True, text=True, timeout=60)
        file.unlink()
        return result

    def named(self, message, case):
        """Returns the keys of the case that a message complains of, or else those that it names
        at all, or else those of the same groups."""
        blamed = re.findall(r"(?:^|: )([a-z]\w*(?:\.\w+)+): ", message, re.MULTILINE)
        found = [key for key in blamed if key in case.keys]
        found = found or [key for key in re.findall(r"[a-z]\w*(?:\.\w+)+", message)
                          if key in case.keys]
        groups = {key.rpartition(".")[0] for key in blamed}
        return found or [key for key in case.keys if key.rpartition(".")[0] in groups]

    def __call__(self, case, name):
        """Returns the valid case and the keys in effect, or (case, None) when it stays invalid."""
        for _ in range(12):
            result = self.ask(case, name)
            if result.returncode == 0:
                keys = json.loads(result.stdout)["keys"]
                kept = {key: v for key, v in case.keys.items() if keys[key]["active"]}
                return dataclasses.replace(case, keys=kept), keys
            blamed = self.named(result.stderr, case)
            if result.returncode != 2 or not blamed:
                break
            for key in blamed:
                case = case.without(key)
        return case, None
