# SPDX-License-Identifier: Apache-2.0
"""Whole runs of the command line tool: every workload under every miss handler and cache setting,
determinism, tick-all, the DAU's three views, and the errors a user can cause."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARPMEM = os.environ["WARPMEM"]
CONFIG = ROOT / "configs" / "gu-dlmshr.yaml"

# Small sizes: the point is coverage of mechanisms, not of data.
WORKLOADS = {
    "vectoradd": ["20000"],
    "atax": ["96"],
    "transpose": ["96"],
    "reduction": ["20000"],
    "histogram": ["20000"],
    "bfs": ["1500"],
}
# Eight SMs and four partitions keep the contention and halve the time.
SMALL = ["sm.count=8", "memory.partitions=4"]
CHECKED = ["check_data=true", "check_protocol=true"]


def warpmem(*arguments, env=None):
    return subprocess.run(
        [WARPMEM, *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, **(env or {})},
        timeout=600,
    )


def assignments(keys):
    out = []
    for key in keys:
        out += ["--set", key]
    return out


class Compiled:
    """Each workload is compiled once a test process."""

    folder = tempfile.TemporaryDirectory()
    programs = {}

    @classmethod
    def get(cls, name):
        if name not in cls.programs:
            target = pathlib.Path(cls.folder.name) / name
            result = warpmem("cc", ROOT / "workloads" / f"{name}.cu", "-o", target)
            assert result.returncode == 0, result.stderr
            cls.programs[name] = target
        return cls.programs[name]


class RunTest(unittest.TestCase):
    """What the groups below share: one run in a folder of its own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_workload(self, name, keys, label="run", flags=(), arguments=None):
        out = pathlib.Path(self.folder.name) / label
        result = warpmem(
            "run",
            "-c",
            CONFIG,
            *assignments([*SMALL, *keys]),
            *flags,
            "-o",
            out,
            Compiled.get(name),
            "--",
            *(arguments or WORKLOADS[name]),
        )
        self.assertEqual(result.returncode, 0, f"{name} {keys}\n{result.stdout}{result.stderr}")
        self.assertIn("PASS", result.stdout)
        return (out / "stats.json").read_bytes()


class MachineTest(RunTest):
    """Every workload under every miss handler, allocation and L1D setting, everything checked."""

    def check_matrix(self, name):
        for kind in ("conventional", "dl"):
            for allocate in ("on_miss", "on_fill"):
                for enable in ("true", "false"):
                    keys = [
                        f"l1d.mshr.kind={kind}",
                        f"l2.mshr.kind={kind}",
                        f"l1d.allocate={allocate}",
                        f"l2.allocate={allocate}",
                        f"l1d.enable={enable}",
                        *CHECKED,
                    ]
                    if enable == "false":  # keys of a closed L1D have no effect
                        keys = [
                            k
                            for k in keys
                            if not k.startswith("l1d.mshr") and not k.startswith("l1d.allocate")
                        ]
                    with self.subTest(workload=name, kind=kind, allocate=allocate, l1d=enable):
                        stats = json.loads(self.run_workload(name, keys))
                        self.assertGreater(stats["total"]["stats"]["gpu.data.bytes_compared"], 0)


def add_matrix_tests():
    for name in WORKLOADS:
        setattr(MachineTest, f"test_matrix_{name}", lambda self, name=name: self.check_matrix(name))


add_matrix_tests()


