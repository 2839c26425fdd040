# SPDX-License-Identifier: Apache-2.0
"""Runs the command on chosen rows and columns: --where, --sample, --columns, patterns, --no-header and pipes.
PIDFOREST_BINARY is the path of the command."""

import json
import os
import subprocess
import tempfile
import unittest

from command import BAD_DATA, BINARY, ROOT, USAGE_ERROR, CommandTest, main, run

FLEET = ROOT / "examples" / "fleet.csv"
ROWS = [line.split(",") for line in FLEET.read_text().splitlines()]
NAMES, ROWS = ROWS[0], ROWS[1:]


def detect(*flags, text=""):
    found = run("detect", *flags, "--json", text=text)
    if found.returncode != 0:
        raise AssertionError(found.stderr.decode())
    return json.loads(found.stdout), found.stderr.decode()


def columns_of(*flags, text=""):
    found = run("schema", *flags, text=text)
    if found.returncode != 0:
        raise AssertionError(found.stderr.decode())
    return [column["name"] for column in json.loads(found.stdout)["columns"]]


class Where(CommandTest):
    def test_chosen_rows_give_the_model_of_a_file_of_them_and_keep_their_numbers(self):
        places = [i for i, row in enumerate(ROWS) if row[NAMES.index("machine")] == "7"]
        alone = "\n".join(",".join(row) for row in [NAMES, *(ROWS[i] for i in places)]) + "\n"
        expected, _ = detect("-", "--label", "fault", text=alone)
        found, words = detect(FLEET, "--label", "fault", "--where", "machine = 7")
        self.assertIn(f"{len(places)} of {len(ROWS)} rows satisfy --where", words)
        for row in expected["top"]:
            row["row"] = places[row["row"] - 1] + 1
        self.assertEqual(found, expected)

    def test_a_column_for_conditions_only_is_no_feature(self):
        found, _ = detect(FLEET, "--where", "machine = 7", "--columns", "cpu,memory")
        self.assertEqual(found["d"], 2)
        found, _ = detect(FLEET, "--where", "fault = 0", "--ignore", "fault")
        self.assertEqual(found["d"], 10)

    def test_columns_that_no_forest_uses_may_choose_rows(self):
        text = "name,kind,x\n" + "".join(f"host{i},same,{i}\n" for i in range(40))
        found, _ = detect("-", "--where", "name in {host3, host5} and kind = same", text=text)
        self.assertEqual(sorted(row["row"] for row in found["top"]), [4, 6])

    def test_score_and_explain_choose_rows_by_the_columns_of_the_model(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "fleet.pidf")
            run("fit", FLEET, "--label", "fault", "-o", model)
            every = run("score", model, FLEET).stdout.decode().splitlines()
            some = run("score", model, FLEET, "--where", "machine = 7 and cpu > 30").stdout.decode().splitlines()
            places = [i for i, row in enumerate(ROWS) if row[0] == "7" and float(row[NAMES.index("cpu")]) > 30]
            self.assertEqual(some, [every[0], *(every[i + 1] for i in places)])
            explained = run("explain", model, FLEET, "--where", "machine = 7", "--row", places[0] + 1).stdout.decode()
            first = run("explain", model, FLEET, "--row", places[0] + 1).stdout.decode()
            self.assertEqual(explained.split("impostors")[0], first.split("impostors")[0])
            other = run("explain", model, FLEET, "--where", "machine = 7", "--row", 1)
            self.assertEqual(other.returncode, USAGE_ERROR)
            self.assertIn(b"--row must name a row that satisfies --where; got 1.", other.stderr)
            self.expect(run("score", model, FLEET, "--where", "fault = 1"), BAD_DATA, "--where", "'fault'", "cpu")

    def test_bad_conditions_are_refused(self):
        self.expect(run("detect", FLEET, "--where", "machine"), USAGE_ERROR, "--where", "got their end")
        self.expect(run("detect", FLEET, "--where", "machin = 7"), BAD_DATA, "--where", "machin", "Did you mean machine?")
        self.expect(run("detect", FLEET, "--where", "machine = 77"), BAD_DATA, "--where", f"none of {len(ROWS)} rows")
        self.expect(run("detect", FLEET, "--where", "cpu > hot"), BAD_DATA, "--where", "'cpu'", "a number", "'hot'")


