# SPDX-License-Identifier: Apache-2.0
"""warpmem's own reference as JSON: what the CSV has, as
{"warpmem_reference": 1, "notes": [TEXT], "units": {METRIC: UNIT},
 "launches": [{"program": P, "kernel": K, "launch": N, "metrics": {METRIC: VALUE}}]}."""
import json
import json.decoder
import json.scanner

from reference import Launch, Reference, problem, refuse_twice, set_amount, unit_of
from units import MOST

VERSION = 1


class Lined(dict):
    """An object of JSON that knows the line where it begins."""

    line = 0


class Decoder(json.JSONDecoder):
    """Notes the lines of objects, and refuses a name that an object has twice."""

    def __init__(self, file):
        super().__init__(object_pairs_hook=list)
        self.file = file
        self.parse_object = self.object
        self.scan_once = json.scanner.py_make_scanner(self)

    def object(self, s_and_end, *rest):
        text, begin = s_and_end
        pairs, end = json.decoder.JSONObject(s_and_end, *rest)
        found = Lined(pairs)
        found.line = text.count("\n", 0, begin) + 1
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise problem(self.file, found.line, f"'{twice}' stands in this object twice")
        return found, end


def is_own(text):
    return text.lstrip().startswith("{") and '"warpmem_reference"' in text


def is_amount(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < MOST


def launch_of(file, found, columns):
    if not isinstance(found, Lined):
        raise problem(file, 1, "a launch is an object")
    for key, kind in (("program", str), ("kernel", str), ("launch", int), ("metrics", Lined)):
        if not isinstance(found.get(key), kind) or not found[key] or found[key] is True:
            raise problem(file, found.line, f"a launch needs '{key}'")
    if found["launch"] < 1:
        raise problem(file, found.line, f"launch '{found['launch']}' is no number from 1")
    launch = Launch(file, found.line, found["kernel"], found["program"], found["launch"])
    for name, value in found["metrics"].items():
        if name not in columns:
            raise problem(file, found["metrics"].line, f"'units' has no unit of '{name}'")
        if not is_amount(value):
            raise problem(file, found["metrics"].line, f"{name} '{value}' is no number from 0")
        unit, times = columns[name]
        set_amount(launch, name, value * times, unit, found["metrics"].line)
    return launch


def read(file, text):
    try:
        document = Decoder(file).decode(text)
    except json.JSONDecodeError as error:
        raise problem(file, error.lineno, f"not JSON: {error.msg}") from None
    except RecursionError:
        raise problem(file, 1, "not a reference: nested too deeply") from None
    if document.get("warpmem_reference") != VERSION:
        raise problem(file, document.line, f"'warpmem_reference' must be {VERSION}")
    written, launches = document.get("units"), document.get("launches")
    notes = document.get("notes", [])
    if not isinstance(written, Lined) or not isinstance(launches, list):
        text = "a reference needs the object 'units' and the list 'launches'"
        raise problem(file, document.line, text)
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise problem(file, document.line, "'notes' is a list of texts")
    if not all(isinstance(unit, str) for unit in written.values()):
        raise problem(file, written.line, "'units' has a text for each metric")
    columns = {name: unit_of(file, written.line, name, unit) for name, unit in written.items()}
    reference = Reference(file, "warpmem JSON")
    reference.notes = notes
    reference.launches = [launch_of(file, found, columns) for found in launches]
    refuse_twice(reference)
    return reference


def write(launches, columns, note):
    """JSON of launches; `columns` are (name, unit)."""
    document = {
        "warpmem_reference": VERSION,
        "notes": [note],
        "units": dict(columns),
        "launches": [
            {
                "program": launch.program,
                "kernel": launch.kernel,
                "launch": launch.number,
                "metrics": {name: value for name, (value, _) in launch.values.items()},
            }
            for launch in launches
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
