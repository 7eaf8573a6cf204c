# SPDX-License-Identifier: Apache-2.0
"""Programs that end before their time: crashes, signals, quick_exit, _exit. What had finished is
kept, the manifest says how the program ended, and the exit status tells."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from whole_runs import SMALL, WARPMEM, CompiledProgram, assignments, warpmem

PROGRAM = """
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
__global__ void set(int* p) { p[threadIdx.x] = 1; }
__global__ void spin(volatile int* flag) { while (*flag == 0) {} }
static int deep(int n) {
  volatile char room[4096];
  room[n % 4096] = 1;
  return deep(n + 1) + room[0];
}
static void polite(int) { std::puts("told to end"); std::fflush(stdout); std::exit(5); }
static void ready() { std::puts("ready"); std::fflush(stdout); }
int main(int argc, char** argv) {
  const auto is = [&](const char* way) { return std::strcmp(argv[1], way) == 0; };
  if (is("early")) *(volatile int*)0 = 1;
  int begins[2];
  pid_t child = 0;
  if (is("child first")) { child = fork(); waitpid(child, nullptr, 0); }
  if (is("both")) {
    pipe(begins);
    child = fork();
    char told;
    if (child == 0) read(begins[0], &told, 1);
  }
  int* p = nullptr;
  cudaMalloc(&p, 256);
  set<<<1, 32>>>(p);
  set<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  if (is("both") && child != 0) { write(begins[1], "x", 1); waitpid(child, nullptr, 0); }
  if (is("segv")) *(volatile int*)0 = 1;
  if (is("overflow")) return deep(0);
  if (is("abort")) std::abort();
  if (is("throw")) throw 5;
  if (is("kill")) raise(SIGKILL);
  if (is("quick_exit")) std::quick_exit(4);
  if (is("_exit")) _exit(6);
  if (is("_Exit")) std::_Exit(0);
  if (is("child")) { if (fork() == 0) { set<<<1, 32>>>(p); std::quick_exit(0); } sleep(1); }
  if (is("own handler")) { std::signal(SIGTERM, polite); ready(); for (;;) pause(); }
  if (is("host")) { ready(); for (;;) pause(); }
  if (is("launch")) { cudaMemset(p, 0, 256); ready(); spin<<<1, 32>>>(p); }
  return 7;
}
"""


class EarlyEndTest(CompiledProgram):
    text = PROGRAM

    def setUp(self):
        self.out = pathlib.Path(self.folder.name) / self.id().rsplit(".", 1)[1]
        self.copy = self.out.with_suffix(".json")

    def arguments(self, way, *flags):
        return ["run", *assignments([*SMALL, "max_cycles=0"]), *flags, "-o", self.out,
                "--json", self.copy, self.program, "--", way]

    def kept(self, launches, status):
        """Expects the results of so many launches, in the folder and in the copy."""
        stats = json.loads((self.out / "stats.json").read_text())
        self.assertEqual(len(stats["kernels"]), launches)
        total = sum(kernel["stats"]["gpu.cycles"] for kernel in stats["kernels"])
        self.assertEqual(stats["total"]["stats"]["gpu.cycles"], total)
        self.assertEqual(self.copy.read_bytes(), (self.out / "stats.json").read_bytes())
        manifest = json.loads((self.out / "manifest.json").read_text())
        self.assertIn(status, manifest["status"])
        return manifest

    def ends(self, way, status, *said, flags=()):
        result = warpmem(*self.arguments(way, *flags))
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        for text in said:
            self.assertIn(text, result.stderr)
        return result

    def test_segmentation_fault(self):
        self.ends("segv", 139, "SIGSEGV (Segmentation fault)", "launches that had finished: 2;")
        self.kept(2, "ended by SIGSEGV")

    def test_stack_overflow(self):
        self.ends("overflow", 139, "SIGSEGV", "launches that had finished: 2;")
        self.kept(2, "ended by SIGSEGV")

    def test_abort(self):
        self.ends("abort", 134, "SIGABRT (Aborted)", "launches that had finished: 2;")
        self.kept(2, "ended by SIGABRT")

    def test_exception(self):
        self.ends("throw", 134, "SIGABRT", "launches that had finished: 2;")
        self.kept(2, "ended by SIGABRT")

    def test_its_own_word_for_a_sweep(self):
        # base/end_record.hpp; a sweep's keeper writes the variable so.
        for way, status, words in (("", 7, True), ("_exit", 6, True),
                                   ("segv", -signal.SIGSEGV, False),
                                   ("kill", -signal.SIGKILL, False)):
            record = self.out.with_suffix(".ended")
            said = pathlib.Path(f"{record}.said")
            for mine in (True, False):
                script = 'WARPMEM_END_RECORD="$(($$ + $1)) $2" exec "$3" "$4"'
                result = subprocess.run(
                    ["sh", "-c", script, "sh", "0" if mine else "1", record, self.program, way],
                    capture_output=True, env={**os.environ, "WARPMEM_MODE": "functional"})
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertEqual(said.exists(), words and mine, way)
                if said.exists():
                    wait_status, nanoseconds, end = said.read_text().split()
                    self.assertEqual((int(wait_status), end), (status << 8, "end"))
                    self.assertGreater(int(nanoseconds), 0)
                    said.unlink()

    def test_before_the_first_launch(self):
        self.ends("early", 139, "SIGSEGV", "no results were written")
        self.assertFalse(self.copy.exists())

    def test_functional(self):
        self.ends("segv", 139, "SIGSEGV", "--functional writes no results", flags=["--functional"])

    def test_kill_leaves_no_time(self):
        self.ends("kill", 137, "SIGKILL (Killed)", "no results were written")

    def test_quick_exit(self):
        self.ends("quick_exit", 4)
        self.kept(2, "complete")

    def test_underscore_exit(self):
        self.ends("_exit", 6, "left by _exit(6)", "are kept")
        self.assertIn("left by _exit(6)", self.kept(2, "complete")["notes"][-1])
        self.ends("_Exit", 0, "left by _exit(0)", "2 kernel launches")
        self.kept(2, "complete")
        self.ends("_exit", 6, flags=["--functional"])

    def test_other_status(self):
        self.ends("nothing special", 7)
        self.kept(2, "complete")

    def test_a_fork_leaves_the_results_alone(self):
        self.ends("child", 7)
        self.kept(2, "complete")

    def test_processes_of_a_run_do_not_replace_each_others_results(self):
        result = self.ends("child first", 2)
        self.assertEqual(result.stderr.splitlines()[-1],
                         f"warpmem: error: {self.out}: another process of this run has written "
                         "its results here; allowed: one a run directory")
        self.kept(2, "complete")
        result = self.ends("both", 7)
        self.assertEqual(result.stderr.splitlines()[0],
                         f"warpmem: error: {self.out}: another process writes its results here; "
                         "allowed: one a run directory")
        self.kept(2, "complete")

    def start(self, way, *flags):
        """Standard error goes to a file: nobody reads it while the program runs."""
        self.errors = open(self.out.with_suffix(".err"), "w+")
        self.addCleanup(self.errors.close)
        running = subprocess.Popen([WARPMEM, *map(str, self.arguments(way, *flags))], text=True,
                                   stdout=subprocess.PIPE, stderr=self.errors,
                                   start_new_session=True)
        self.addCleanup(running.stdout.close)
        self.assertEqual(running.stdout.readline(), "ready\n")
        time.sleep(0.2)
        return running

    def test_another_run_leaves_a_directory_in_use_alone(self):
        running = self.start("host")
        result = warpmem(*self.arguments("nothing special"))
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr, f"warpmem: error: {self.out}: another process writes its "
                                        "results here; allowed: one a run directory\n")
        self.assertTrue((self.out / "config.yaml").exists())
        os.killpg(running.pid, signal.SIGTERM)
        running.wait(timeout=60)
        self.kept(2, "interrupted by SIGTERM")

    def signalled(self, way, number, send, status=None, flags=()):
        running = self.start(way, *flags)
        send(running.pid, number)
        self.assertEqual(running.wait(timeout=60), 128 + number if status is None else status)
        # Its standard output is at its end when the program, too, has gone.
        rest = running.stdout.read()
        self.errors.seek(0)
        return rest, self.errors.read()

    def test_interrupt_from_the_terminal(self):
        for way in ("host", "launch"):
            with self.subTest(way):
                _, errors = self.signalled(way, signal.SIGINT, os.killpg)
                self.assertIn("SIGINT (Interrupt)", errors)
                self.assertIn("launches that had finished: 2;", errors)
                self.kept(2, "interrupted by SIGINT")

    def test_termination_of_the_command_alone(self):
        for way in ("host", "launch"):
            with self.subTest(way):
                _, errors = self.signalled(way, signal.SIGTERM, os.kill)
                self.assertIn("SIGTERM (Terminated)", errors)
                self.kept(2, "interrupted by SIGTERM")

    def test_a_launch_that_is_not_timed(self):
        self.signalled("launch", signal.SIGTERM, os.kill, flags=["--kernels", "1-2"])
        self.kept(2, "interrupted by SIGTERM")

    def test_a_handler_of_the_program(self):
        rest, _ = self.signalled("own handler", signal.SIGTERM, os.kill, status=5)
        self.assertEqual(rest, "told to end\n")
        self.kept(2, "complete")

    def test_the_command_is_killed(self):
        running = self.start("launch")
        os.kill(running.pid, signal.SIGKILL)
        self.assertEqual(running.wait(timeout=60), -signal.SIGKILL)
        self.assertEqual(running.stdout.read(), "")  # the program has gone
        manifest = json.loads((self.out / "manifest.json").read_text())
        self.assertIn("interrupted by SIGTERM", manifest["status"])

    def test_fault_within_a_launch(self):
        running = self.start("launch")
        children = pathlib.Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text()
        os.kill(int(children), signal.SIGSEGV)
        self.assertEqual(running.wait(timeout=60), 139)
        self.kept(2, "ended by SIGSEGV")

    def test_a_trace(self):
        trace = self.out.with_suffix(".trace")
        source = self.out.with_suffix(".cu")
        source.write_text("""
#include <cuda_runtime.h>
__global__ void count(int* p) { for (int i = 0; i < 4000; ++i) atomicAdd(p + i % 8, 1); }
int main() { int* p; cudaMalloc(&p, 256); count<<<8, 32>>>(p); count<<<8, 256>>>(p); }
""")
        result = warpmem("trace", "convert", source, "-o", trace)
        self.assertEqual(result.returncode, 0, result.stderr)
        running = subprocess.Popen([WARPMEM, "run", *assignments(SMALL), "-o", self.out, trace],
                                   stderr=subprocess.PIPE, text=True)
        while not (self.out / "config.yaml").exists():
            time.sleep(0.05)
        time.sleep(0.2)
        running.send_signal(signal.SIGTERM)
        _, errors = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 128 + signal.SIGTERM, errors)
        self.assertIn("interrupted by SIGTERM", errors)
        manifest = json.loads((self.out / "manifest.json").read_text())
        self.assertIn("interrupted by SIGTERM", manifest["status"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
