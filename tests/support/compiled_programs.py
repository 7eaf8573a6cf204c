# SPDX-License-Identifier: Apache-2.0
"""CUDA programs for tests: compiled once for all of them, as half of a short run is the compiler's;
and started by themselves, on the machine that their tests share."""

import contextlib
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = ("workloads", "program/cuda/include")
CONFIG = ROOT / "configs" / "gu-dlmshr.yaml"
KEYS = ["sm.count=4", "check_data=true", "check_protocol=true"]


def output_of(*command, **settings):
    """What a command prints. `settings` are added to the environment. Ends the test with what was
    said where the command fails."""
    environment = {**os.environ, **{key: str(value) for key, value in settings.items()}}
    result = subprocess.run([str(word) for word in command], env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if result.returncode != 0:
        sys.exit(f"{command}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


class Programs:
    """Programs in a folder, made by the driver `warpmem` when they are first asked for. Their names
    have a hash of what they are made of, so a change of it makes another program."""

    def __init__(self, warpmem, folder):
        self.warpmem = str(warpmem)  # a program knows the library beside it by path
        self.folder = pathlib.Path(folder)
        self.ready = {}
        self.lock = threading.Lock()

    def get(self, source):
        """Returns the program of a source file; raises CalledProcessError."""
        with self.lock:
            if source not in self.ready:
                self.ready[source] = self._compiled(pathlib.Path(source))
            return self.ready[source]

    def _compiled(self, source):
        place = self.folder / f"{source.stem}-{self._hash_of(source)}"
        if not place.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.folder) as work:
                draft = pathlib.Path(work) / "made"
                draft.mkdir()
                subprocess.run([self.warpmem, "cc", source, "-o", draft / source.stem], check=True)
                with contextlib.suppress(OSError):  # another process was faster
                    draft.rename(place)
        return place / source.stem

    def _hash_of(self, source):
        digest = hashlib.sha256(self.warpmem.encode())
        headers = [file for folder in HEADERS for file in (ROOT / folder).rglob("*.h*")]
        for file in [pathlib.Path(self.warpmem), source, *sorted(headers)]:
            digest.update(hashlib.sha256(file.read_bytes()).digest())
        return digest.hexdigest()[:16]


def of_build(warpmem):
    """The programs that all tests of a build share; `warpmem` is BUILD/systemc/app/warpmem."""
    build = pathlib.Path(warpmem).resolve().parents[2]
    return Programs(warpmem, build / "tests" / "programs")
