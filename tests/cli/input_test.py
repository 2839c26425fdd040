# SPDX-License-Identifier: Apache-2.0
"""The inputs of the command: compressed files, standard input, and damaged files. PIDFOREST_BINARY is its path."""

import gzip
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from command import BAD_DATA, BINARY, ROOT, USAGE_ERROR, CommandTest, main, run

PLAIN = (ROOT / "examples" / "fleet.csv").read_bytes()
HAS_ZSTD = shutil.which("zstd") is not None


def zstd(content):
    return subprocess.run(["zstd", "-q", "-c"], input=content, capture_output=True, check=True).stdout


def compressors():
    yield "gz", "gzip", gzip.compress
    if HAS_ZSTD:
        yield "zst", "zstd", zstd


class Decimals(CommandTest):
    """With --decimal , every verb must read a text as the same number or as the same text."""

    def fit_and_score(self, *values):
        with tempfile.TemporaryDirectory() as folder:
            model, table = pathlib.Path(folder, "m.pidf"), pathlib.Path(folder, "t.csv")
            table.write_text("a;b\n" + "".join(f"{value};{i}\n" for i, value in enumerate(values)), encoding="utf-8")
            fitted = run("fit", table, "--decimal", ",", "-o", model)
            return fitted, run("score", model, table, "--decimal", ",") if fitted.returncode == 0 else None

    def test_a_column_with_points_is_refused_by_fit_already(self):
        fitted, _ = self.fit_and_score("1.5", "2.5", "3.25", "1.5", "2")
        self.expect(fitted, BAD_DATA, "column 'a'", "decimal comma", "--decimal")

    def test_score_accepts_what_fit_accepts(self):
        for values in (["1,5", "2", "3,25"], ["1.5", "x", "1.5", "y"], ["1,5", "x", "y", "x"], ["1.234,5", "x", "x"], ["", "nan", "2"]):
            fitted, scored = self.fit_and_score(*values)
            self.assertEqual(fitted.returncode, 0, fitted.stderr)
            self.assertEqual(scored.returncode, 0, (values, scored.stderr))

    def test_a_text_among_numbers_with_commas_is_refused_as_among_numbers_with_points(self):
        fitted, _ = self.fit_and_score("1,5", "2,5", "3,5", "x")
        self.expect(fitted, BAD_DATA, "column 'a'", "must be a number, like 3 of 4 values", "'x'")


