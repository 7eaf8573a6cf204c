# SPDX-License-Identifier: Apache-2.0
"""Outputs of every command: devices, pipes and links stay what they are, a full disk is one message
and leaves no half file; names and arguments of any bytes."""

import json
import os
import pathlib
import shlex
import stat
import subprocess
import tempfile
import unittest

from whole_runs import ROOT, WARPMEM, assignments, compiled, warpmem

SMALL = assignments(["sm.count=1", "memory.partitions=1"])
FULL = "/dev/full"


def unescaped(text):
    """Returns the bytes behind \\xHH, as systemc/base/text.hpp says."""
    head, *rest = text.encode().split(b"\\x")
    return head + b"".join(bytes([int(part[:2], 16)]) + part[2:] for part in rest)


class OutputCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, name):
        return self.folder / name

    def run_tool(self, *arguments, status=0, env=None):
        result = warpmem(*arguments, env=env)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result


class OutputTest(OutputCase):
    """Yields each command with an output: a function from the file to the command line."""

    def commands(self):
        program = compiled("vectoradd")
        trace = self.path("input.wmtrace")
        self.run_tool("trace", "convert", program, "-o", trace, "--", "500")
        out = ("-o", self.path("run"))
        dl = ("--set", "l1d.mshr.kind=dl")
        timed = self.path("timed")
        self.run_tool("run", *SMALL, "-o", timed, program, "--", "500")
        reference = self.path("reference.csv")
        self.run_tool("correlate", "--write", reference, timed)
        sweep = self.path("s.yaml")
        sweep.write_text("set: {sm.count: 1, memory.partitions: 1}\n"
                         f"workloads: [{{file: {program}, args: \"500\"}}]\n")
        database = self.path("s.sqlite")
        self.run_tool("sweep", sweep, "-o", database)
        cosim = ("cosim", "tsma_index_gen", "--entries", "8", "--cycles", "500", "--seed", "1")
        return {
            "run --json": lambda f: ("run", *SMALL, *out, "--json", f, program, "--", "500"),
            "run --functional --json": lambda f: (
                "run", "--functional", *out, "--json", f, program, "--", "500"),
            "run --record-unit": lambda f: (
                "run", *SMALL, *dl, *out, "--record-unit", f"dau={f}", program, "--", "500"),
            "trace convert, program": lambda f: (
                "trace", "convert", program, "-o", f, "--", "500"),
            "trace convert, source": lambda f: (
                "trace", "convert", ROOT / "workloads/vectoradd.cu", "-o", f, "--", "500"),
            "trace convert, trace": lambda f: ("trace", "convert", trace, "-o", f),
            "trace info --json": lambda f: ("trace", "info", trace, "--json", f),
            "correlate --json": lambda f: ("correlate", reference, timed, "--json", f),
            "correlate --page": lambda f: ("correlate", reference, timed, "--page", f),
            "correlate --write": lambda f: ("correlate", "--write", f, timed),
            "report": lambda f: ("report", timed, "-o", f),
            "sweep --json": lambda f: ("sweep", sweep, "-o", database, "--resume", "--json", f),
            "cosim --json": lambda f: (*cosim, "--json", f),
            "cosim --page": lambda f: (*cosim, "--page", f),
            "cosim --waves": lambda f: (*cosim, "--waves", f),
            "cosim --vectors": lambda f: (*cosim, "--vectors", f),
            "synth --export-verilog": lambda f: (
                "synth", "tsma_index_gen", "-p", "ENTRIES=4", "--export-verilog", f),
            "cosim --toggles": lambda f: (*cosim, "--toggles", f),
            "synth --json": lambda f: (
                "synth", "--macro", "sram", "-p", "WORDS=8", "-p", "BITS=8", "--json", f),
        }

    def test_every_output(self):
        for name, command in self.commands().items():
            with self.subTest(name):
                folder = self.path(name)
                folder.mkdir()
                # The file is behind a link.
                link, target = folder / "link", folder / "there"
                link.symlink_to("there")
                self.run_tool(*command(link))
                self.assertTrue(link.is_symlink())
                content = target.read_bytes()
                self.assertNotEqual(content, b"")
                # There are two devices: the disk that is full, and the one that takes everything.
                result = self.run_tool(*command(FULL), status=2)
                errors = [s for s in result.stderr.splitlines() if s.startswith("warpmem: error")]
                self.assertEqual(
                    errors,
                    [f"warpmem: error: {FULL}: cannot be written: No space left on device"])
                self.run_tool(*command("/dev/null"))
                for device in (FULL, "/dev/null"):
                    self.assertTrue(stat.S_ISCHR(os.lstat(device).st_mode), device)
                # The output is a pipe.
                pipe = folder / "pipe"
                os.mkfifo(pipe)
                received = folder / "received"
                with open(received, "wb") as to, subprocess.Popen(
                        ["timeout", "60", "cat", pipe], stdout=to):
                    self.run_tool(*command(pipe))
                self.assertGreater(received.stat().st_size, 0)
                received.unlink()
                self.assertTrue(stat.S_ISFIFO(os.lstat(pipe).st_mode))
                # The output can go nowhere: nothing is left.
                self.run_tool(*command(folder / "none" / "file"), status=2)
                self.assertEqual(sorted(os.listdir(folder)), ["link", "pipe", "there"])

    def test_a_full_disk_leaves_the_old_file(self):
        """A file system of one page, as root only."""
        mount = self.path("disk")
        mount.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", mount],
                              capture_output=True)
        if done.returncode != 0:
            self.skipTest("may not mount")
        try:
            page = mount / "page.html"
            page.write_text("old")
            timed = self.path("timed")
            self.run_tool("run", *SMALL, "-o", timed, compiled("vectoradd"), "--", "500")
            for command in (
                ("report", timed, "-o", page),
                ("run", *SMALL, "-o", timed, "--json", page, compiled("vectoradd"), "--", "9"),
            ):
                result = self.run_tool(*command, status=2)
                self.assertIn(f"{page}: cannot be written: No space left on device", result.stderr)
                self.assertEqual(page.read_text(), "old")
                self.assertEqual(os.listdir(mount), ["page.html"])
        finally:
            subprocess.run(["umount", mount], check=True)

    def test_standard_output(self):
        for command in (("config", "--dump"), ("list", "workloads"), ("config", "--reference"),
                        ("run", "--help"), ("--version",)):
            with open(FULL, "w") as full:
                result = subprocess.run([WARPMEM, *command], stdout=full, stderr=subprocess.PIPE,
                                        text=True)
            self.assertEqual(result.returncode, 2, command)
            self.assertEqual(len(result.stderr.splitlines()), 1)
            self.assertIn("No space left on device", result.stderr)

    def test_the_bandwidth_of_each_machine_is_computed(self):
        listed = self.run_tool("list", "configs").stdout.splitlines()
        # A machine has two lines, the second one indented.
        rows = {first.split()[0]: (first, second)
                for first, second in zip(listed[::2], listed[1::2])}
        self.assertEqual(set(rows), {file.stem for file in (ROOT / "configs").glob("*.yaml")})
        for name, machine, peak in (("gu-dlmshr", " 28 SMs  1137 MHz ", "345.6"),  # DL Table 2
                                    ("bucl", " 15 SMs  1400 MHz ", "177.4")):
            self.assertIn(machine, rows[name][0])
            self.assertIn(f"DRAM  {peak}, ", rows[name][1])

    def test_a_run_directory_that_is_none(self):
        for folder in ("/dev/null", "/dev/full"):
            result = self.run_tool("run", "-o", folder, compiled("vectoradd"), status=2)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertTrue(stat.S_ISCHR(os.lstat(folder).st_mode))


