# SPDX-License-Identifier: Apache-2.0
"""Traces and fast-forward through the command line tool: a recorded program gives the statistics of
the program, every form of one trace gives the same, and what is not timed still executes."""

import json
import lzma
import pathlib
import re
import unittest

from whole_runs import PROGRAMS, ROOT, RunTest, WORKLOADS, assignments, compiled, warpmem

SMALL = assignments(["sm.count=4", "memory.partitions=2"])
BACKPROP = ROOT.parent / "shared" / "data" / "traces" / "rodinia-backprop-h100"


class TraceCase(RunTest):
    def path(self, name):
        return pathlib.Path(self.folder.name) / name

    def succeed(self, *arguments, env=None):
        result = warpmem(*arguments, env=env)
        self.assertEqual(result.returncode, 0, f"{arguments}\n{result.stdout}{result.stderr}")
        return result

    def stats(self, what, *more):
        """Returns the statistics of a timed run; a trace carries no values, so a program is not
        checked either."""
        out = self.path("out")
        self.succeed("run", *SMALL, "-o", out, "--set", "check_data=false", what, *more)
        return (out / "stats.json").read_bytes()


class RecordTest(TraceCase):
    """A recorded trace repeats what the program did. Timing-dependent control flow (spin loops,
    queues filled by atomics that give another order) would differ; these programs have none, or one
    whose order does not change their accesses."""

    def check(self, name, *flags):
        trace = self.path("t.wmtrace")
        program = compiled(name)
        self.succeed("trace", "convert", *SMALL, program, "-o", trace, "--", *WORKLOADS[name])
        direct = self.stats(program, *flags, "--", *WORKLOADS[name])
        self.assertEqual(direct, self.stats(trace, *flags))

    def test_vectoradd(self):
        self.check("vectoradd")

    def test_atax(self):
        self.check("atax")

    def test_reduction(self):
        self.check("reduction")

    def test_histogram(self):
        self.check("histogram")

    def test_bfs(self):
        self.check("bfs")

    def test_the_same_part_of_both(self):
        self.check("atax", "--ctas", "1")
        self.check("atax", "--kernels", "2")

    def test_info_and_validation(self):
        trace = self.path("t.wmtrace")
        self.succeed("trace", "convert", compiled("atax"), "-o", trace, "--", "96")
        answer = self.path("info.json")
        self.assertIn("ld.global", self.succeed("trace", "info", trace, "--json", answer).stdout)
        info = json.loads(answer.read_text())
        self.assertEqual(len(info["kernels"]), 2)
        self.assertEqual(sum(info["by_class"].values()), info["warp_instructions"])
        self.assertEqual(sum(m["count"] for m in info["by_mnemonic"]), info["warp_instructions"])
        self.assertIn("whole: 2 launches", self.succeed("run", "--functional", trace).stderr)
        cut = self.path("cut.wmtrace")
        cut.write_bytes(trace.read_bytes()[:-5])
        for command in (["run"], ["run", "--functional"], ["trace", "info"]):
            result = warpmem(*command, cut)
            self.assertEqual(result.returncode, 2)
            self.assertIn("byte offset", result.stderr)

    def test_check_data_is_switched_off(self):
        trace = self.path("t.wmtrace")
        self.succeed("trace", "convert", compiled("vectoradd"), "-o", trace, "--", "1000")
        out = self.path("out")
        result = self.succeed("run", *SMALL, "--set", "check_data=true", "-o", out, trace)
        self.assertIn("a trace carries no values", result.stderr)
        manifest = json.loads((out / "manifest.json").read_text())
        self.assertIn("a trace carries no values", " ".join(manifest["notes"]))
        self.assertEqual(len(manifest["program_hash"]), 64)


