# SPDX-License-Identifier: Apache-2.0
"""Runs `pidforest detect` on columns of all kinds, with and without a schema. PIDFOREST_BINARY is its path."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from command import USAGE_ERROR, BAD_DATA, FILE_ERROR, MIXED, ORDERS, ROOT, CommandTest, main, run

ORDERS_SCHEMA = ROOT / "examples" / "orders.schema.json"


def columns(**kinds):
    """Return a schema that has only names and kinds."""
    return {"columns": [{"name": name, "kind": kind} for name, kind in kinds.items()]}


class Files(CommandTest):
    """Provides a folder for files that the tests write."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path


class DetectWithSchema(Files):
    def detect(self, text, schema, *flags):
        return run("detect", "-", "--schema", self.write("s.json", schema), *flags, text=text)

    def test_the_frauds_of_the_sample_are_found(self):
        for flags in ([], ["--schema", ORDERS_SCHEMA]):
            found = run("detect", ORDERS, "--label", "fraud", "--json", *flags)
            self.assertEqual(found.returncode, 0, found.stderr)
            self.assertGreater(json.loads(found.stdout)["auc"], 0.9)

    def test_the_sample_is_what_the_script_writes(self):
        again = self.folder / "orders.csv"
        subprocess.run([sys.executable, ROOT / "scripts" / "make_orders.py", again], check=True)
        self.assertEqual(again.read_bytes(), ORDERS.read_bytes())

    def test_the_schema_that_is_inferred_can_be_given_and_changes_nothing(self):
        schema = self.folder / "orders.json"
        schema.write_bytes(run("schema", ORDERS).stdout)
        plain = run("detect", ORDERS, "--label", "fraud", "--json")
        given = run("detect", ORDERS, "--label", "fraud", "--json", "--schema", schema)
        self.assertEqual(given.returncode, 0, given.stderr)
        self.assertEqual(given.stdout, plain.stdout)

    def test_texts_that_look_like_numbers_stay_texts(self):
        text = "zip\n" + "01\n1\n" * 20
        found = self.detect(text, columns(zip="category"), "--top", "40", "--id", "zip", "--json")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertEqual({row["id"] for row in json.loads(found.stdout)["top"]}, {"01", "1"})

    def test_a_missing_value_may_be_the_reason(self):
        schema = {"columns": [{"name": "a", "kind": "continuous", "missing_share": 0.5}, {"name": "b", "kind": "continuous"}]}
        text = "a,b\n" + "".join(f"{i % 10},{i % 7}\n" for i in range(300)) + ",3\n"
        self.assertRegex(self.detect(text, schema, "--top", "1").stdout, rb" 301 .* a is missing: 1 row")

    def test_columns_that_the_schema_does_not_name_are_said(self):
        found = self.detect(MIXED, columns(colour="category"), "--top", "1")
        self.assertEqual(found.stderr.decode().splitlines()[0], "columns not used, as they are not in the schema: id, size")
        self.assertIn(b"60 rows, 1 column,", found.stderr)
        self.assertEqual(self.detect(MIXED, columns(colour="category"), "--quiet").stderr, b"")

    def test_the_label_and_ignored_columns_are_no_features(self):
        text = "a,b,label\n" + "".join(f"{i % 9},x{i % 5},{int(i == 7)}\n" for i in range(50))
        schema = columns(a="continuous", b="category", label="continuous")
        found = json.loads(self.detect(text, schema, "--label", "label", "--ignore", "b", "--json").stdout)
        self.assertEqual(found["d"], 1)
        self.assertIsNotNone(found["auc"])
        unnamed = self.detect(text, columns(a="continuous", b="category"), "--label", "label")
        self.assertNotIn(b"not in the schema", unnamed.stderr)

    def test_bad_schemas_are_told_by_file(self):
        for content, words in [
            ("{", ["s.json", "line 1"]),
            ({"columns": []}, ["s.json", "columns"]),
            (columns(a="colour"), ["s.json", "columns[0]", "kind", "colour"]),
        ]:
            with self.subTest(content):
                self.expect(self.detect("a\n1\n", content), BAD_DATA, *words)
        self.expect(run("detect", ORDERS, "--schema", "no_such.json"), FILE_ERROR, "no_such.json")
        self.expect(run("detect", "-", "--schema", "-"), USAGE_ERROR, "standard input")

    def test_data_that_the_schema_does_not_allow_are_told(self):
        self.expect(self.detect("a\n1\nabc\n", columns(a="continuous")), BAD_DATA, "line 3", "'a'", "schema", "'abc'")
        self.expect(self.detect("b\n1\n2\n", columns(a="continuous")), BAD_DATA, "schema", "'a'", "its columns are b")
        self.expect(self.detect("a\nyes\nmaybe\n", columns(a="boolean")), BAD_DATA, "row 2", "'a'", "'maybe'")
        self.expect(self.detect("a\nsoon\n", columns(a="time")), BAD_DATA, "row 1", "'a'", "'soon'")


class DetectWithoutSchema(unittest.TestCase):
    def test_what_columns_are_taken_for_is_said_unless_they_are_numbers(self):
        lines = run("detect", "-", "--top", "1", text=MIXED).stderr.decode().splitlines()
        self.assertRegex(lines[0], r"^id: ignored \(.*identifier.*\)$")
        self.assertEqual(lines[1], "colour: category (2 different texts)")
        self.assertRegex(lines[2], "^60 rows, 2 columns,")
        self.assertEqual(run("detect", "-", "--quiet", text=MIXED).stderr, b"")

    def test_of_many_columns_a_few_are_said(self):
        text = ",".join(f"c{i}" for i in range(14)) + "\n" + (",".join("xy"[i % 2] for i in range(14)) + "\n") * 3
        lines = run("detect", "-", text=text).stderr.decode().splitlines()
        self.assertEqual(lines[10], "and 4 more; pidforest schema - shows all")
        self.assertEqual(len(lines), 13)

    def test_labels_are_never_inferred(self):
        found = run("detect", "-", "--label", "colour", text=MIXED)
        self.assertEqual(found.returncode, BAD_DATA)
        self.assertIn(b"row 1, column 'colour': a label must be 0 or 1, no or yes, or false or true; --anomaly-label names another word; got 'blue'", found.stderr)

    def test_texts_are_shown_safely(self):
        rows = "".join(f"x,{i % 10}\n" for i in range(300))
        text = "a,b\n" + rows + '"\x1b[2J",55\n' + "y" * 90 + ",80\n"
        shown = run("detect", "-", "--top", "2", "--id", "a", text=text).stdout
        self.assertRegex(shown, rb" \\x1b\[2J .* b = 55: ")
        self.assertIn(b" " + b"y" * 37 + b"... ", shown)
        self.assertNotIn(b"\x1b", shown)


if __name__ == "__main__":
    main()
