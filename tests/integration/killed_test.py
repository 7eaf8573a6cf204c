#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What warpmem has started ends with it, engines of engines, too."""
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

WARPMEM = os.environ["WARPMEM"]
SOURCE = str(pathlib.Path(__file__).resolve().parents[2] / "workloads" / "gemm.cu")
PATIENCE_S = 300  # for engines that start; the test's own limit is longer


def started_in(folder):
    """Returns the numbers of all living processes that have `folder` in their environment."""
    mark = f"XDG_CACHE_HOME={folder}".encode()
    found = set()
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.add(int(process.name))
        except OSError:  # It has ended, or it is another user's.
            continue
    return found


def program(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def wait_for(condition, what):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {PATIENCE_S} s")


class KilledTest(unittest.TestCase):
    def kill(self, number, arguments, engine, gone=()):
        """Kills warpmem when `engine`, how a program's name begins, runs below it; nothing of
        `gone` is there afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen(
                [WARPMEM, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env={**os.environ, "XDG_CACHE_HOME": folder, "TMPDIR": folder},
                # SIGINT is ignored where the tests run in the background.
                preexec_fn=lambda: signal.signal(number, signal.SIG_DFL)
                if number != signal.SIGKILL else None)
            wait_for(lambda: any(program(p).startswith(engine) for p in started_in(folder)), engine)
            process.send_signal(number)
            self.assertNotEqual(process.wait(PATIENCE_S), 0)
            # A process that a dying one still started is among them, whoever its parent is now.
            wait_for(lambda: not started_in(folder), f"end of {engine}")
            for pattern in gone:
                self.assertEqual(list(pathlib.Path(folder).glob(pattern)), [])

    # One is a proof of minutes, the other one whose solver is a child of its engine.
    def test_proof(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            with self.subTest(signal=number):
                self.kill(number, ["formal", "dl_mshr", "--no-cache", "-j", "2"], "yosys-abc")

    def test_solver_of_an_engine(self):
        self.kill(signal.SIGTERM, ["formal", "laws_score", "--no-cache", "-j", "2"], "z3")

    def test_build_of_a_view(self):
        self.kill(signal.SIGTERM, ["cosim", "throttle_unit", "--cycles", "1000"], "cc1plus")

    def test_compilation(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            for command in (["cc", "-o", "a.out", SOURCE], ["run", SOURCE, "--functional"]):
                with self.subTest(signal=number, command=command[0]):
                    self.kill(number, command, "clang", ["warpmem-cc-*", "warpmem/work-*"])


if __name__ == "__main__":
    unittest.main()