class ListedTest(TraceCase):
    """Traces from elsewhere, as lists of kernels."""

    HEADER = """-kernel name = {name}
-grid dim = (1,1,1)
-block dim = (32,1,1)
-shmem = 0
-nregs = 16
-binary version = 80
-accelsim tracer version = 4

#traces format = ...
"""

    def kernel(self, number, steps, name="_Z7forwardIfEvPT_i"):
        steps = [*steps, "0100 ffffffff 0 EXIT 0 0 0"]
        lines = ["#BEGIN_TB", "thread block = 0,0,0", "warp = 0", f"insts = {len(steps)}", *steps,
                 "#END_TB", ""]  # fmt: skip
        file = self.path(f"kernel-{number}.traceg")
        file.write_text(self.HEADER.format(name=name) + "\n".join(lines))
        return file.name

    def listed(self, *lines):
        file = self.path("kernelslist.g")
        file.write_text("\n".join(lines) + "\n")
        return file

    def instructions(self, *lines):
        out = self.path("out")
        self.succeed("run", *SMALL, "--per-pc", "-o", out, self.listed(*lines))
        document = json.loads((out / "instructions.json").read_text())
        return [row for kernel in document["kernels"] for row in kernel["instructions"]]

    LOAD = "0010 ffffffff 1 R2 LDG.E.SYS 1 R0 4 1 0x7f4000000000 4 0"
    STORE = "0010 ffffffff 0 STG.E.SYS 2 R0 R2 4 1 0x7f4000000000 4 0"

    def test_two_instructions_at_one_pc(self):
        rows = self.instructions(self.kernel(1, [self.LOAD, self.STORE, self.LOAD]))
        self.assertEqual({row["text"]: row["executions"] for row in rows},
                         {"LDG.E.SYS": 2, "STG.E.SYS": 1})

    def test_two_kernels_of_one_name(self):
        rows = self.instructions(self.kernel(1, [self.LOAD]), self.kernel(2, [self.STORE]))
        self.assertEqual({row["text"]: row["op"] for row in rows},
                         {"LDG.E.SYS": "load", "STG.E.SYS": "store"})

    def test_copies_that_bypass_l1d(self):
        copy = "0010 ffffffff 0 {} 2 R1 R2 16 1 0x7f4000000000 16 0"
        for name, bypasses in (("LDGSTS.E.BYPASS.128", True), ("LDGSTS.E.128", False)):
            steps = [copy.format(name)] * 2
            rows = self.instructions(self.kernel(1, steps))
            self.assertEqual(rows[0]["l1d"]["bypasses"] > 0, bypasses, name)

    def test_mangled_names(self):
        kernels = self.listed(self.kernel(1, [self.LOAD]), self.kernel(2, [self.STORE], "other"))
        for name in ("forward", "forward<float>", "_Z7forwardIfEvPT_i"):
            out = self.path("out")
            self.succeed("run", *SMALL, "-o", out, "--kernels", f"name={name}", kernels)
            stats = json.loads((out / "stats.json").read_text())
            self.assertEqual([kernel["launch"] for kernel in stats["kernels"]], [1], name)

    def test_notes_are_whole(self):
        kernels = self.listed(self.kernel(1, ["0000 ffffffff 0 FROB 0 0 0"]))
        text = self.succeed("trace", "info", kernels).stdout
        self.assertIn("taken as int_alu without memory access (1 warp instructions)", text)
        answer = self.succeed("trace", "export", kernels, "-o", self.path("exported"))
        self.assertIn("taken as int_alu without memory access (1 warp instructions)",
                      answer.stderr)

    def test_a_copy_beyond_all_memory(self):
        copy = "MemcpyHtoD,0x7f4000000000,281474976710655"
        kernels = self.listed(copy, self.kernel(1, [self.LOAD]))
        result = warpmem("run", *SMALL, "-o", self.path("out"), kernels)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("kernelslist.g:1: a copy of 281474976710655 bytes; allowed: at most",
                      result.stderr)


class ExportCase(TraceCase):
    """A program in Accel-Sim's format gives the statistics of its recording; its lines keep to what
    readers of that format take."""

    def check(self, name, arguments, *flags):
        program = compiled(name)
        name = pathlib.Path(name).name
        trace, folder = self.path(f"{name}.wmtrace"), self.path(name)
        self.succeed("trace", "convert", *SMALL, program, "-o", trace, "--", *arguments)
        self.succeed("trace", "export", trace, "-o", folder, *flags)
        self.assertEqual(self.stats(trace), self.stats(folder), name)
        return folder