class FunctionalTest(OutputCase):
    def test_what_a_functional_run_counts(self):
        program = compiled("vectoradd")
        counted, timed = self.path("counted.json"), self.path("timed.json")
        out = ("-o", self.path("run"))
        self.run_tool("run", "--functional", *out, "--json", counted, program, "--", "500")
        self.run_tool("run", *SMALL, *out, "--json", timed, program, "--", "500")
        counted, timed = (json.loads(f.read_text()) for f in (counted, timed))
        self.assertEqual(counted["mode"], "functional")
        for name in ("gpu.warp_inst", "gpu.thread_inst"):
            self.assertGreater(counted["total"]["stats"][name], 0)
            self.assertEqual(counted["total"]["stats"][name], timed["total"]["stats"][name])
        self.assertEqual([k["name"] for k in counted["kernels"]],
                         [k["name"] for k in timed["kernels"]])
        trace, replayed = self.path("t.wmtrace"), self.path("replayed.json")
        self.run_tool("trace", "convert", program, "-o", trace, "--", "500")
        self.run_tool("run", "--functional", *out, "--json", replayed, trace)
        self.assertEqual(json.loads(replayed.read_text()), counted)

    def test_a_program_without_kernels(self):
        result = self.run_tool("run", "--functional", "-o", self.path("run"), "--json",
                               self.path("j.json"), "/bin/true", status=2)
        self.assertIn("without launching a kernel", result.stderr)
        self.assertFalse(self.path("j.json").exists())


