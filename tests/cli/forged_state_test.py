# SPDX-License-Identifier: Apache-2.0
"""Resumes `pidforest stream` from forged states: a note that no run can have written is a bad file (exit code 4).

PIDFOREST_BINARY is the path of the command.
"""

import copy
import json
import pathlib
import struct
import sys
import tempfile

from command import BAD_MODEL, ROOT, CommandTest, main, run
from stream_setting_test import events

sys.path.insert(0, str(ROOT / "tests" / "golden" / "model"))
from read_pidf import crc32c  # noqa: E402

FLAGS = ["--horizon", "60", "--warm-up", "20", "--n-estimators", "5", "--time", "time"]
NONSENSE = [None, True, -1, 1.5, "", "x", [], {}, ["x"], {"x": 1}, 2**64, "\udc80"]


def sections_of(data):
    n_sections = struct.unpack_from("<I", data, 12)[0]
    table = data[32 : 32 + 40 * n_sections]
    return {name: data[offset : offset + size] for name, offset, size, _, _ in struct.iter_unpack("<16sQQII", table)}


def file_of(sections):
    """Return a file with these sections and right checksums."""
    table, body = b"", b""
    begin = 32 + 40 * len(sections)
    for name, section in sections.items():
        table += struct.pack("<16sQQII", name, begin + len(body), len(section), crc32c(section), 0)
        body += section + bytes(-len(section) % 8)
    size = begin + len(body) + 8
    head = struct.pack("<8sHHIQI", b"\x89PIDF\r\n\x1a", 1, 0, len(sections), size, crc32c(table))
    return head + struct.pack("<I", crc32c(head)) + table + body + b"PIDF.END"


def with_note(data, note):
    sections = sections_of(data)
    sections[b"keys.note".ljust(16, b"\0")] = note
    return file_of(sections)


def note_of(data):
    return json.loads(sections_of(data)[b"keys.note".ljust(16, b"\0")])


def places_of(value, path=()):
    """Return the paths of all values within a JSON value."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [one for key, child in children for one in ((*path, key), *places_of(child, (*path, key)))]


def changed(value, path, new, remove=False):
    result = copy.deepcopy(value)
    parent = result
    for key in path[:-1]:
        parent = parent[key]
    if remove:
        del parent[path[-1]]
    else:
        parent[path[-1]] = new
    return result


class ForgedState(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "events.csv").write_text(events(40))

    def resume(self):
        return run("stream", "--every-event", "events.csv", *FLAGS, "--state", "s", cwd=self.folder)

    def state(self, n_events):
        """Return the state after this many events, and its note."""
        (self.folder / "s").unlink(missing_ok=True)
        self.assertEqual(run("stream", "--every-event", *FLAGS, "--state", "s", text=events(n_events) + "2026", cwd=self.folder).returncode, 0)
        data = (self.folder / "s").read_bytes()
        return data, note_of(data)

    def code_with(self, data, note):
        text = json.dumps(note).encode("utf-8", "surrogatepass") if not isinstance(note, bytes) else note
        (self.folder / "s").write_bytes(with_note(data, text))
        found = self.resume()
        self.assertIn(found.returncode, (0, 2, 3, BAD_MODEL), (note, found.stderr))
        return found

    def test_a_note_is_forged_as_the_command_writes_it(self):
        for n_events in (5, 30):
            data, note = self.state(n_events)
            self.assertEqual(self.code_with(data, note).returncode, 0)

    def test_a_note_that_is_no_note_is_a_bad_file(self):
        data, _ = self.state(30)
        for note in (b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"setting": {}}', b'{"setting": "--time"}'):
            self.expect(self.code_with(data, note), BAD_MODEL, "state file 's'")

    def test_a_value_that_is_missing_or_of_another_type_makes_a_bad_file(self):
        for n_events in (5, 30):
            data, note = self.state(n_events)
            for path in [path for path in places_of(note) if path[0] != "setting" or path[1:] in ((), ("--na",))]:
                if path[0] != "setting" and not isinstance(path[-1], int):
                    self.expect(self.code_with(data, changed(note, path, None, remove=True)), BAD_MODEL, "state file 's'")
                value = note
                for key in path:
                    value = value[key]
                for nonsense in NONSENSE:
                    found = self.code_with(data, changed(note, path, nonsense))
                    is_type = isinstance(nonsense, type(value)) and not isinstance(nonsense, bool) and nonsense != -1
                    is_allowed = is_type or (nonsense is None and path[-1] in ("columns", "types"))
                    if not is_allowed:
                        self.assertEqual(found.returncode, BAD_MODEL, (path, nonsense, found.stderr))

    def test_columns_that_do_not_belong_to_the_streams_make_a_bad_file(self):
        data, note = self.state(30)
        types = note["columns"]["types"]
        other = types["features"].replace("host", "guest")
        self.assertNotEqual(other, types["features"])
        for path, new in (
            (("columns", "types", "features"), other),
            (("columns", "types", "features"), "{}"),
            (("columns", "types", "reading"), types["reading"].replace("host", "guest")),
            (("columns", "types", "times"), ""),
            (("columns", "types", "times"), types["features"]),
            (("columns", "types"), None),
            (("columns", "header"), "a,b"),
            (("columns", "header"), ""),
            (("columns", "header"), "time,time"),
            (("columns", "undecided"), ["nothing"]),
            (("columns",), None),
        ):
            if path[-1] == "undecided":
                path = ("columns", "types", "undecided")
            self.expect(self.code_with(data, changed(note, path, new)), BAD_MODEL, "state file 's'")


if __name__ == "__main__":
    main()