class ExportTest(ExportCase):
    def test_programs(self):
        self.check("reduction", WORKLOADS["reduction"], "--xz")
        self.check("histogram", WORKLOADS["histogram"], "--arch", "86")
        folder = self.check("bfs", WORKLOADS["bfs"])
        commands = (folder / "kernelslist.g").read_text().split()
        kernels = [line for line in commands if line.startswith("kernel")]
        self.assertEqual(kernels, [f"kernel-{n + 1}.traceg" for n in range(len(kernels))])
        self.assertEqual(set(kernels), {file.name for file in folder.glob("*.traceg")})
        registers = r"( R\d+)"
        addresses = r"( 0( 0x[0-9a-f]+)+| 1 0x[0-9a-f]+ -?\d+| 2 0x[0-9a-f]+( -?\d+)+)"
        step = (rf"^[0-9a-f]{{4,}} [0-9a-f]{{8}} (0|1{registers}) [A-Z][A-Z0-9_.]* "
                rf"[0-4]{registers}{{0,4}} \d+{addresses}?( \d+)?$")  # fmt: skip
        for line in (folder / kernels[-1]).read_text().split("#BEGIN_TB")[1].splitlines():
            if line and not re.match(r"thread block = |warp = |insts = |#END_TB", line):
                self.assertRegex(line, step)

    def test_a_program_and_its_trace(self):
        trace, of_trace, of_program = (self.path(n) for n in ("t.wmtrace", "a", "b"))
        arguments = ["--", *WORKLOADS["atax"]]
        self.succeed("trace", "convert", *SMALL, compiled("atax"), "-o", trace, *arguments)
        self.succeed("trace", "export", trace, "-o", of_trace)
        self.succeed("trace", "export", *SMALL, compiled("atax"), "-o", of_program, *arguments)
        for file in of_trace.iterdir():
            self.assertEqual(file.read_bytes(), (of_program / file.name).read_bytes())

    def test_without_the_exact_lines(self):
        """What others see of it: the same accesses, instructions of nearly the same classes."""
        folder = self.check("atax", WORKLOADS["atax"])
        exact = json.loads(self.stats(folder))["total"]["stats"]
        for file in folder.glob("*.traceg"):
            lines = file.read_text().splitlines(keepends=True)
            file.write_text("".join(line for line in lines if not line.startswith("-warpmem")))
        plain = json.loads(self.stats(folder))["total"]["stats"]
        for name in ("sm.warp_inst", "sm.thread_inst", "sm.inst.memory", "sm.inst.fp32",
                     "l1d.accesses", "dram.writes"):  # fmt: skip
            self.assertEqual(exact[name], plain[name], name)

    def test_refused(self):
        source, empty = pathlib.Path(self.path("empty.cu")), self.path("empty.wmtrace")
        source.write_text("int main() { void* memory; return cudaMalloc(&memory, 64); }\n")
        self.succeed("trace", "convert", source, "-o", empty)
        trace = self.path("t.wmtrace")
        self.succeed("trace", "convert", compiled("vectoradd"), "-o", trace, "--", "1000")
        for arguments, said in (
            ([trace, "-o", self.folder.name], "is not empty; allowed: a new or an empty folder"),
            ([trace, "-o", self.path("a"), "--arch", "60"], "--arch: 60 not in {70,75,80,86,90}"),
            ([trace, "-o", self.path("a"), "--", "1"], "a trace takes no arguments"),
            ([self.path("none.cu"), "-o", self.path("a")], "none.cu: no such file"),
            ([trace], "--out is required"),
            ([empty, "-o", self.path("a")], "empty.wmtrace: launches no kernel"),
        ):
            result = warpmem("trace", "export", *arguments)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(said, result.stderr)


class ExportMoreTest(ExportCase):
    def test_a_third_of_the_workloads(self):
        catalogue = json.loads(warpmem("list", "workloads", "--json").stdout)
        for name in sorted(catalogue)[::3]:
            # Some copy past the registers, which sm_80 is the first to have.
            self.check(name, catalogue[name]["sizes"]["tiny"].split(), "--xz", "--arch", "80")

    def test_asynchronous_copies(self):
        self.check("micro/tile_copy", [], "--arch", "80")