class Sample(CommandTest):
    def test_a_sample_is_the_same_again_and_another_for_another_seed(self):
        def rows(*flags):
            found, words = detect(FLEET, "--sample", "50", "--top", "50", *flags)
            return sorted(row["row"] for row in found["top"]), words

        first, words = rows()
        self.assertIn(f"a sample of 50 of {len(ROWS)} rows (seed 0)", words)
        self.assertEqual(len(set(first)), 50)
        self.assertEqual(rows("--threads", "1")[0], first)
        self.assertNotEqual(rows("--seed", "1")[0], first)

    def test_a_sample_of_all_rows_is_the_table(self):
        found, words = detect(FLEET, "--sample", "100000")
        expected, _ = detect(FLEET)
        self.assertEqual(found, expected)
        self.assertNotIn("sample", words)

    def test_a_sample_is_taken_of_the_rows_that_satisfy_conditions(self):
        found, words = detect(FLEET, "--sample", "20", "--where", "machine = 7", "--top", "20")
        self.assertTrue(all(ROWS[row["row"] - 1][0] == "7" for row in found["top"]))
        self.assertIn("a sample of 20 of 336 rows", words)

    def test_the_rows_of_a_long_file_are_equally_likely(self):
        n, size = 400_000, 1000
        found, _ = detect("-", "--sample", size, "--top", size, text="x\n" + "1\n" * n)
        rows = [row["row"] for row in found["top"]]
        for quarter in range(4):
            inside = sum(quarter * n // 4 < row <= (quarter + 1) * n // 4 for row in rows)
            self.assertLess(abs(inside - size / 4), 60)  # four deviations


class Columns(CommandTest):
    def test_patterns_choose_columns(self):
        self.assertEqual(columns_of(FLEET, "--columns", "net*,cpu"), ["cpu", "network_in", "network_out"])
        self.assertNotIn("network_in", columns_of(FLEET, "--ignore", "net*"))
        self.expect(run("detect", FLEET, "--ignore", "gpu*"), BAD_DATA, "'gpu*'", "matches", "cpu")
        self.expect(run("detect", FLEET, "--columns", "cpuu"), BAD_DATA, "'cpuu'", "Did you mean cpu?")

    def test_patterns_choose_keys_of_json(self):
        text = '{"cpu_a": 1, "cpu_b": 2, "net": 3}\n'
        self.assertEqual(columns_of("-", "--ignore", "cpu_*", text=text), ["net"])
        self.assertEqual(columns_of("-", "--columns", "cpu_*", text=text), ["cpu_a", "cpu_b"])
        self.expect(run("schema", "-", "--ignore", "gpu*", text=text), BAD_DATA, "'gpu*'")

    def test_the_label_is_read_and_no_pattern_takes_it(self):
        found, _ = detect(FLEET, "--columns", "cpu", "--label", "fault")
        self.assertIn("label", found["top"][0])
        found, _ = detect(FLEET, "--ignore", "f*", "--label", "fault")
        self.assertIn("label", found["top"][0])

    def test_columns_and_a_schema_cannot_both_choose(self):
        self.expect(run("detect", FLEET, "--columns", "cpu", "--schema", "x"), USAGE_ERROR, "--columns", "--schema")

    def test_a_column_that_is_nearly_named_is_guessed(self):
        self.expect(run("detect", FLEET, "--label", "Fault"), BAD_DATA, "--label", "Did you mean fault?")
        self.expect(run("detect", FLEET, "--window", "3", "--time", "huor"), BAD_DATA, "Did you mean hour?")


class Pipes(CommandTest):
    def test_file_may_be_left_out_in_a_pipe(self):
        text = FLEET.read_text()
        self.assertEqual(detect("--label", "fault", text=text)[0], detect(FLEET, "--label", "fault")[0])
        with open(FLEET) as file:
            found = subprocess.run([BINARY, "schema"], stdin=file, capture_output=True, check=False)
        self.assertEqual(found.stdout, run("schema", FLEET).stdout)

    def test_without_a_pipe_file_is_required(self):
        found = subprocess.run([BINARY, "schema"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.expect(found, USAGE_ERROR, "FILE is required", "pipe")


class NoHeader(CommandTest):
    BODY = "".join(",".join(row) + "\n" for row in ROWS)

    def test_the_first_row_counts_and_columns_have_numbers(self):
        found, _ = detect("--no-header", "--label", "column11", text=self.BODY)
        expected, _ = detect(FLEET, "--label", "fault")
        self.assertEqual(found["n"], len(ROWS))
        self.assertEqual([row["score"] for row in found["top"]], [row["score"] for row in expected["top"]])

    def test_a_model_remembers_that_there_is_no_header(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "fleet.pidf")
            run("fit", "--no-header", "-o", model, text=self.BODY)
            self.assertEqual(len(run("score", model, text=self.BODY).stdout.splitlines()), len(ROWS) + 1)

    def test_names_that_are_all_numbers_are_noticed(self):
        found = run("detect", "-", text="1,2\n3,4\n5,6\n")
        self.assertIn(b"if the first row is data, use --no-header", found.stderr)
        self.expect(run("detect", "-", text="1,1\n3,4\n"), BAD_DATA, "--no-header")

    def test_json_has_no_header(self):
        self.expect(run("detect", "-", "--no-header", text='{"a": 1}\n'), BAD_DATA, "--no-header")
        self.expect(run("detect", "x.parquet", "--no-header"), USAGE_ERROR, "--no-header", "Parquet")


if __name__ == "__main__":
    main()
