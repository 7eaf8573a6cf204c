# SPDX-License-Identifier: Apache-2.0
"""Mistakes of the user: one message, a status, no crash."""

import pathlib
import sys
import tempfile
import unittest

from whole_runs import ROOT, assignments, compiled, warpmem


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

    def test_option_in_place_of_a_value(self):
        for arguments in (["run", "--json", "--functional"], ["trace", "convert", "-o", "-o"]):
            self.expect(
                2,
                f"{arguments[-1]} is an option, and not its value",
                arguments=[*arguments, self.source("")],
            )

    def test_values_that_no_option_has(self):
        for option, value, text in (
            ("--cycles", "-5", "--cycles: -5 is no number from 0 to"),
            ("--cycles", "99999999999999999999", "is no number from 0 to"),
            ("--hit-rate-limit", "nan", "--hit-rate-limit: nan"),
            ("--hit-rate-limit", "0.7001", "more than three decimals"),
            ("--json", "", "--json: an empty value"),
        ):
            self.expect(2, text, arguments=["cosim", "bucl_ctrl", option, value])
        self.expect(2, "--within: nan is no finite number",
                    arguments=["explore", "bfs:tiny", "--knee", "sm.count=1,2", "--within", "nan"])

    def test_a_parameter_that_a_unit_lacks(self):
        self.expect(2, "bucl_ctrl: has no parameter FOO",
                    arguments=["formal", "bucl_ctrl", "--quick", "-p", "FOO=1"])
        self.expect(2, "-p SETS=2: units have sizes of their own; name the UNIT",
                    arguments=["formal", "-p", "SETS=2"])
        for command in ("formal", "synth"):  # Yosys alone would work on it for minutes
            self.expect(2, "columns: 64 rows of 64 are more than 64 leaves",
                        arguments=[command, "cart_branch", "-p", "ROWS=64", "-p", "COLUMNS=64"])

    def test_units_of_one_access_a_cycle_need_one_bank(self):
        for key, why in (("l1d.bypass.kind=bucl_dyn", "l1d.bypass.kind whose control"),
                         ("sm.scheduler.policy=laws", "sm.scheduler.policy whose scoring unit")):
            self.expect(2, f"l1d.banks: 4 with an {why} takes one access a cycle; allowed: 1",
                        arguments=["config", "-c", "v100", "--set", key])
            self.expect(0, arguments=["config", "-c", "v100", "--set", key,
                                      "--set", "l1d.banks=1"])

    def test_outputs_replace_no_input(self):
        source = pathlib.Path(self.source("int main() {}\n"))
        before = source.read_text()
        for arguments in (["run", source, "--json", source], ["cc", source, "-o", source],
                          ["run", source, "--timeline", source],
                          ["trace", "convert", source, "-o", source]):  # fmt: skip
            self.expect(2, "input and output are the same file", arguments=arguments)
            self.assertEqual(source.read_text(), before)
        two = self.path / "two"
        self.expect(2, "two outputs are the same file",
                    arguments=["run", source, "--json", two, "--timeline", two])

    def file(self, name, text="some text\n"):
        file = self.path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        return file

    def test_outputs_replace_nothing_that_an_input_names(self):
        source = self.source("int main() {}\n")
        trace, list_ = self.file("t.wmtrace"), self.file("t/kernelslist.g", "kernel-1.traceg\n")
        kernel = self.file("t/kernel-1.traceg")
        base = self.file("base.yaml", "sm.count: 1\n")
        machine = self.file("machine.yaml", "include: base.yaml\n")
        sweep = self.file("s.yaml", f"base: machine.yaml\nworkloads: [{{file: {source}}}]\n")
        reference, recorded = self.file("refs/ref.csv"), self.file("d.rec")
        rtl = self.file("unit.sv", "module bucl_ctrl; endmodule\n")
        asked = self.file("asked/explore.yaml", "sm.count: 1\n")
        files = (trace, list_, kernel, base, machine, reference, recorded, rtl, asked, source)
        before = [file.read_bytes() for file in files]
        cosim = ("cosim", "bucl_ctrl", "--cycles", "10")
        run = ("run", source, "-o", self.path / "run")
        for arguments in (
            ("trace", "info", trace, "--json", trace),
            ("trace", "info", list_.parent, "--json", kernel),
            ("trace", "convert", list_.parent, "-o", kernel),
            ("trace", "convert", source, "-c", machine, "-o", base),
            ("run", list_.parent, "--json", kernel),
            ("run", list_.parent, "--json", f"{kernel}.xz"),  # it would be read in its place
            ("run", list_, "--timeline", list_),
            (*run, "-c", machine, "--json", base),
            (*run, "-c", machine, "--json", machine, "--compare-views"),
            ("sweep", sweep, "--json", source), ("sweep", sweep, "--json", base),
            ("sweep", sweep, "-o", machine), ("sweep", "status", sweep, "--json", sweep),
            ("correlate", reference.parent, self.path / "run", "--json", reference),
            ("report", self.path / "run", "--reference", reference.parent, "-o", reference),
            (*cosim, "--recorded", recorded, "--json", recorded),
            (*cosim, "--recorded", recorded, "--vectors", recorded),
            (*cosim, "--rtl", rtl, "--json", rtl),
            ("synth", "bucl_ctrl", "--activity", recorded, "--json", recorded),
            ("synth", "--configured", "-c", machine, "--json", base),
            ("formal", "bucl_ctrl", "--rtl", rtl, "--json", rtl),
            ("mutate", "bucl_ctrl", "--rtl", rtl, "--json", rtl),
            ("explore", "bfs:tiny", "--knee", "sm.count=1,2", "-c", asked, "-o", asked.parent),
        ):
            with self.subTest(arguments=arguments):
                self.expect(2, "input and output are the same file", arguments=arguments)
        two = self.path / "two"
        self.expect(2, "two outputs are the same file",
                    arguments=[*cosim, "--json", two, "--page", two])
        self.assertEqual([file.read_bytes() for file in files], before)

    def test_a_question_about_what_is_set(self):
        for question in ("--knee", "--pareto"):
            self.expect(2, f"--set sm.count=4: {question} gives this key its values",
                        arguments=["explore", "bfs:tiny", question, "sm.count=1,2",
                                   "--set", "sm.count=4", "-o", self.path / "asked"])  # fmt: skip
        self.assertFalse((self.path / "asked").exists())

    def test_more_points_than_are_planned(self):
        values = ",".join(map(str, range(1, 102)))
        axes = [f"--pareto={key}={values}" for key in ("sm.count", "l1d.ways", "l2.ways")]
        self.expect(2, "1030301 designs; allowed: at most 1000000",
                    arguments=["explore", "bfs:tiny", *axes, "-o", self.path / "asked"])

    def test_notes_on_a_configuration(self):
        empty = self.file("empty.yaml", "# nothing\n")
        dead = self.file("dead.yaml", "l1d.mshr:\n  slots_per_set: 4\n")
        for file, note in (
            (empty, "no keys; this is the default machine"),
            (dead, "l1d.mshr.slots_per_set: has no effect unless l1d.mshr.kind: dl"),
        ):
            result = warpmem("config", "-c", file)
            self.assertEqual((result.returncode, result.stdout), (0, "configuration is valid\n"))
            self.assertRegex(result.stderr, f"^warpmem: note: {file}(:2)?: {note}\n$")

    def test_wrong_yaml(self):
        file = self.path / "bad.yaml"
        file.write_text("l1d:\n  ways: [1\n")
        self.expect(2, "bad.yaml:", arguments=["config", "-c", file])

    def test_no_folder_for_temporary_files(self):
        result = warpmem("cc", self.source("int main() {}\n"), env={"TMPDIR": "/nonexist"})
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr, "warpmem: error: TMPDIR=/nonexist: no folder for temporary "
                                        "files: No such file or directory\n")  # fmt: skip

    def test_state_of_a_sweep_without_points(self):
        self.expect(2, "none.sqlite: no such file, and no shards in",
                    arguments=["sweep", "status", self.path / "none.sqlite"])
        self.expect(2, "s.sqlite: has no points yet, and no shards in",
                    arguments=["sweep", "status", self.file("s.sqlite", "")])

    def test_what_is_no_program(self):
        what = "neither a program, a .cu file nor a trace"
        text, folder = self.file("notes"), self.file("t/kernel-1.traceg").parent
        for file, why in (
            (text, f"{text}: {what}"), (folder, f"{folder}: {what}; a folder without kernelslist"),
            (self.file("empty.wmtrace", ""), "empty.wmtrace: not a trace; allowed: "),
            (self.file("damaged.wmtrace"), "damaged.wmtrace: not a trace; allowed: "),
        ):
            with self.subTest(file=file):
                self.expect(2, why, arguments=["run", "-o", self.path / "run", file])
                self.expect(2, why,
                            arguments=["trace", "convert", "-o", self.path / "o.wmtrace", file])
        text.chmod(0o755)
        self.expect(2, what, arguments=["run", "-o", self.path / "run", text])

    def test_arguments_that_a_workload_does_not_have(self):
        self.expect(1, "argument 2 is '7'; there are at most 1",
                    arguments=["run", "-o", self.path / "run", compiled("vectoradd"), "--", 500, 7])

        for source in (ROOT / "workloads").rglob("*.cu"):
            self.assertIn("workload::no_more_arguments(argc, argv, ", source.read_text(), source)

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

    def test_blocks_for_which_too_much_is_reserved(self):
        self.expect(2, "one CTA needs 65536 B of shared memory with sm.shared.reserved, an SM has "
                    "49152 (sm.shared_memory)",
                    arguments=["run", "vectoradd", "--size", "tiny", "-c", "gu-dlmshr", "--set",
                               "sm.shared.reserved=64KiB", "-o", self.path / "out"])  # fmt: skip

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
__global__ void odd(int* p) { asm volatile("sured.b.add.1d.u32.trap [0, {%0}], %0;"
                                           :: "r"(*p)); }
