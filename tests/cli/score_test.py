# SPDX-License-Identifier: Apache-2.0
"""Runs `pidforest fit`, `score` and `inspect` as a script would. PIDFOREST_BINARY is the path of the command."""

import csv
import io
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from command import ANOMALIES_FOUND, USAGE_ERROR, BAD_DATA, BAD_MODEL, BINARY, FILE_ERROR, IS_SANITIZED, INTERRUPTED, ORDERS, ROOT, CommandTest, main, run

FLEET = ROOT / "examples" / "fleet.csv"


class ScoreTest(CommandTest):
    """Provides a folder with a model of the fleet."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.model = self.folder / "fleet.pidf"
        found = run("fit", FLEET, "--label", "fault", "-o", self.model)
        self.assertEqual((found.returncode, found.stdout), (0, b""), found.stderr)

    def lines(self, *arguments, **options):
        """Return the output of `score` as lists of fields."""
        found = run("score", *arguments, **options)
        self.assertEqual(found.returncode, 0, found.stderr)
        return list(csv.reader(io.StringIO(found.stdout.decode(), newline="")))

    def written(self, name, content):
        path = self.folder / name
        path.write_text(content, encoding="utf-8", newline="")
        return path


class Score(ScoreTest):
    def test_every_row_gets_the_score_that_detect_gives_it(self):
        lines = self.lines(self.model, FLEET)
        self.assertEqual(lines[0], ["row", "score", "is_anomaly"])
        self.assertEqual([line[0] for line in lines[1:]], [str(i) for i in range(1, 4033)])
        top = json.loads(run("detect", FLEET, "--label", "fault", "--json", "--top", "4032").stdout)["top"]
        self.assertEqual({row["row"]: row["score"] for row in top}, {int(line[0]): float(line[1]) for line in lines[1:]})
        self.assertEqual({row["row"] for row in top if row["is_anomaly"]}, {int(line[0]) for line in lines[1:] if line[2] == "1"})

    def test_detect_writes_the_same_scores_and_the_same_model(self):
        output, model = self.folder / "scores.csv", self.folder / "again.pidf"
        found = run("detect", FLEET, "--label", "fault", "--output", output, "--model", model, "--quiet")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertEqual(output.read_bytes(), run("score", self.model, FLEET).stdout)
        self.assertEqual(model.read_bytes(), self.model.read_bytes())

    def test_reasons_are_those_of_explain(self):
        lines = self.lines(self.model, FLEET, "--reason")
        self.assertEqual(lines[0], ["row", "score", "is_anomaly", "reason"])
        explained = run("explain", self.model, FLEET, "--anomalies", "--json").stdout.splitlines()
        expected = {one["row"]: one["reason"] for one in map(json.loads, explained)}
        self.assertEqual({int(line[0]): line[3] for line in lines[1:] if line[3]}, expected)
        self.assertEqual(len(expected), 12)

    def test_every_row_has_a_reason_if_nothing_says_which_are_anomalies(self):
        model = self.folder / "none.pidf"
        run("fit", FLEET, "--label", "fault", "--contamination", "none", "-o", model)
        self.assertTrue(all(line[3] for line in self.lines(model, FLEET, "--reason")[1:]))

    def test_reasons_come_with_append_json_and_windows(self):
        appended = self.lines(self.model, FLEET, "--reason", "--append", "--top", "1")
        self.assertEqual(appended[0][-3:], ["score", "is_anomaly", "reason"])
        found = run("score", self.model, FLEET, "--reason", "--json", "--top", "1")
        self.assertEqual(json.loads(found.stdout)["reason"], appended[1][-1])
        traffic = ROOT / "examples" / "traffic.csv"
        series = ("--window", "4", "--time", "time", "--by", "host")
        model = self.folder / "traffic.pidf"
        run("fit", traffic, "--label", "fault", *series, "-o", model)
        windows = self.lines(model, traffic, *series, "--ignore", "fault", "--reason", "--top", "2")
        self.assertIn(" earlier ", windows[1][-1])

    def test_reasons_require_a_model_that_has_them(self):
        model = self.folder / "none.pidf"
        run("fit", FLEET, "--label", "fault", "--no-reasons", "-o", model)
        self.expect(run("score", model, FLEET, "--reason"), USAGE_ERROR, "--reason requires a model with reasons")
        taken = self.written("taken.csv", "cpu,reason\n1,2\n")
        fitted = self.folder / "taken.pidf"
        run("fit", taken, "-o", fitted)
        self.expect(run("score", fitted, taken, "--append", "--reason"), BAD_DATA, "'reason'", "--id")

    def test_an_anomaly_is_an_exit_code_if_asked_for(self):
        self.assertEqual(run("score", self.model, FLEET, "--fail-on-anomaly").returncode, ANOMALIES_FOUND)
        self.assertEqual(run("score", self.model, FLEET, "--fail-on-anomaly", "--min-bits", "50").returncode, 0)
        rest = "".join(FLEET.read_text().splitlines(keepends=True)[:200])
        self.assertEqual(run("score", self.model, "-", "--fail-on-anomaly", "--top", "0", text=rest).returncode, 0)
        known = self.written("known.json", '[[{"column": "errors_per_min", "at_least": 0}]]')
        self.assertEqual(run("score", self.model, FLEET, "--fail-on-anomaly", "--suppress", known).returncode, 0)

    def test_threads_change_no_byte(self):
        outputs = {run("score", self.model, FLEET, "--threads", n).stdout for n in (1, 2, 7)}
        self.assertEqual(len(outputs), 1)

    def test_top_are_the_rarest_rows_in_order(self):
        lines = self.lines(self.model, FLEET)[1:]
        expected = sorted(lines, key=lambda line: (-float(line[1]), int(line[0])))
        self.assertEqual(self.lines(self.model, FLEET, "--top", "7")[1:], expected[:7])
        self.assertEqual(self.lines(self.model, FLEET, "--top", "0")[1:], [])
        self.assertEqual(self.lines(self.model, FLEET, "--top", "99999")[1:], expected)

    def test_min_bits_comes_before_the_threshold_of_the_model(self):
        lines = self.lines(self.model, FLEET, "--min-bits", "3")[1:]
        self.assertTrue(any(line[2] == "1" for line in lines))
        self.assertTrue(all((line[2] == "1") == (float(line[1]) >= 3) for line in lines))

    def test_without_a_threshold_no_row_is_judged(self):
        model = self.folder / "none.pidf"
        run("fit", FLEET, "--contamination", "none", "-o", model)
        self.assertEqual({line[2] for line in self.lines(model, FLEET)[1:]}, {""})

    def test_json_lines_can_be_scored_too(self):
        with open(FLEET, newline="") as file:
            rows = [{key: float(value) if value else None for key, value in row.items()} for row in csv.DictReader(file)]
        table = self.written("fleet.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        self.assertEqual(run("score", self.model, table).stdout, run("score", self.model, FLEET).stdout)
        with open(table) as file:
            piped = run("score", self.model, "-", "--format", "jsonl", text=file.read())
        self.assertEqual(piped.stdout, run("score", self.model, FLEET).stdout)

    def test_json_lines_are_one_object_per_row(self):
        found = run("score", self.model, FLEET, "--json", "--id", "machine")
        rows = [json.loads(line) for line in found.stdout.decode().splitlines()]
        self.assertEqual(list(rows[0]), ["row", "id", "score", "is_anomaly"])
        self.assertEqual(len(rows), 4032)
        self.assertEqual([row["score"] for row in rows], [float(line[1]) for line in self.lines(self.model, FLEET)[1:]])


class Carried(ScoreTest):
    """Columns that are not features."""

    TABLE = 'name,note,a,b\n007,"x, ""y""",1.50,1\n008,=1+1,2,2\n009," two\nlines",,3\n'

    def setUp(self):
        super().setUp()
        self.table = self.written("t.csv", self.TABLE)
        self.model = self.folder / "t.pidf"
        schema = self.written("s.json", '{"columns": [{"name": "a", "kind": "continuous"}, {"name": "b", "kind": "continuous"}]}')
        found = run("fit", self.table, "--schema", schema, "-o", self.model)
        self.assertEqual(found.returncode, 0, found.stderr)

    def test_an_id_is_carried_as_it_stands(self):
        lines = self.lines(self.model, self.table, "--id", "name")
        self.assertEqual(lines[0], ["name", "score", "is_anomaly"])
        self.assertEqual([line[0] for line in lines[1:]], ["007", "008", "009"])
        self.assertEqual([line[0] for line in self.lines(self.model, self.table, "--id", "a")[1:]], ["1.50", "2", ""])

    def test_append_writes_all_columns_as_they_stand_and_the_same_scores(self):
        lines = self.lines(self.model, self.table, "--append")
        original = list(csv.reader(io.StringIO(self.TABLE, newline="")))
        self.assertEqual([line[:4] for line in lines], original)
        self.assertEqual([line[4:] for line in lines], [line[1:] for line in self.lines(self.model, self.table)])

    def test_excel_safe_disarms_formulas(self):
        plain, safe = (run("score", self.model, self.table, "--append", *flag).stdout for flag in ([], ["--excel-safe"]))
        self.assertIn(b"008,=1+1,2,2,", plain)
        self.assertIn(b"008,'=1+1,2,2,", safe)

    def test_columns_that_cannot_be_carried_are_told(self):
        self.expect(run("score", self.model, self.table, "--id", "key"), BAD_DATA, "--id", "'key'")
        scored = self.written("scored.csv", "a,b,score\n1,2,3\n")
        self.expect(run("score", self.model, scored, "--append"), BAD_DATA, "already has 'score'")
        for flags in (["--append", "--json"], ["--append", "--id", "name"], ["--append", "--decimal", ","]):
            self.expect(run("score", self.model, self.table, *flags), USAGE_ERROR, "--append", flags[1])


