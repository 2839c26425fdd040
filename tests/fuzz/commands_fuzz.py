# SPDX-License-Identifier: Apache-2.0
"""Random command lines: words from the real verbs, flags and values, with small files of every kind. See cases.py."""

import gzip
import json
import random
import re

from cases import Target, main, run

FLAG = re.compile(r"^  (?:-\w,)?(--?[\w-]+)(?: (\S+))?", re.MULTILINE)
VERBS = ["detect", "fit", "score", "explain", "report", "compare", "stream", "inspect", "exact", "schema", "options", "completion", "man", "config"]
SMALL = ["--n-estimators", "5"]
COLUMNS = ["x", "y", "colour", "at", "flag", "label", "*l*", "?"]
VALUES = {
    "N": ["1", "2", "3", "7", "20", "40"],
    "W": ["1", "2", "5"],
    "X": ["0", "0.1", "0.5", "1", "5", "1e308", "1e-308"],
    "SPAN": ["10min", "1h", "1d", "7 d"],
    "CHAR": [",", ";", "."],
    "WORD": ["NA", "-", "0", "NA,-"],
    "TEXT": ["A title", "<b>"],
    "CONDITIONS": ["x > 9 and y in {1, 2}", "colour = red", "at >= 2026-03-02 and x is not missing", "1 < x <= 12", "y != 3", "flag = 1"],
    "COL": COLUMNS,
}
"""Words that are often valid, by the name of a value in the help."""
ODD = [
    *("", "-", "--", "0", "-1", "1.5", "1e3", "99999999999", "18446744073709551616", "nan", "inf", "auto", "none", "10000"),
    *("0s", "-1d", "99999999999d", "ab", "ü", '"', "\n", ",", "'", "x y", "\udcff", "--no-such-flag", "=", "1:5", "x > 3", "NaN"),
]


def numbers(n=60):
    source = random.Random(1)
    return "x,y,label\n" + "".join(f"{source.gauss(10, 2):.2f},{source.randrange(5)},{int(i == 40)}\n" for i in range(n))


def mixed(n=70):
    source = random.Random(2)
    rows = (
        f"2026-03-0{1 + i // 24} {i % 24:02}:00,{source.choice(['red', 'red', 'blue', 'NA'])},{source.gauss(0, 1):.3f},{i % 3},{i % 2}"
        for i in range(n)
    )
    return "at,colour,x,y,flag\n" + "\n".join(rows) + "\n"


def json_lines(n=60):
    source = random.Random(3)
    return "".join(json.dumps({"x": source.random(), "colour": source.choice("ab"), "flag": i % 2 == 0}) + "\n" for i in range(n))


TABLES = {
    "numbers.csv": numbers(),
    "mixed.csv": mixed(),
    "events.jsonl": json_lines(),
    "semicolon.csv": numbers().replace(",", ";").replace(".", ","),
    "one_column.csv": "x\n" + "".join(f"{i % 7}\n" for i in range(50)),
    "identifiers.csv": "id\n" + "".join(f"u{i}\n" for i in range(50)),
    "missing.csv": "x,y\n" + ",\n" * 50,
    "constant.csv": "x,colour\n" + "1,red\n" * 50,
    "header.csv": "x,y\n",
    "empty.csv": "",
    "bad.csv": "x,y\n1\n2,3,4\n",
    "bars.csv": numbers().replace(",", "|"),
    "config.toml": "[detect]\ntop = 3\n[score]\nwhere = \"x > 9\"\n",
    "extreme.csv": "x\n" + "1e308\n-1e308\n0\n5e-324\n" * 10,
}
FILES = [*TABLES, "numbers.csv.gz", "broken.csv.gz", "model.pidf", "other.pidf", "state.pids", "schema.json", "wrong.json"]
ODD_FILES = ["-", ".", "missing_file", "/dev/null", "missing_folder/x", ""]
OUTPUTS = ["out", "out.html", "out.pidf", "-", "/dev/null"]
ODD_OUTPUTS = [".", "missing_folder/x", "model.pidf", "numbers.csv", "state.pids", ""]
IS_OUTPUT = {"--output", "--report", "--model"}
QUICK = {"--n-estimators": "5", "--seconds": "1", "--warm-up": "20", "--horizon": "30"}
"""Values of flags that keep a run short, unless the flag is drawn."""