class AccelsimTest(TraceCase):
    @unittest.skipUnless(BACKPROP.is_dir(), "no backprop trace under ../shared/data")
    def test_every_form_gives_the_same(self):
        packed = self.path("packed")
        packed.mkdir()
        for kernel in BACKPROP.glob("*.traceg"):
            (packed / (kernel.name + ".xz")).write_bytes(lzma.compress(kernel.read_bytes()))
        listed = (BACKPROP / "kernelslist.g").read_text().replace(".traceg", ".traceg.xz")
        (packed / "kernelslist.g").write_text(listed)
        own = self.path("own.wmtrace")
        self.succeed("trace", "convert", BACKPROP, "-o", own)
        plain = self.stats(BACKPROP)
        self.assertEqual(len(json.loads(plain)["kernels"]), 5)
        self.assertEqual(plain, self.stats(packed))
        self.assertEqual(plain, self.stats(own))


    def test_a_trace_of_our_own(self):
        folder = ROOT / "tests" / "data" / "traces" / "saxpy"
        plain = self.stats(folder)
        total = json.loads(plain)["total"]["stats"]
        self.assertEqual(total["sm.warp_inst"], 40)
        self.assertEqual(total["sm.inst.memory"], 12)
        self.assertEqual(total["sm.inst.fp32"], 4)
        self.assertEqual(total["sm.thread_inst"], 2 * 40 * 10)
        own = self.path("own.wmtrace")
        self.succeed("trace", "convert", folder, "-o", own)
        self.assertEqual(plain, self.stats(own))
        # A list may name .traceg files of which only the compressed form is there.
        packed = self.path("packed")
        packed.mkdir()
        (packed / "kernelslist.g").write_text((folder / "kernelslist.g").read_text())
        kernel = (folder / "kernel-1.traceg").read_bytes()
        (packed / "kernel-1.traceg.xz").write_bytes(lzma.compress(kernel))
        self.assertEqual(plain, self.stats(str(packed) + "/"))
        # This is one launch by itself, in either form.
        alone = self.stats(folder / "kernel-1.traceg")
        self.assertEqual(json.loads(alone)["total"]["stats"]["sm.warp_inst"], 40)
        self.assertEqual(alone, self.stats(packed / "kernel-1.traceg.xz"))

    def test_what_is_wrong_is_said_with_its_line(self):
        folder = ROOT / "tests" / "data" / "traces" / "saxpy"
        text = (folder / "kernel-1.traceg").read_text()
        bad = self.path("bad.traceg")
        for broken, said in (
            (text.replace("insts = 10", "insts = 11", 1), "bad.traceg:"),
            ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "Git LFS"),
            (text[: len(text) // 2], "bad.traceg:"),
        ):
            bad.write_text(broken)
            out = self.path("out")
            result = warpmem("run", *SMALL, "-o", out, bad)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(said, result.stderr)

    def test_an_error_between_launches_leaves_results(self):
        folder = self.path("broken")
        folder.mkdir()
        source = ROOT / "tests" / "data" / "traces" / "saxpy"
        (folder / "kernel-1.traceg").write_bytes((source / "kernel-1.traceg").read_bytes())
        (folder / "kernelslist.g").write_text("kernel-1.traceg\nMemcpyHtoD,7\n")
        out = self.path("out")
        result = warpmem("run", *SMALL, "-o", out, folder)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("kernelslist.g:2", result.stderr)
        manifest = json.loads((out / "manifest.json").read_text())
        self.assertIn("kernelslist.g:2", manifest["status"])
        self.assertEqual(len(json.loads((out / "stats.json").read_text())["kernels"]), 1)


class FastForwardTest(TraceCase):
    def setUp(self):
        super().setUp()
        self.program = PROGRAMS.get(ROOT / "tests/integration/three_kernels.cu")

    def launches(self, *flags, env=None):
        out = self.path("out")
        result = self.succeed("run", *SMALL, "--set", "check_data=true", "-o", out, *flags,
                              self.program, env=env)
        self.assertIn("PASS", result.stdout)
        stats = json.loads((out / "stats.json").read_text())
        return {k["launch"]: k["stats"]["gpu.warp_inst"] for k in stats["kernels"]}

    def test_skipped_launches_are_seen_by_later_ones(self):
        everything = self.launches()
        self.assertEqual(sorted(everything), [1, 2, 3])
        for text, numbers in (("1,3", [1, 3]), ("2-3", [2, 3]), ("name=add", [3]),
                              ("name=void add<64>(int const*, int*)", [3]),
                              ("name=fill,3", [1, 3])):
            with self.subTest(kernels=text):
                expected = {n: everything[n] for n in numbers}
                self.assertEqual(self.launches("--kernels", text), expected)
        manifest = json.loads((self.path("out") / "manifest.json").read_text())
        self.assertEqual(manifest["fast_forward"]["launches_not_timed"], 1)

    def test_the_first_ctas(self):
        everything = self.launches()
        self.assertEqual(self.launches("--ctas", "10"), {n: c // 4 for n, c in everything.items()})
        self.assertEqual(self.launches("--ctas", "4000"), everything)

    def test_errors(self):
        for flags, said in ((["--kernels", "name=nope"], "of fill, twice"),
                            (["--kernels", "4"], "there were 3 launches"),
                            (["--kernels", "3-2"], "is not a launch"),
                            (["--kernels", "1,,2"], "kernels: an empty value is not a launch"),
                            (["--kernels", "0"], "is not a launch"),
                            (["--ctas", "0"], "a number from 1"),
                            (["--ctas", "x"], "a number from 1"),
                            (["--functional", "--ctas", "1"], "leave out --functional")):
            with self.subTest(flags=flags):
                result = warpmem("run", *SMALL, "-o", self.path("out"), *flags, self.program)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(said, result.stderr)


if __name__ == "__main__":
    unittest.main()
