# SPDX-License-Identifier: Apache-2.0
"""Forged notes in states of `pidforest stream`: the note says how far input and output went. See cases.py.

A forged note keeps its container and its checksums, so that nothing but its own text can give it away.
"""

import copy
import json

from cases import Target, main, run
from section_file import file_of, sections_of

NOTE = "keys.note"
SIZES = ["--warm-up", "20", "--horizon", "30", "--n-estimators", "3", "--state", "state"]
CSV = "at,host,x,y\n" + "".join(f"2026-03-01 {i // 60:02}:{i % 60:02},{'ab'[i % 2]},{i * 7 % 11},{i % 3}\n" for i in range(90))
JSON = "".join(json.dumps({"x": i * 7 % 11, "c": "rgb"[i % 3]}) + "\n" for i in range(90))
BASES = [
    ("in.csv", CSV, ["--time", "at", "--by", "host", "--output", "out"]),
    ("in.csv", CSV, ["--ignore", "at,host"]),
    ("in.jsonl", JSON, ["--json", "--output", "out"]),
    ("in.csv", "".join(CSV.splitlines(keepends=True)[:12]), ["--time", "at"]),
]
"""The input, its text and the flags of each state; the last is still warming up."""
VALUES = [
    *(None, True, 0, 1, -1, 2**63, 2**64 - 1, 1e300, 0.5, "", "x", "at,host,x,y", "{}", '{"columns": []}', [], {}, [[]], [1], ["x"]),
    *({"columns": []}, '{"columns": [{"name": "x", "kind": "category"}]}', '{"columns": [{"name": "x", "kind": "time"}]}', "\x00", "\ufffd" * 9),
]


def places(value, path=()):
    """Yield the path of every value inside a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield from places(below, (*path, key))


def changed(note, path, source):
    """Change, remove or double the value at a path."""
    if not path:
        return source.choice(VALUES)
    note = copy.deepcopy(note)
    holder = note
    for key in path[:-1]:
        holder = holder[key]
    value = holder[path[-1]]
    how = source.randrange(10)
    if how == 0:
        del holder[path[-1]]
    elif how == 1 and isinstance(value, list):
        value.extend(copy.deepcopy(value))
    elif how <= 3 and isinstance(value, int):
        holder[path[-1]] = value + source.choice([-1, 1, 100, -100, 2**32])
    elif how <= 5 and isinstance(value, str):
        at = source.randrange(len(value) + 1)
        holder[path[-1]] = value[:at] + source.choice(["", '"', "x", "\n", "\\", "é"]) + value[at + source.randrange(3) :]
    else:
        holder[path[-1]] = source.choice(VALUES)
    return note


class StateNotes(Target):
    name = "state_note"
    n_replayed = 150

    def make_files(self, folder):
        self.notes = []
        for number, (name, text, flags) in enumerate(BASES):
            base = folder / str(number)
            base.mkdir()
            (base / name).write_text(text)
            code, _, messages = run(["stream", name, *flags, *SIZES], base)
            if code != 0:
                raise SystemExit(f"{flags}: exit {code}: {messages.decode()}")
            with (base / name).open("a") as more:
                more.write(text.splitlines(keepends=True)[-1] * 30)
            state = base / "state"
            self.notes.append(json.loads(dict(sections_of(state.read_bytes())[1])[NOTE]) if state.exists() else None)

    def draw(self, source):
        number = source.choice([i for i, note in enumerate(self.notes) if note is not None])
        note = self.notes[number]
        for _ in range(source.choice([1, 1, 1, 2, 4])):
            note = changed(note, source.choice(list(places(note))), source)
        text = json.dumps(note)
        if source.random() < 0.1:
            at = source.randrange(len(text) + 1)
            text = text[:at] + chr(source.randrange(1, 300)) + text[at + source.randrange(4) :]
        return {"base": number, "note": text}

    def run(self, case, folder):
        name, _, flags = BASES[case["base"]]
        state = folder / str(case["base"]) / "state"
        minor, sections = sections_of(state.read_bytes())
        forged = [(key, case["note"].encode() if key == NOTE else data) for key, data in sections]
        state.write_bytes(file_of(minor, forged))
        code, _, messages = run(["stream", name, *flags, *SIZES], state.parent)
        return code, messages


if __name__ == "__main__":
    main(StateNotes())