class Forgiving(CommandTest):
    """Tables as people write them give the model of the same table as programs write it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def model_of(self, name, text, *flags):
        table, model = self.folder / name, self.folder / f"{name}.pidf"
        table.write_text(text, encoding="utf-8")
        fitted = run("fit", table, "-o", model, *flags)
        self.assertEqual(fitted.returncode, 0, fitted.stderr)
        return model

    def test_words_for_missing_are_empty_fields(self):
        rows = [(i % 17, "" if i % 5 == 2 else i * i % 97) for i in range(120)]
        words = ["NA", "n/a", "-", "?", "null", "#N/A", "None", "NaN"]
        written = [(a, b if b != "" else words[i % len(words)]) for i, (a, b) in enumerate(rows)]
        plain, with_words = ("a,b\n" + "".join(f"{a},{b}\n" for a, b in table) for table in (rows, written))
        self.assertEqual(self.model_of("plain.csv", plain).read_bytes(), self.model_of("words.csv", with_words).read_bytes())

    def test_csv_json_lines_and_an_array_give_one_model(self):
        rows = [{"a": i % 13, "b": i * 7 % 31 / 4, "c": "xyz"[i % 3]} for i in range(90)]
        csv = "a,b,c\n" + "".join(f"{row['a']},{row['b']},{row['c']}\n" for row in rows)
        models = {
            self.model_of("t.csv", csv).read_bytes(),
            self.model_of("t.jsonl", "".join(json.dumps(row) + "\n" for row in rows)).read_bytes(),
            self.model_of("t.json", json.dumps(rows, indent=2)).read_bytes(),
            self.model_of("t.txt", json.dumps(rows)).read_bytes(),
        }
        self.assertEqual(len(models), 1)

    def test_a_model_remembers_how_its_table_was_read(self):
        text = "x|grade\n" + "".join(f"{i},5|{'gone' if i % 9 == 4 else 'AB'[i % 2]}\n" for i in range(60))
        flags = ["--delimiter", "|", "--decimal", ",", "--na", "gone"]
        model = self.model_of("bars.csv", text, *flags)
        scored = run("score", model, self.folder / "bars.csv")
        self.assertEqual(scored.returncode, 0, scored.stderr)
        self.assertEqual(scored.stdout, run("score", model, self.folder / "bars.csv", *flags).stdout)
        for verb in ("explain", "report"):
            again = run(verb, model, self.folder / "bars.csv", *(["-o", self.folder / "r.html"] if verb == "report" else []))
            self.assertEqual(again.returncode, 0, again.stderr)
        self.expect(run("score", model, self.folder / "bars.csv", "--delimiter", ";"), BAD_DATA, "no column 'x'")
        self.expect(run("score", model, self.folder / "bars.csv", "--append"), USAGE_ERROR, "--append and --decimal ,")

    def test_scores_of_numbers_as_written_are_those_of_plain_numbers(self):
        numbers = [(i * i * 37) % 90_000 / 4 for i in range(80)]
        plain = "a,b\n" + "".join(f"{number},{i % 7}\n" for i, number in enumerate(numbers))
        written = "a,b\n" + "".join(f'"${number:,.2f}",{i % 7}\n' for i, number in enumerate(numbers))
        model = self.model_of("written.csv", written)
        expected = run("score", self.model_of("plain.csv", plain), self.folder / "plain.csv").stdout
        self.assertEqual(run("score", model, self.folder / "written.csv").stdout, expected)
        self.assertIn(b"$", run("explain", model, self.folder / "written.csv", "--top", "1").stdout)
        (self.folder / "other.csv").write_text("a,b\n$1,1\nfree,2\n", encoding="utf-8")
        self.expect(run("score", model, self.folder / "other.csv"), BAD_DATA, "row 2, column 'a'", "$1,234.5", "'free'")


class Compressed(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.expected = run("detect", ROOT / "examples" / "fleet.csv").stdout
        self.assertTrue(self.expected)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def detect_stdin(self, content):
        return subprocess.run([BINARY, "detect", "-"], input=content, capture_output=True, timeout=60)

    def test_compressed_files_are_read_as_if_they_were_plain(self):
        half = PLAIN.index(b"\n", len(PLAIN) // 2) + 1
        for suffix, _, compress in compressors():
            for content in (compress(PLAIN), compress(PLAIN[:half]) + compress(b"") + compress(PLAIN[half:])):
                with self.subTest(suffix, size=len(content)):
                    self.assertEqual(run("detect", self.file(f"a.csv.{suffix}", content)).stdout, self.expected)
                    self.assertEqual(self.detect_stdin(content).stdout, self.expected)

    def test_zeros_after_gzip_data_are_no_data(self):
        found = run("detect", self.file("a.csv.gz", gzip.compress(PLAIN) + b"\0" * 300_000))
        self.assertEqual(found.stdout, self.expected)

    def test_a_schema_may_be_compressed_too(self):
        schema = self.file("s.json.gz", gzip.compress(b'{"columns": [{"name": "a", "kind": "continuous"}]}'))
        self.assertEqual(run("detect", "-", "--schema", schema, text="a\n1\n2\n").returncode, 0)

    def test_data_cut_short_are_told_by_byte(self):
        for suffix, name, compress in compressors():
            whole = compress(PLAIN)
            for n in (0, 1, 3, 4, 17, len(whole) // 2, len(whole) - 1):
                with self.subTest(suffix, n=n):
                    path = self.file(f"a.csv.{suffix}", whole[:n])
                    self.expect(run("detect", path), BAD_DATA, str(path), f"byte {n}:", name, "ends in the middle")

    def test_damaged_data_are_told_by_byte(self):
        for suffix, name, compress in compressors():
            whole = compress(PLAIN)
            middle = len(whole) // 2
            for content in (whole[:middle] + b"\xff" * 64 + whole[middle + 64 :], whole + b"more", b"a,b\n1,2\n"):
                with self.subTest(suffix, size=len(content)):
                    path = self.file(f"a.csv.{suffix}", content)
                    self.expect(run("detect", path), BAD_DATA, str(path), "byte ", name, "damaged")

    def test_a_name_that_hides_the_compression_is_told(self):
        for suffix, name, compress in compressors():
            path = self.file("a.csv", compress(PLAIN))
            self.expect(run("detect", path), BAD_DATA, f"'{path}' is {name}-compressed", f"{path}.{suffix}", f"{name} -d")

    def test_a_short_or_empty_standard_input_is_no_compressed_one(self):
        self.expect(self.detect_stdin(b""), BAD_DATA, "empty")
        self.assertEqual(self.detect_stdin(b"a\n1").returncode, 0)


if __name__ == "__main__":
    main()
