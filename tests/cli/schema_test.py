# SPDX-License-Identifier: Apache-2.0
"""Runs `pidforest schema`. PIDFOREST_BINARY is the path of the command."""

import json
import tempfile
from pathlib import Path

from command import USAGE_ERROR, BAD_DATA, FILE_ERROR, MIXED, ORDERS, CommandTest, main, run


def kinds_of(text, *flags):
    document = json.loads(run("schema", "-", *flags, text=text).stdout)
    return {column["name"]: column["kind"] for column in document["columns"]}


class Schema(CommandTest):
    def test_every_column_has_its_kind(self):
        found = run("schema", ORDERS)
        self.assertEqual((found.returncode, found.stderr), (0, b""))
        self.assertEqual(
            kinds_of(ORDERS.read_text()),
            {
                "order_id": "ignored",
                "placed_at": "time",
                "country": "category",
                "payment": "category",
                "amount": "continuous",
                "gift": "boolean",
                "card_country": "category",
                "fraud": "continuous",
            },
        )

    def test_notes_say_why(self):
        document = json.loads(run("schema", ORDERS).stdout)
        self.assertTrue(all(column["note"] for column in document["columns"]))

    def test_ignored_columns_are_left_out(self):
        self.assertEqual(list(kinds_of(MIXED, "--ignore", "id")), ["colour", "size"])
        self.assertEqual(list(kinds_of(MIXED, "--ignore", "id,size")), ["colour"])

    def test_a_schema_that_ignores_all_columns_is_taken_back(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "ids.csv").write_text("id\n" + "".join(f"u{i}\n" for i in range(30)))
            Path(folder, "schema.json").write_bytes(run("schema", "ids.csv", cwd=folder).stdout)
            for verb in (["fit", "-o", "again"], ["detect"], ["exact"]):
                result = run(*verb, "ids.csv", "--schema", "schema.json", cwd=folder)
                self.assertEqual(result.returncode, 0, result.stderr.decode())
            run("fit", "ids.csv", "-o", "model", cwd=folder)
            self.assertEqual(Path(folder, "again").read_bytes(), Path(folder, "model").read_bytes())

    def test_bad_data_is_told(self):
        self.expect(run("schema", "-", text=""), BAD_DATA, "empty")
        self.expect(run("schema", "-", text="a\n1\n2\n3\nx\n"), BAD_DATA, "row 4", "'a'", "number", "got 'x'")
        self.expect(run("schema", "-", "--ignore", "b", text="a\n1\n"), BAD_DATA, "'b'", "its columns are a.")
        self.expect(run("schema", "no_such_file.csv"), FILE_ERROR, "no_such_file.csv")


if __name__ == "__main__":
    main()
