# SPDX-License-Identifier: Apache-2.0
"""A driver that misbehaves: every fault ends with a message, and nothing is read beyond what the driver gave.
PIDFOREST_BINARY is the path of the command; the driver is beside it."""

import json
import pathlib
import tempfile
import unittest

from sources import BAD_DATA, BINARY, FILE_ERROR, CommandTest, command, run

DRIVER = pathlib.Path(BINARY).parent / "libhostile_driver.so"

BY_QUERY = {
    "schema fails": "the stream's own words",
    "no schema": "unknown types",
    "no format": "left out",
    "unknown format": "left out",
    "no name": "name",
    "null child": "schema is damaged",
    "no table": "schema is damaged",
    "negative children": "schema is damaged",
    "no children": "schema is damaged",
    "no columns": "gives no columns",
    "end fails": "the stream's own words",
    "no words": None,
    "second batch fails": "it says",
    "no values": "buffer 1 is null",
    "negative length": "a length of at least 0",
    "short column": "must have 4 values",
    "wrong buffers": "must have 2 buffers; got 7",
    "null buffers": "must have 2 buffers; got 0",
    "null array": "must have the 1 columns",
    "negative rows": "a length of at least 0",
    "negative offset": "an offset of at least 0",
    "other columns": "must have the 1 columns of its schema; got 2",
    "no arrays": "must have the 1 columns",
    "execute fails": "xxx",
    "execute fails silently": "it gives no reason",
    "no stream": "gives no rows",
}
"""What the driver does wrong, and what the message says; None: nothing is wrong."""

BEFORE = {
    "init fails": "cannot be started: not today",
    "no functions": "lacks the function",
    "options fail": "cannot be opened: two lines",
    "no connection": "no connection",
}


class HostileDriver(CommandTest):
    def setUp(self):
        file = tempfile.NamedTemporaryFile(suffix=".db")
        self.addCleanup(file.close)
        self.words = ["--db", f"sqlite:{file.name}", "--driver", DRIVER]

    def schema(self, query, *flags, hostile=""):
        return run("schema", *self.words, "--sql", query, *flags, env={"PIDFOREST_HOSTILE": hostile})

    def test_a_good_answer_is_read(self):
        for hostile in ("", "only 1.0.0", "no release", "release fails"):
            found = self.schema("fine", hostile=hostile)
            self.assertEqual(found.returncode, 0, found.stderr)
            self.assertEqual([column["name"] for column in json.loads(found.stdout)["columns"]], ["x"])

    def test_every_fault_of_a_result_is_told(self):
        for query, words in BY_QUERY.items():
            with self.subTest(query):
                found = self.schema(query)
                if words is None:
                    self.assertEqual(found.returncode, 0, found.stderr)
                else:
                    self.assertEqual(found.returncode, BAD_DATA, found.stderr)
                    self.assertIn(words, found.stderr.decode())
                    self.assertLess(len(found.stderr), 1000)

    def test_identifiers_of_a_bad_answer_are_not_read_either(self):
        for query in BY_QUERY:
            with self.subTest(query):
                found = run("detect", *self.words, "--sql", query, "--id", "x")
                self.assertIn(found.returncode, (0, BAD_DATA), found.stderr)

    def test_every_fault_before_the_query_is_told(self):
        for hostile, words in BEFORE.items():
            with self.subTest(hostile):
                self.expect(self.schema("fine", hostile=hostile), FILE_ERROR, words)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = 2000
    command.main()
