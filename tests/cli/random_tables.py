# SPDX-License-Identifier: Apache-2.0
"""Random tables as text, with the flags that read them: columns of every kind, odd names, and shapes from none to wide."""

import csv
import io
import json

NAMES = ["x", "Y", "a b", "a,b", 'say "hi"', "it's", " lead", "ключ", "名前", "=SUM(A1)", "-", "a.b", "a;b", "__proto__", "n" * 300, "\U0001f600"]


def numbers(source, n):
    centre, spread = source.choice([(0, 1), (100, 5), (1e9, 1), (-3, 1e-6), (0, 1e200)])
    return [round(source.gauss(centre, spread), 9) for _ in range(n)]


def whole_numbers(source, n):
    most = source.choice([1, 2, 9, 100, 10**12])
    return [source.randint(-most, most) for _ in range(n)]


def extremes(source, n):
    return [source.choice([1.7976931348623157e308, -1.7976931348623157e308, 5e-324, 0, 1e-300]) for _ in range(n)]


def constants(source, n):
    return [source.choice([0, 7, "red", True])] * n


def categories(source, n):
    levels = source.choice([["red", "blue"], ["a", "b", "c", "ß", "x,y", 'q"'], [f"level {i}" for i in range(40)], ["1", "01", "1.0"]])
    return [source.choice(levels) for _ in range(n)]


def booleans(source, n):
    return [source.random() < 0.8 for _ in range(n)]


def times(source, n):
    seconds, result = source.randrange(10**9), []
    for _ in range(n):
        seconds += source.choice([60, 60, 60, 0, 3600])
        day, second = divmod(seconds, 86400)
        result.append(f"20{day // 336 % 90 + 10:02}-{day // 28 % 12 + 1:02}-{day % 28 + 1:02}T{second // 3600:02}:{second // 60 % 60:02}:00")
    return result


def identifiers(source, n):
    return [f"u{source.randrange(10**9)}_{i}" for i in range(n)]


def nothing(source, n):
    return [None] * n


KINDS = [numbers, numbers, numbers, whole_numbers, whole_numbers, extremes, constants, categories, categories, booleans, times, identifiers, nothing]


class RandomTable:
    """Columns by name, the text of the table, and the flags that read it."""

    def __init__(self, source):
        self.n_rows = source.choice([0, 1, 2, 5, 30, 30, 60, 60, 60, 200, 200, 2000] if source.random() < 0.9 else [9000])
        n_columns = source.choice([0, 1, 1, 2, 3, 4, 5, 8] if source.random() < 0.95 else [300])
        if n_columns == 300:
            self.n_rows = min(self.n_rows, 60)
        names = source.sample(NAMES, n_columns) if n_columns <= 8 else [f"c{i}" for i in range(n_columns)]
        self.columns = {name: self.column(source) for name in names}
        self.is_json = source.random() < 0.3
        self.reading = []  # the flags of the text
        self.ignored = []
        self.decimal, self.delimiter = ".", ","
        if not self.is_json:
            self.choose_form(source)
        if n_columns > 1 and source.random() < 0.3:
            ignored = source.choice(names)
            if "," not in ignored and not ignored.startswith("-"):
                self.ignored = [ignored]

    @property
    def flags(self):
        return [*self.reading, *(["--ignore", *self.ignored] if self.ignored else [])]

    def column(self, source):
        values = source.choice(KINDS)(source, self.n_rows)
        if source.random() < 0.25:
            share = source.choice([0.02, 0.5])
            values = [None if source.random() < share else value for value in values]
        return values

    def choose_form(self, source):
        if source.random() < 0.2:
            self.decimal, self.delimiter = ",", ";"
            self.reading += ["--decimal", ",", "--delimiter", ";"]
        elif source.random() < 0.2:
            self.delimiter = "\t"
            self.reading += ["--delimiter", "tab"]
        if source.random() < 0.2:
            self.reading += ["--na", "NA,?"]

    @property
    def file_name(self):
        return "table.jsonl" if self.is_json else "table.csv"

    def field(self, value):
        if value is None:
            return "NA" if "--na" in self.reading else ""
        if isinstance(value, bool):
            return "true" if value else "false"
        return repr(value).replace(".", self.decimal) if isinstance(value, float) else str(value)

    def lines(self):
        """The header row, if there is one, and the rows; each with its end."""
        rows = list(zip(*self.columns.values())) if self.columns else [()] * self.n_rows
        if self.is_json:
            objects = (dict(zip(self.columns, row)) for row in rows)
            return [json.dumps({key: value for key, value in one.items() if value is not None}) + "\n" for one in objects]
        lines = []
        for row in [tuple(self.columns), *(tuple(map(self.field, row)) for row in rows)]:
            text = io.StringIO()
            csv.writer(text, delimiter=self.delimiter, lineterminator="\n").writerow(row)
            lines.append(text.getvalue())
        return lines
