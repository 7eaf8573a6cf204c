# SPDX-License-Identifier: Apache-2.0
"""Reads the timelines that warpmem writes: a small reader of Perfetto's messages, which knows the
fields that a timeline has and objects to any other."""

import collections
import pathlib
import struct

Slice = collections.namedtuple("Slice", "track name category begin end notes flow")
Track = collections.namedtuple("Track", "name parent unit rank")  # unit: None unless a counter

VARINT, FIXED64, BYTES = 0, 1, 2


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """Yields (number, value) of a message; bytes are a memoryview."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        wire = key & 7
        if wire == VARINT:
            value, at = varint(data, at)
        elif wire == FIXED64:
            value = data[at:at + 8]
            at += 8
        elif wire == BYTES:
            length, at = varint(data, at)
            value = data[at:at + length]
            at += length
        else:
            raise ValueError(f"wire type {wire}")
        yield key >> 3, value
    if at != len(data):
        raise ValueError("a message ends beyond its length")


def known(data, numbers):
    """Returns {number: last value} of a message that has only these fields."""
    found = dict(fields(data))
    if not set(found) <= set(numbers):
        raise ValueError(f"fields {sorted(set(found) - set(numbers))}")
    return found


def text(value):
    return bytes(value).decode()


class Timeline:
    """Tracks by number, slices in the order of their ends, counters as [(time, value)] by track."""

    TABLES = {1: "categories", 2: "events", 3: "notes", 29: "texts"}

    def __init__(self, path):
        self.tracks, self.slices, self.counters = {}, [], collections.defaultdict(list)
        self.tables = {name: {} for name in self.TABLES.values()}
        self.events = []  # (time, place in the file, track, begin?)
        self.open = {}
        data = memoryview(pathlib.Path(path).read_bytes())
        for number, packet in fields(data):
            if number != 1:
                raise ValueError(f"field {number} of a trace")
            self.packet(packet)
        if self.open:
            raise ValueError(f"slices without an end: {self.open}")

    def packet(self, data):
        packet = known(data, (8, 10, 11, 12, 13, 60))
        if packet[10] != 1:
            raise ValueError("another sequence")
        if 12 in packet:
            for table, entry in fields(packet[12]):
                entry = known(entry, (1, 2))
                names = self.tables[self.TABLES[table]]
                if entry[1] in names:
                    raise ValueError(f"name {entry[1]} is there twice")
                names[entry[1]] = text(entry[2])
        elif 60 in packet:
            self.describe(known(packet[60], (1, 2, 5, 8, 11, 12)))
        else:
            self.event(packet[8], packet[11], packet.get(13, 0))

    def describe(self, track):
        unit = None
        if 8 in track:
            unit = text(known(track[8], (6,)).get(6, b""))
        if track[1] in self.tracks:
            raise ValueError(f"track {track[1]} is there twice")
        parent = track.get(5)
        if parent is not None and parent not in self.tracks:
            raise ValueError(f"parent {parent} is not there")
        self.tracks[track[1]] = Track(text(track[2]), parent, unit, track[12])

    def event(self, time, data, flags):
        kind = track = name = category = None
        notes, flow, value = {}, 0, None
        for number, field in fields(data):
            if number == 9:
                kind = field
            elif number == 11:
                track = field
            elif number == 10:
                name = self.tables["events"][field]
            elif number == 3:
                category = self.tables["categories"][field]
            elif number == 4:
                note = known(field, (1, 3, 17))
                notes[self.tables["notes"][note[1]]] = (
                    note[3] if 3 in note else self.tables["texts"][note[17]])
            elif number == 47:
                flow = struct.unpack("<Q", field)[0]
            elif number == 44:
                value = struct.unpack("<d", field)[0]
            else:
                raise ValueError(f"field {number} of an event")
        if self.tracks[track].unit is not None:
            if kind != 4:
                raise ValueError("a slice on the track of a counter")
            self.counters[track].append((time, value))
        elif kind == 1:
            if track in self.open or not flags & 2:
                raise ValueError(f"slice {name} begins within another")
            self.open[track] = (name, category, time, notes, flow)
            self.events.append((time, len(self.events), track, True))
        elif kind == 2:
            name, category, begin, notes, flow = self.open.pop(track)
            self.slices.append(Slice(track, name, category, begin, time, notes, flow))
            self.events.append((time, len(self.events), track, False))
        else:
            raise ValueError(f"event of type {kind}")

    def overlaps(self):
        """Returns tracks on which slices would be nested, in the order in which a viewer sees the
        events: by time, and of one time by place in the file."""
        depth, found = collections.Counter(), set()
        for _, _, track, begins in sorted(self.events):
            depth[track] += 1 if begins else -1
            if depth[track] not in (0, 1):
                found.add(self.path(track))
        return found

    def path(self, track):
        """Returns "SM 0/LSU: requests"."""
        names = []
        while track is not None:
            names.insert(0, self.tracks[track].name)
            track = self.tracks[track].parent
        return "/".join(names)

    def select(self, **wanted):
        """Returns the slices with these fields; `where` is the end of their track's path."""
        where = wanted.pop("where", "")
        return [s for s in self.slices if all(getattr(s, k) == v for k, v in wanted.items())
                and self.path(s.track).endswith(where)]

    def total(self, note, **wanted):
        return sum(s.notes[note] for s in self.select(**wanted))
