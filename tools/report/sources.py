# SPDX-License-Identifier: Apache-2.0
"""The source lines of instructions: CUDA and PTX, from the program that a run names in its
manifest, as long as that is still the file that ran.

`warpmem cc` keeps the PTX of each translation unit in the program as text that ends with a null
byte. Its `.loc` lines tell the source line of the instructions that follow them, and its `.file`
lines the source files.
"""
import hashlib
import pathlib
import re

from reading import readable

ELF = b"\x7fELF"
UNIT = re.compile(rb"^\.version\s+\d", re.M)
FILE = re.compile(r"^\s*\.file\s+(\d+)\s+\"([^\"]*)\"", re.M)
LOC = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)\s")


class Unit:
    """The PTX of one translation unit."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.files = {int(number): name for number, name in FILE.findall(text)}
        self.places = []  # (file number, source line) by PTX line, counted from 0
        place = (0, 0)
        for line in self.lines:
            found = LOC.match(line)
            if found:
                place = (int(found[1]), int(found[2]))
            self.places.append(place)

    def ptx(self, instruction):
        """The instruction's PTX line; None when that is not the instruction."""
        at = instruction["line"] - 1
        if not 0 <= at < len(self.lines):
            return None
        line = " ".join(self.lines[at].split())
        opcode = instruction["text"].split()[0] if instruction["text"].strip() else None
        same = opcode and opcode in line.split(";")[0].split()
        known = instruction["source_line"] in (0, self.places[at][1])
        return line if same and known else None

    def file(self, instruction):
        return self.files.get(self.places[instruction["line"] - 1][0], "")


def units_in(data):
    """The PTX of all translation units in a program's bytes."""
    units = []
    end = 0
    for found in UNIT.finditer(data):
        if found.start() < end:
            continue
        begin = data.rfind(b"\0", 0, found.start()) + 1
        end = data.find(b"\0", found.start())
        end = len(data) if end < 0 else end
        units.append(Unit(data[begin:end].decode("utf-8", "replace")))
    return units


class Sources:
    """Of one run. `problems` says why source text is missing, each reason once."""

    def __init__(self, run):
        self.units, self.problems, self.texts = [], [], {}
        program = run.manifest.get("program", "")
        if not isinstance(program, str) or not program:
            self.problems.append("its manifest does not name the program")
            return
        shown = self.program = pathlib.PurePath(readable(program)).name
        path = pathlib.Path(program)
        if path.is_dir():
            self.problems.append(f"{shown} is a trace")
            return
        try:
            data = path.read_bytes()
        except OSError:
            self.problems.append(f"{shown} is no longer there")
            return
        if not data.startswith(ELF):
            self.problems.append(f"{shown} is a trace")
        elif hashlib.sha256(data).hexdigest() != run.manifest.get("program_hash"):
            self.problems.append(f"{shown} has changed since it ran")
        else:
            self.built = path.stat().st_mtime
            self.units = units_in(data)
            if not self.units:
                self.problems.append(f"{shown} holds no PTX")

    def unit_of(self, instructions):
        """The unit in which all instructions of a kernel are at their lines, or None. Copies of one
        kernel in several units read the same."""
        good = [u for u in self.units if all(u.ptx(one) is not None for one in instructions)]
        texts = {tuple(u.ptx(one) for one in instructions) for u in good}
        return good[0] if len(texts) == 1 else None

    def lines_of(self, file):
        """The lines of a source file; none where the file cannot be read, or was written after the
        program was built, since its lines may have moved."""
        path = pathlib.Path(file)
        shown = readable(path.name)
        try:
            if path.stat().st_mtime > self.built:
                self.problems.append(f"{shown} is newer than {self.program}")
                return []
            return path.read_text(errors="replace").split("\n")
        except OSError:
            self.problems.append(f"{shown} cannot be read")
            return []

    def source_text(self, file, line):
        if file not in self.texts:
            self.texts[file] = self.lines_of(file)
        lines = self.texts[file]
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""

    def of_kernel(self, kernel, instructions):
        """For each instruction of a kernel {"file", "source", "ptx"}, with "" for what is not
        known."""
        unit = self.unit_of(instructions)
        if unit is None:
            if self.units:
                self.problems.append(
                    f"the PTX of {self.program} has kernel {kernel} at other lines"
                )
            return [{"file": "", "source": "", "ptx": ""} for _ in instructions]
        result = []
        for one in instructions:
            file = unit.file(one) if one["source_line"] else ""
            text = self.source_text(file, one["source_line"]) if file else ""
            name = pathlib.PurePath(file).name if file else ""
            result.append({"file": name, "source": text, "ptx": unit.ptx(one)})
        return result