class IdentityTest(RunTest):
    """Runs whose statistics must be the same bytes."""

    def test_same_run_twice(self):
        self.assertEqual(self.run_workload("bfs", [], "a"), self.run_workload("bfs", [], "b"))

    def test_reversed_construction(self):
        for name in ("bfs", "histogram", "atax"):
            self.assertEqual(
                self.run_workload(name, [], "a"),
                self.run_workload(name, ["reverse_construction=true"], "b"),
                name,
            )

    def test_tick_all(self):
        for name in ("bfs", "reduction", "atax"):
            self.assertEqual(
                self.run_workload(name, [], "a"),
                self.run_workload(name, [], "b", ["--tick-all"]),
                name,
            )

    def test_unrelated_clocks(self):
        clocks = [
            "sm.clock=1137 MHz",
            "noc.clock=701 MHz",
            "l2.clock=933 MHz",
            "dram.clock=1750 MHz",
        ]
        self.assertEqual(
            self.run_workload("atax", clocks, "a"),
            self.run_workload("atax", [*clocks, "reverse_construction=true"], "b"),
        )

    def test_data_check_does_not_change_timing(self):
        def timing(stats):
            return {
                k: v
                for k, v in json.loads(stats)["total"]["stats"].items()
                if not k.startswith("gpu.data.")
            }

        self.assertEqual(
            timing(self.run_workload("atax", ["check_data=false"], "a")),
            timing(self.run_workload("atax", ["check_data=true"], "b")),
        )

    def test_protocol_checkers_do_not_change_timing(self):
        self.assertEqual(
            self.run_workload("atax", [], "a"),
            self.run_workload("atax", ["check_protocol=true"], "b"),
        )

    def test_dau_views(self):
        for name in ("atax", "bfs"):
            views = [
                self.run_workload(name, [f"l1d.mshr.dau={v}", f"l2.mshr.dau={v}"], v)
                for v in ("class", "systemc", "rtl")
            ]
            self.assertEqual(views[0], views[1], name)
            self.assertEqual(views[0], views[2], name)

    def test_tsma_views(self):
        for kind, units in (("tsma", ["index_gen"]), ("htsma", ["index_gen", "steer"])):
            for name in ("atax", "bfs"):
                views = [
                    self.run_workload(
                        name,
                        [f"{cache}.mshr.kind={kind}" for cache in ("l1d", "l2")]
                        + [f"{cache}.mshr.{u}={v}" for cache in ("l1d", "l2") for u in units],
                        v,
                    )
                    for v in ("class", "systemc", "rtl")
                ]
                self.assertEqual(views[0], views[1], (name, kind))
                self.assertEqual(views[0], views[2], (name, kind))

    def test_laws_views(self):
        key = "sm.scheduler"
        for name in ("atax", "bfs", "histogram"):
            for policy, units in (("laws", ["laws_score"]),
                                  ("laws_th", ["laws_score", "throttle_unit"])):
                views = [
                    self.run_workload(
                        name,
                        [f"{key}.policy={policy}", *(f"{key}.{unit}={v}" for unit in units)],
                        v,
                    )
                    for v in ("class", "systemc", "rtl")
                ]
                self.assertEqual(views[0], views[1], (name, policy))
                self.assertEqual(views[0], views[2], (name, policy))

    def check_views(self, key, keys, workloads):
        for name in workloads:
            views = [
                self.run_workload(name, [*keys, f"{key}={view}"], view)
                for view in ("class", "systemc", "rtl")
            ]
            self.assertEqual(views[0], views[1], (name, keys))
            self.assertEqual(views[0], views[2], (name, keys))

    def test_cart_views(self):
        cart, key = "l2.frontend.kind=cart", "l2.frontend.cart_unit"
        self.check_views(key, [cart], ("atax", "bfs", "histogram"))
        for keys in (
            ["l2.frontend.latency=0", "l2.frontend.columns=3", "l2.frontend.overtakes=8"],
            ["l2.frontend.drain=longest", "l2.frontend.depth=1"],
            ["l2.frontend.drain=greedy"],
            ["l2.mshr.kind=htsma"],
        ):
            self.check_views(key, [cart, *keys], ("atax",))

    def test_mrpb_views(self):
        mrpb = ["l1d.frontend.kind=mrpb", "l1d.bypass.kind=associativity"]
        key = "l1d.frontend.mrpb.unit"
        self.check_views(key, mrpb, ("atax", "bfs"))
        for drain in ("round_robin", "longest", "greedy_round_robin", "greedy_longest"):
            self.check_views(key, [*mrpb, f"l1d.frontend.mrpb.drain={drain}"], ("atax",))
        no_flush = ["l1d.frontend.mrpb.flush=false", "l1d.frontend.mrpb.signature=cta"]
        self.check_views(key, [*mrpb, *no_flush], ("atax",))

    def test_bucl_views(self):
        few = ["l1d.mshr.kind=conventional", "l1d.mshr.entries=2"]  # refuses often
        key = "l1d.bypass.bucl.unit"
        for name in ("atax", "bfs"):
            self.check_views(key, [*few, "l1d.bypass.kind=bucl_dyn"], (name,))
        prf = ["l1d.bypass.kind=bucl_prf", "l1d.bypass.bucl.profile_cycles=1000"]
        self.check_views(key, [*few, *prf], ("atax",))

    def test_all_units_at_once(self):
        """Every unit as class, SystemC and RTL in every SM, L1D and L2 bank: equal statistics."""
        keys = [
            "sm.scheduler.policy=laws_th",
            "l1d.frontend.kind=mrpb",
            "l1d.bypass.kind=bucl_dyn",
            "l2.frontend.kind=cart",
        ]
        htsma = ["l1d.mshr.kind=htsma", "l2.mshr.kind=htsma"]
        for more, units in (([], 7), (htsma, 9)):
            for name in ("atax", "bfs", "srad"):
                text = self.run_views(name, [*keys, *more])
                table = [line for line in text.splitlines() if "slowdown" in line]
                self.assertEqual([line.split()[1] for line in table], ["class", "systemc", "rtl"])
                self.assertEqual(text.count("statistics identical"), 2, text)
                views = next(line for line in text.splitlines() if "views of" in line)
                self.assertEqual(views.count(",") + 1, units, views)

    def run_views(self, name, keys):
        """Standard error of `run --compare-views`."""
        program = Compiled.get(name)
        result = warpmem(
            *("run", "-c", CONFIG, *assignments([*SMALL, *keys]), "--compare-views"),
            *("-o", pathlib.Path(self.folder.name) / "views", program),
            *("--", *{**WORKLOADS, "srad": ["64", "1"]}[name]),
        )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.count("PASS"), 3)
        return result.stderr

    def test_views_of_nothing(self):
        result = warpmem("run", "--set", "l1d.mshr.kind=conventional",
                         "--set", "l2.mshr.kind=conventional", "--compare-views",
                         ROOT / "workloads" / "atax.cu")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no unit of this configuration has views", result.stderr)

    def test_scheduling_policies_tick_all(self):
        """Held-back warps are woken when they may go; no statistic depends on when it is asked."""
        policies = ("gtrr", "gtlr", "two_level", "swl:2", "ccws", "laws", "laws_th", "laws_nmd")
        for policy in policies:
            keys = [f"sm.scheduler.policy={policy}", "l1d.size=4KiB"]
            self.assertEqual(
                self.run_workload("atax", keys, "a"),
                self.run_workload("atax", keys, "b", ["--tick-all"]),
                policy,
            )

    def test_mrpb_tick_all(self):
        keys = ["l1d.frontend.kind=mrpb", "l1d.bypass.kind=associativity"]
        for name in ("atax", "bfs"):
            self.assertEqual(
                self.run_workload(name, keys, "a"),
                self.run_workload(name, keys, "b", ["--tick-all"]),
                name,
            )


    def test_l2_frontends_and_bypasses_tick_all(self):
        for keys in (
            ["l2.frontend.kind=nonblocking", "l2.bypass.kind=any_rf"],
            ["l2.frontend.kind=bank_queues", "l1d.bypass.kind=bucl_dyn"],
            [
                "l2.frontend.kind=cart",
                "dram.write_drain=true",
                "l1d.bypass.kind=bucl_prf",
                "l1d.bypass.bucl.profile_cycles=1000",
            ],
            ["l2.frontend.kind=cart", "l2.frontend.drain=greedy", "dram.page=closed"],
        ):
            first = self.run_workload("atax", keys, "a")
            self.assertEqual(first, self.run_workload("atax", keys, "b", ["--tick-all"]), keys)
            reverse = [*keys, "reverse_construction=true"]
            self.assertEqual(first, self.run_workload("atax", reverse, "b"), keys)