int main() { int* p; cudaMalloc((void**)&p, 256); odd<<<1, 1>>>(p); cudaDeviceSynchronize(); }
""",
        )

    def test_fragments_that_there_are_not(self):
        for instruction, fragment in (
                ("wmma.load.a.sync.aligned.row.m8n8k4.f64 {%0}, [%1];",
                 "unsupported instruction `wmma.load.a.sync.aligned.row.m8n8k4.f64`"),
                ("wmma.load.a.sync.aligned.row.m16n16k16.s8 {%0}, [%1];",
                 "`wmma.load.a.sync.aligned.row.m16n16k16.s8`: a fragment is in braces")):
            register = "=d" if "f64" in instruction else "=r"
            kind = "double" if "f64" in instruction else "int"
            self.run_source(2, "kernel odd", "bad.cu:5 (PTX line ", fragment, body=f"""
__global__ void odd({kind}* p) {{
  asm volatile("{instruction}" : "{register}"(*p) : "l"(p));
}}
int main() {{
  {kind}* p;
  cudaMalloc((void**)&p, 256);
  odd<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}}
""")

    def test_a_memory_of_nobody(self):
        self.run_source(
            2,
            "error: dram.kind: external has nobody here to answer for DRAM; allowed: gddr5",
            keys=["dram.kind=external"],
            body="int main() { int* p; return cudaMalloc((void**)&p, 256); }\n",
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