class Commands(Target):
    name = "commands"
    n_replayed = 200

    def make_files(self, folder):
        for name, text in TABLES.items():
            (folder / name).write_text(text)
        compressed = gzip.compress(numbers().encode(), mtime=0)
        (folder / "numbers.csv.gz").write_bytes(compressed)
        (folder / "broken.csv.gz").write_bytes(compressed[:-20])
        (folder / "wrong.json").write_text('{"columns": [{"name": "x", "kind": "no kind"}]}')
        self.required(["fit", "numbers.csv", "-o", "model.pidf", *SMALL], folder)
        self.required(["fit", "mixed.csv", "-o", "other.pidf", *SMALL], folder)
        flags = ["--warm-up", "20", "--horizon", "30"]
        self.required(["stream", "numbers.csv", "--state", "state.pids", *flags, *SMALL], folder)
        (folder / "schema.json").write_bytes(self.required(["schema", "mixed.csv"], folder))
        self.flags = {verb: self.flags_of(verb, folder) for verb in VERBS}

    def required(self, words, folder):
        code, out, messages = run(words, folder)
        if code != 0:
            raise SystemExit(f"{words}: exit {code}: {messages.decode()}")
        return out

    def flags_of(self, verb, folder):
        """The flags of a verb and the names of their values, by its help."""
        return FLAG.findall(self.required([verb, "--help"], folder).decode())

    def value(self, source, flag, name):
        is_odd = source.random() < 0.08
        if name in ("FILE", "MODEL"):
            if flag in IS_OUTPUT:
                return source.choice(ODD_OUTPUTS if is_odd else OUTPUTS)
            return source.choice(ODD_FILES if is_odd else FILES)
        if is_odd:
            return source.choice(ODD)
        first, *others = re.sub(r"[\[,].*", "", name).split("|")
        choices = [*VALUES.get(first, [first]), *others]
        word = source.choice(choices)
        return word if "," not in name or source.random() < 0.7 else f"{word},{source.choice(choices)}"

    def files_of(self, source, verb):
        """The words before the flags: mostly as many files as the verb needs."""
        tables = list(TABLES) if source.random() < 0.5 else ["numbers.csv", "mixed.csv", "events.jsonl", "numbers.csv.gz"]
        if verb in ("score", "explain", "report"):
            words = source.choice([["model.pidf", "numbers.csv"], ["other.pidf", "mixed.csv"], ["model.pidf", source.choice(tables)]])
        elif verb == "inspect":
            words = [source.choice(["model.pidf", "other.pidf", "state.pids"])]
        elif verb == "completion":
            words = [source.choice(["bash", "zsh", "fish", "sh"])]
        else:
            words = [source.choice(tables)] if verb in VERBS[:9] else []
        if source.random() < 0.1:
            words = [source.choice([*FILES, *ODD_FILES, *ODD]) for _ in range(source.randrange(4))]
        return words

    def draw(self, source):
        """A case is a list of pieces, each a word or a flag with its value that can be left out, and an input."""
        verb = source.choice(VERBS[:9] * 5 + VERBS)
        pieces = [[verb if source.random() < 0.99 else source.choice(ODD)]]
        pieces += [[word] for word in self.files_of(source, verb)]
        flags = source.sample(self.flags[verb], min(int(source.expovariate(0.35)), len(self.flags[verb])))
        pieces += [[flag, self.value(source, flag, name)] if name else [flag] for flag, name in flags if flag != "--help"]
        given = {piece[0] for piece in pieces}
        pieces += [[flag, QUICK[flag]] for flag, _ in self.flags[verb] if flag in QUICK and flag not in given]
        if verb == "fit" and "--output" not in given:
            pieces.append(["--output", "out.pidf"])
        return {"pieces": pieces, "input": source.choice(["", "numbers.csv", "mixed.csv", "events.jsonl", "model.pidf"])}

    def run(self, case, folder):
        text = (folder / case["input"]).read_bytes() if case["input"] else b""
        code, _, messages = run([word for piece in case["pieces"] for word in piece], folder, text)
        return code, messages

    def smaller(self, case):
        pieces = case["pieces"]
        for i in range(1, len(pieces)):
            yield {**case, "pieces": pieces[:i] + pieces[i + 1 :]}
        if case["input"]:
            yield {**case, "input": ""}


if __name__ == "__main__":
    main(Commands())