class RecordedUnitsTest(RunTest):
    """What units have on their pins in a whole run is stimulus for lockstep."""

    def record(self, requests, keys):
        flags = [word for unit, file in requests for word in ("--record-unit", f"{unit}={file}")]
        return self.run_workload("bfs", keys, "recorded", flags)

    def test_every_unit(self):
        folder = pathlib.Path(self.folder.name)
        keys = [
            "sm.scheduler.policy=laws_th",
            "l1d.frontend.kind=mrpb",
            "l1d.bypass.kind=bucl_dyn",
            "l2.frontend.kind=cart",
        ]
        htsma = ["l1d.mshr.kind=htsma", "l2.mshr.kind=htsma"]
        others = ["laws_score", "throttle_unit", "mrpb_drain", "bucl_ctrl", "cart_branch"]
        for more, units in (
            ([], ["dau", "dau:8", *others]),  # those of eight SMs, then those of L2
            (htsma, ["tsma_index_gen", "htsma_steer"]),
        ):
            files = [(unit, folder / unit.replace(":", "-")) for unit in units]
            plain = self.run_workload("bfs", [*keys, *more], "plain")
            self.assertEqual(plain, self.record(files, [*keys, *more]))
            for unit, file in files:
                result = warpmem("cosim", unit.partition(":")[0], "--recorded", file)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn("class, systemc and rtl agree", result.stdout)
                cycles = int(result.stdout.split("recorded: ")[1].split()[0])
                self.assertGreater(cycles, 50, unit)

    def test_page(self):
        page = pathlib.Path(self.folder.name) / "lockstep.md"
        for unit in ("htsma_steer", "laws_score", "htsma_steer"):
            flags = ("--cycles", 1000, "--seed", 1, "--page", page)
            self.assertEqual(warpmem("cosim", unit, *flags).returncode, 0)
        rows = [line for line in page.read_text().splitlines() if line.startswith("| `")]
        self.assertEqual([row.split("`")[1] for row in rows], ["htsma_steer", "laws_score"])
        for row in rows:
            self.assertIn("| none |", row)

    def test_mistakes(self):
        folder = pathlib.Path(self.folder.name)
        file = folder / "laws"
        for requests, sentence in (
            (["laws_score"], "is not UNIT=FILE"),
            (["laws_score=x"], "this configuration has no laws_score; it has dau"),
            (["dau:99=x"], "this machine has"),
        ):
            flags = [word for r in requests for word in ("--record-unit", r)]
            result = warpmem("run", "-c", CONFIG, *flags, "-o", folder / "run",
                             Compiled.get("atax"), "--", "96")
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(sentence, result.stderr)
        self.record([("laws_score", file)], ["sm.scheduler.policy=laws"])
        for arguments, sentence in (
            (["dau", "--recorded", file], "a recording of laws_score, not of dau"),
            (["laws_score", "--recorded", file, "--miss-limit", 3], "size is that of the recorded"),
            (["laws_score", "--recorded", CONFIG], "not a recording"),
        ):
            result = warpmem("cosim", *arguments)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn(sentence, result.stderr)