class AnyBytesTest(OutputCase):
    """File names and arguments that are no UTF-8, with quotes and line breaks."""

    NAMES = (b'say "hi".cu', b"it's.cu", b"two\nlines.cu", b"b\xff\xfe.cu", b"back\\x41slash.cu",
             b"<b>&amp;.cu", b"dollar $HOME.cu", b"# : %.cu")

    def source(self, name):
        file = os.fsencode(self.folder) + b"/" + name
        with open(file, "w") as source:
            source.write("""#include <cuda_runtime.h>
__global__ void one(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() { int* p; cudaMalloc((void**)&p, 256); one<<<1, 32>>>(p); cudaDeviceSynchronize(); }
""")
        return file

    def call(self, *arguments, status=0):
        result = subprocess.run([WARPMEM, *arguments], capture_output=True, timeout=300)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        for fragment in (b"exception", b"json", b"what()"):
            self.assertNotIn(fragment, result.stderr)
        return result

    def test_names_of_sources(self):
        for name in self.NAMES:
            with self.subTest(name):
                file = self.source(name)
                run = self.path("run")
                self.call("run", *SMALL, "-o", run, file, "--", "500")
                text = (run / "manifest.json").read_text()  # UTF-8
                words = shlex.split(json.loads(text)["command"])
                self.assertEqual([unescaped(w) for w in words][-3], file)
                self.call("report", run, "-o", self.path("r.html"))
                self.path("r.html").read_text()
                depend = self.path("depend")
                self.call("cc", "-MD", "-MF", depend, "-c", file, "-o", self.path("o.o"))
                self.call("trace", "convert", file, "-o", self.path("t.wmtrace"), "--", "500")
                self.call("trace", "info", self.path("t.wmtrace"), "--json", self.path("t.json"))
                json.loads(self.path("t.json").read_text())

    def test_arguments(self):
        program = self.source(b"arguments.cu")  # whose main() takes whatever comes
        run = self.path("run")
        odd = [b"500", b"\xff\"'\n", b"", b"\\x41"]
        self.call("run", *SMALL, "-o", run, program, "--", *odd)
        manifest = json.loads((run / "manifest.json").read_text())
        self.assertEqual([unescaped(a) for a in manifest["arguments"]], odd)
        self.assertEqual([unescaped(w) for w in shlex.split(manifest["command"])][-4:], odd)

    def test_faults_name_the_source(self):
        file = os.fsencode(self.folder) + b'/a "fault\n\xff.cu'
        with open(file, "w") as source:
            source.write("""#include <cuda_runtime.h>
__global__ void far(int* p) { p[threadIdx.x + (1 << 28)] = 1; }
int main() { int* p; cudaMalloc((void**)&p, 256); far<<<1, 32>>>(p); cudaDeviceSynchronize(); }
""")
        result = self.call("run", *SMALL, "-o", self.path("run"), file, status=2)
        self.assertIn(b', a "fault\\x0a\\xff.cu:2 (PTX line', result.stderr)
        json.loads((self.path("run") / "manifest.json").read_text())

    def test_other_names(self):
        run = os.fsencode(self.folder) + b"/run \xff\n"
        program = compiled("vectoradd")
        self.call("run", *SMALL, "-o", run, program, "--", "500")
        page = os.fsencode(self.folder) + b"/page\xfe.html"
        self.call("report", run, "-o", page, "--title", b"\xfe<")
        with open(page, encoding="utf-8") as text:
            self.assertIn("\\xfe&lt;", text.read())
        database = os.fsencode(self.folder) + b"/s\xff.sqlite"
        sweep = os.fsencode(self.folder) + b"/s\xff.yaml"
        with open(sweep, "w") as text:
            text.write("set: {sm.count: 1, memory.partitions: 1}\n"
                       f"workloads: [{{file: {program}, args: \"500\"}}]\n")
        answer = self.path("s.json")
        self.call("sweep", sweep, "-o", database, "--json", answer)
        self.assertEqual(json.loads(answer.read_text())[0]["status"], "complete")
        self.call("report", database, "-o", page)

    def test_a_message_of_any_bytes(self):
        script = self.path("program")
        script.write_bytes(b"#!/bin/sh\nprintf 'no \\377\\001 luck\\n' >&2; exit 1\n")
        script.chmod(0o755)
        sweep = self.path("s.yaml")
        sweep.write_text(f"workloads: [{{file: {script}}}]\n")
        answer, database = self.path("s.json"), self.path("s.sqlite")
        self.call("sweep", sweep, "-o", database, "--json", answer, status=1)
        self.assertEqual(json.loads(answer.read_text())[0]["message"],
                         "exit status 1: no \\xff\\x01 luck")
        self.call("report", database, "-o", self.path("r.html"))

    def test_a_line_break_in_an_assignment(self):
        result = self.call("run", "--set", "sm.count=1\nmemory.partitions=1", "-o",
                           self.path("run"), compiled("vectoradd"), status=2)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