class Files(ScoreTest):
    def test_a_file_is_written_whole(self):
        output = self.written("scores.csv", "old\n")
        found = run("score", self.model, FLEET, "--output", output)
        self.assertEqual((found.returncode, found.stdout), (0, b""))
        self.assertEqual(output.read_bytes(), run("score", self.model, FLEET).stdout)

    def test_an_error_leaves_the_old_file_and_nothing_else(self):
        output = self.written("scores.csv", "old\n")
        text = FLEET.read_text() + "1,2\n"
        before = sorted(path.name for path in self.folder.iterdir())
        self.expect(run("score", self.model, "-", "--output", output, text=text), BAD_DATA, "line 4034")
        self.assertEqual(output.read_text(), "old\n")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def test_ctrl_c_leaves_the_old_file_and_nothing_else(self):
        for verb in (["score", self.model, "-", "--output"], ["fit", "-", "-o"]):
            output = self.written("out", "old\n")
            before = sorted(path.name for path in self.folder.iterdir())
            process = subprocess.Popen(
                [BINARY, *verb, output], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            process.stdin.write(FLEET.read_bytes())
            process.stdin.flush()
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            start = time.monotonic()
            process.wait(timeout=10)
            self.assertLess(time.monotonic() - start, 1)
            with process:
                self.assertEqual((process.returncode, process.stdout.read()), (INTERRUPTED, b""))
            self.assertEqual(output.read_text(), "old\n")
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def test_a_full_disk_and_a_closed_pipe(self):
        for flags, end in ((["--output", "/dev/full"], None), ([], "/dev/full")):
            with open(end or "/dev/null", "wb") as stdout:
                found = subprocess.run([BINARY, "score", self.model, FLEET, *flags], stdout=stdout, stderr=subprocess.PIPE)
            self.assertEqual(found.returncode, FILE_ERROR, found.stderr)
            self.assertIn(b"No space left", found.stderr)
        found = subprocess.run(
            ["bash", "-c", f'"{BINARY}" score "{self.model}" "{FLEET}" | head -n 1; echo ${{PIPESTATUS[0]}}'],
            capture_output=True, timeout=60,
        )
        self.assertEqual((found.stdout, found.stderr), (b"row,score,is_anomaly\n0\n", b""))

    def test_a_model_and_a_table_are_told_apart(self):
        self.expect(run("score", FLEET, FLEET), BAD_MODEL, "fleet.csv")
        self.expect(run("score", self.model, self.model), BAD_DATA, "pidforest model file")
        self.expect(run("detect", self.model), BAD_DATA, "pidforest model file")
        self.expect(run("inspect", self.folder / "none.pidf"), FILE_ERROR, "none.pidf")

    @unittest.skipIf(IS_SANITIZED, "limits memory or time")
    def test_memory_does_not_grow_with_the_table(self):
        header, _, rows = FLEET.read_text().partition("\n")
        big = self.written("big.csv", header + "\n" + rows * 300)
        self.assertGreater(big.stat().st_size, 50e6)

        def peak(table):
            command = [BINARY, "score", str(self.model), str(table), "--threads", "1", "--output", "/dev/null"]
            process = subprocess.Popen(command)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            self.assertEqual(status, 0)
            return usage.ru_maxrss / 1024

        self.assertLess(peak(big), 200)


class BadRows(ScoreTest):
    def test_bad_rows_are_left_out_and_counted_if_asked(self):
        text = FLEET.read_text() + "1,2\n3\n"
        self.expect(run("score", self.model, "-", text=text), BAD_DATA, "line 4034")
        found = run("score", self.model, "-", "--on-bad-row", "skip", text=text)
        self.assertEqual(found.stdout, run("score", self.model, FLEET).stdout)
        self.assertRegex(found.stderr.decode(), r"^skipped 2 unreadable rows; the first: line 4034")
        self.assertEqual(run("score", self.model, "-", "--on-bad-row", "skip", "--quiet", text=text).stderr, b"")

    def test_a_value_that_the_model_refuses_is_told_by_its_row_in_the_file(self):
        schema = self.written("sizes.json", '{"columns": [{"name": "size", "kind": "ordinal", "levels": ["S", "M", "L"]}]}')
        table = self.written("sizes.csv", "size\n" + "S\nM\nL\n" * 20)
        model = self.folder / "sizes.pidf"
        self.assertEqual(run("fit", table, "--schema", schema, "-o", model).returncode, 0)
        n_before = 1_500_000  # more than one piece of the text
        text = "size\n" + "S\n" * n_before + "XL\n"
        found = run("score", model, "-", "--output", self.folder / "scores.csv", text=text)
        self.expect(found, BAD_DATA, f"row {n_before + 1}, column 'size'", "'XL'")

    def test_a_lacking_column_is_told_by_name(self):
        self.expect(run("score", self.model, "-", text="cpu,memory\n1,2\n"), BAD_DATA, "machine")


class Inspect(ScoreTest):
    def test_the_document_says_what_the_model_holds(self):
        document = json.loads(run("inspect", self.model, "--json").stdout)
        self.assertEqual((document["rows"], document["trees"]), (4032, 100))
        self.assertEqual(document["bytes"], self.model.stat().st_size)
        self.assertEqual(document["options"]["n_estimators"], 100)
        self.assertEqual([column["name"] for column in document["schema"]["columns"]][:2], ["machine", "hour"])

    def test_a_model_may_come_through_a_pipe(self):
        words = f"{BINARY} inspect <(cat {self.model})"
        found = subprocess.run(["bash", "-c", f"{words}; {words} --json"], capture_output=True, check=False)
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertRegex(found.stdout.decode(), r"^file       /dev/fd/\d+\nrows       4032 counted")
        self.assertIn('"bytes": null', found.stdout.decode())

    def test_the_schema_can_be_given_to_a_fit(self):
        model = self.folder / "orders.pidf"
        run("fit", ORDERS, "--ignore", "fraud", "-o", model)
        schema = self.folder / "s.json"
        schema.write_bytes(run("inspect", model, "--schema").stdout)
        again = run("fit", ORDERS, "--ignore", "fraud", "--schema", schema, "-o", self.folder / "again.pidf")
        self.assertEqual(again.returncode, 0, again.stderr)
        scores = [run("score", self.folder / name, ORDERS).stdout for name in ("orders.pidf", "again.pidf")]
        self.assertEqual(scores[0], scores[1])


if __name__ == "__main__":
    main()