class BuclTest(RunTest):
    """Each of BUCL's switches changes what bypasses L1D."""

    def bypasses(self, name, keys):
        values = json.loads(self.run_workload("atax", keys, name))["total"]["stats"]
        return values["l1d.bypasses.uncoalesced"], values["l1d.bypasses.refused"]

    def test_switches(self):
        none = ["l1d.bypass.kind=none"]
        few = ["l1d.mshr.kind=conventional", "l1d.mshr.entries=2"]  # refuses often
        dyn = [*few, "l1d.bypass.kind=bucl_dyn"]
        wide = [f"l1d.bypass.bucl.{key}=32" for key in ("tucd", "least", "most")]
        self.assertEqual(self.bypasses("none", none), (0, 0))
        self.assertGreater(self.bypasses("dyn", dyn)[0], 0)
        # No load has more than 32 requests: what bypasses is what the cache refuses ...
        whole, refused = self.bypasses("wide", dyn + wide)
        self.assertEqual(whole, 0)
        self.assertGreater(refused, 0)
        # ... while locality is low and the partition idle.
        for key in ("hit_rate_limit", "input_limit"):
            closed = dyn + wide + [f"l1d.bypass.bucl.{key}=0"]
            self.assertEqual(self.bypasses(key, closed), (0, 0), key)

    def test_profile(self):
        prf = ["l1d.bypass.kind=bucl_prf", "l1d.bypass.bucl.profile_cycles=2000"]
        chosen = json.loads(self.run_workload("atax", prf, "prf"))["total"]
        self.assertGreater(sum(chosen["series"]["bucl.tucd.over_time"]["points"]), 0)
        late = [*prf[:1], "l1d.bypass.bucl.profile_cycles=100000000"]
        never = json.loads(self.run_workload("atax", late, "late"))["total"]
        self.assertEqual(sum(never["series"]["bucl.tucd.over_time"]["points"]), 0)


