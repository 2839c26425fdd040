# SPDX-License-Identifier: Apache-2.0
"""Memory as a function of the bytes of the input, whatever its shape; and files that are larger inside than outside.

    PIDFOREST_BINARY=build/pidforest python3 tests/cli/memory_test.py
"""

import gzip
import os
import pathlib
import random
import subprocess
import tempfile

from command import BAD_DATA, BINARY, CommandTest, main, run

MB = 1 << 20
SHAPES = [(2_000_000, 1), (200_000, 10), (20_000, 100), (2_000, 1000), (500, 4000), (300, 6000), (20_000, 1000)]
"""Rows and columns of tables of 4 MB, and of one of 40 MB."""
BASE, PER_BYTE = 150 * MB, 6
"""The law: no verb takes more than BASE bytes and PER_BYTE bytes for each byte of its input."""


def write_table(path, n_rows, n_columns):
    """Write whole numbers of one digit: the shortest text that a number can have, so the worst case."""
    generator = random.Random(0)
    digits = [str(generator.randrange(10)) for _ in range(n_columns + 997)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(f"c{j}" for j in range(n_columns)) + "\n")
        for _ in range(n_rows):
            first = generator.randrange(997)
            file.write(",".join(digits[first : first + n_columns]) + "\n")


class MemoryTest(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.model = self.folder / "m.pidf"

    def peak(self, *words, code=0):
        """Run the command and return the most memory that it had, in bytes."""
        with open(self.folder / "messages", "wb") as messages:
            # pylint: disable-next=consider-using-with: wait4 waits for the process
            process = subprocess.Popen([BINARY, *map(str, words)], stdout=subprocess.DEVNULL, stderr=messages)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, code, (self.folder / "messages").read_text()[:300])
        return usage.ru_maxrss * 1024

    def expect_law(self, n_bytes, what, peak):
        self.assertLess(peak, BASE + PER_BYTE * n_bytes, f"{what}: {peak // MB} MB for {n_bytes // 1000} kB")

    def test_memory_follows_bytes_not_columns(self):
        table = self.folder / "t.csv"
        for n_rows, n_columns in SHAPES:
            write_table(table, n_rows, n_columns)
            n_bytes = table.stat().st_size
            for words in (["schema", table], ["fit", table, "-o", self.model, "--threads", "2"], ["score", self.model, table]):
                self.expect_law(n_bytes, f"{words[0]} of {n_rows} x {n_columns}", self.peak(*words))

    def test_a_limit_of_columns_is_named(self):
        for name, text in (
            ("t.csv", ",".join(f"c{j}" for j in range(10_001)) + "\n"),
            ("t.jsonl", "".join(f'{{"k{i}":1}}\n' for i in range(10_001))),
        ):
            path = self.folder / name
            path.write_text(text, encoding="utf-8")
            for words in (["schema", path], ["fit", path, "-o", self.model], ["detect", path]):
                self.expect_law(len(text), name, self.peak(*words, code=BAD_DATA))
            self.expect(run("schema", path), BAD_DATA, "at most 10000 columns", "got 10001", "--ignore")

    def test_a_schema_may_choose_columns_of_a_wider_table(self):
        path = self.folder / "t.csv"
        path.write_text(",".join(f"c{j}" for j in range(10_001)) + "\n" + ",".join("1" * 10_001) + "\n", encoding="utf-8")
        schema = self.folder / "s.json"
        schema.write_bytes(run("schema", "-", text="c1,c2\n1,2\n").stdout)
        self.assertEqual(run("fit", path, "--schema", schema, "-o", self.model).returncode, 0)

    def test_lines_that_leave_out_most_keys_are_refused_where_rows_are_kept(self):
        wide = "{" + ",".join(f'"k{i}":1' for i in range(5000)) + "}\n"
        for text in (wide + "{}\n" * 20_000, "".join(f'{{"k{i}":{i % 7}}}\n' for i in range(6000))):
            path = self.folder / "t.jsonl"
            path.write_text(text, encoding="utf-8")
            self.expect_law(len(text) + 16 * MB, "sparse lines", self.peak("fit", path, "-o", self.model, code=BAD_DATA))
            for threads in (1, 2, 7):
                self.expect(run("detect", path, "--threads", threads), BAD_DATA, "16 values per byte", "--ignore")

    def test_sparse_lines_of_a_few_keys_are_kept(self):
        text = "".join(f'{{"k{i % 50}":{i % 7},"a":{i % 5}}}\n' for i in range(20_000))
        self.assertEqual(run("fit", "-", "--format", "jsonl", "-o", self.model, text=text).returncode, 0)

    def test_a_file_that_expands_a_thousandfold_is_scored_in_constant_memory(self):
        small = self.folder / "t.csv"
        write_table(small, 1000, 4)
        self.assertEqual(run("fit", small, "-o", self.model).returncode, 0)
        packed = self.folder / "large.csv.gz"
        for n_bytes, words in ((64 * MB, ["score", self.model, packed, "--output", "/dev/null"]), (4 * MB, ["stream", packed])):
            with gzip.open(packed, "wb") as file:
                file.write(b"c0,c1,c2,c3\n")
                for _ in range(n_bytes // MB):
                    file.write(b"1,2,3,4\n" * (MB // 8))
            self.assertLess(packed.stat().st_size, n_bytes // 400)
            self.expect_law(packed.stat().st_size, words[0], self.peak(*words))
        line = self.folder / "line.csv.gz"
        with gzip.open(line, "wb") as file:
            for _ in range(300):
                file.write(b"1" * MB)
        self.expect_law(600 * MB // PER_BYTE, "a line without an end", self.peak("score", self.model, line, code=BAD_DATA))


if __name__ == "__main__":
    main()