class ReservationFailTest(RunTest):
    def total(self, name, kind, arguments):
        stats = self.run_workload(
            name, [f"l1d.mshr.kind={kind}", f"l2.mshr.kind={kind}"], kind, arguments=arguments
        )
        values = json.loads(stats)["total"]["stats"]
        return sum(
            v for k, v in values.items() if ".reservation_fails." in k and k.endswith("cycles")
        )

    def test_dl_reduces_reservation_fails(self):
        for name, arguments in (("atax", ["256"]), ("bfs", ["4000"])):
            with self.subTest(workload=name):
                self.assertLess(
                    self.total(name, "dl", arguments), self.total(name, "conventional", arguments)
                )


class SpinWaitTest(unittest.TestCase):
    """Warps that spin on a flag fill the issue slots; the youngest CTA sets it."""

    POLICIES = (
        [f"sm.scheduler.policy={p}" for p in ("rr", "gtrr", "gtlr", "gto", "ccws")]
        + [f"sm.scheduler.policy={p}" for p in ("laws", "laws_th", "laws_nmd")]
        + [f"sm.scheduler.policy=swl:{n}" for n in (1, 2, 3, 8, 31)]
    )
    TWO_LEVEL = [
        ["sm.scheduler.policy=two_level", f"sm.scheduler.group_policy={g}"]
        + [f"sm.scheduler.warp_policy={w}"]
        for g in ("rr", "gto")
        for w in ("rr", "gtrr", "gtlr", "gto")
    ]

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = pathlib.Path(cls.folder.name) / "spin_wait"
        source = ROOT / "tests" / "integration" / "spin_wait.cu"
        result = warpmem("cc", source, "-o", cls.program)
        assert result.returncode == 0, result.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def spin(self, keys):
        out = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name)) / "run"
        machine = ["sm.count=1", "memory.partitions=1", "max_cycles=5000000"]
        config = ROOT / "configs" / "kim-laws.yaml"
        keys = assignments([*machine, *keys])
        # 28 warps spin; the setter reads a chain of 8 lines first.
        arguments = ["--", self.program, "8", "128", "8", "64"]
        result = warpmem("run", "-c", config, *keys, "-o", out, *arguments)
        stats = json.loads((out / "stats.json").read_bytes()) if result.returncode == 0 else None
        return result, stats

    def test_every_policy_ends(self):
        for keys in [[p] for p in self.POLICIES] + self.TWO_LEVEL:
            with self.subTest(keys=keys):
                result, _ = self.spin(keys)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn("flag 513", result.stdout)

    def test_without_the_bound_gto_starves_the_setter(self):
        bound = "sm.scheduler.starvation_bound=1073741824"
        result, _ = self.spin(["sm.scheduler.policy=gto", bound])
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("max_cycles", result.stderr)

    def test_the_rescue_is_counted(self):
        _, stats = self.spin(["sm.scheduler.policy=gto"])
        values = stats["total"]["stats"]
        rescued = sum(v for k, v in values.items() if k.endswith("scheduler.rescued"))
        self.assertGreater(rescued, 8)


class ErrorTest(unittest.TestCase):
    """One clear sentence and a non-zero exit status for each mistake."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def expect(self, status, *fragments, arguments):
        result = warpmem(*arguments)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        for fragment in fragments:
            self.assertIn(fragment, result.stderr)

    def source(self, body, name="bad.cu"):
        file = self.path / name
        file.write_text("#include <cuda_runtime.h>\n#include <cstdio>\n" + body)
        return file

    def run_source(self, status, *fragments, body, keys=()):
        self.expect(
            status,
            *fragments,
            arguments=["run", *assignments(keys), "-o", self.path / "run", self.source(body)],
        )

    def test_unknown_key(self):
        self.expect(
            2,
            "l1d.mshr.kindd",
            "unknown key",
            "l1d.mshr.kind",
            arguments=["config", "--set", "l1d.mshr.kindd=dl"],
        )

    def test_unknown_value(self):
        self.expect(
            2,
            "tmsa",
            "conventional",
            "allowed",
            arguments=["config", "--set", "l1d.mshr.kind=tmsa"],
        )

    def test_wrong_yaml(self):
        file = self.path / "bad.yaml"
        file.write_text("l1d:\n  ways: [1\n")
        self.expect(2, "bad.yaml:", arguments=["config", "-c", file])

    def test_source_does_not_compile(self):
        self.run_source(2, "does not compile", body="int main() { return x; }\n")

    def test_missing_program(self):
        self.expect(2, "no such file", arguments=["run", self.path / "none.cu"])

    def test_out_of_range_address(self):
        self.run_source(
            2,
            "kernel",
            "thread",
            "address",
            body="""
__global__ void far(int* p) { p[threadIdx.x + (1 << 28)] = 1; }
int main() { int* p; cudaMalloc((void**)&p, 256); far<<<1, 32>>>(p); cudaDeviceSynchronize(); }
""",
        )

    def test_unaligned_access(self):
        self.run_source(
            2,
            "aligned",
            body="""
__global__ void odd(char* p) { *(int*)(p + 1) = 1; }
int main() { char* p; cudaMalloc((void**)&p, 256); odd<<<1, 1>>>(p); cudaDeviceSynchronize(); }
""",
        )

    def test_block_too_large(self):
        self.run_source(
            2,
            "shared memory",
            body="""
__global__ void big(int* p) { extern __shared__ int s[]; s[threadIdx.x] = 1; *p = s[0]; }
int main() { int* p; cudaMalloc((void**)&p, 256); big<<<1, 32, 200000>>>(p);
  cudaDeviceSynchronize(); }
""",
        )

    def test_unsupported_instruction(self):
        self.run_source(
            2,
            "unsupported instruction",
            "bad.cu",
            body="""
__global__ void odd(int* p) { asm volatile("suld.b.1d.b32.trap {%0}, [0, {%1}];"
                                           : "=r"(*p) : "r"(0)); }
int main() { int* p; cudaMalloc((void**)&p, 256); odd<<<1, 1>>>(p); cudaDeviceSynchronize(); }
""",
        )

    def test_barrier_deadlock(self):
        self.run_source(2, "deadlock", "barrier", body="""
__global__ void stuck(int* p) {
  if (threadIdx.x >= 32) asm volatile("bar.sync 1;"); else __syncthreads();
  *p = 1;
}
int main() { int* p; cudaMalloc((void**)&p, 256); stuck<<<1, 64>>>(p); cudaDeviceSynchronize(); }
""")

    def test_spinning_kernel(self):
        self.run_source(3, "max_cycles", "sm[0]", "warp 0", "pc 0x", keys=["max_cycles=20000"],
                        body="""
__global__ void spin(volatile int* flag) { while (*flag == 0) {} }
int main() { int* p; cudaMalloc((void**)&p, 256); spin<<<1, 32>>>(p); cudaDeviceSynchronize(); }
""")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
