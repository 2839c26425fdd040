# SPDX-License-Identifier: Apache-2.0
"""The inputs of the command: compressed files, standard input, and damaged files. PIDFOREST_BINARY is its path."""

import bz2
import gzip
import io
import lzma
import pathlib
import subprocess
import tempfile
import zipfile

from command import BAD_DATA, BINARY, ROOT, USAGE_ERROR, CommandTest, main, run

PLAIN = (ROOT / "examples" / "fleet.csv").read_bytes()


def zstd(content):
    return subprocess.run(["zstd", "-q", "-c"], input=content, capture_output=True, check=True).stdout


def zipped(content, name="table.csv", method=zipfile.ZIP_DEFLATED):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", method) as file:
        file.writestr(name, content)
    return archive.getvalue()


class Pipe(io.RawIOBase):
    """A file that cannot go back, so that the sizes come after the content."""

    def __init__(self):
        self.content = b""

    def writable(self):
        return True

    def write(self, content):
        self.content += bytes(content)
        return len(content)


def zipped_into_a_pipe(content):
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as file, file.open("table.csv", "w", force_zip64=True) as member:
        member.write(content)
    return pipe.content


COMPRESSORS = [("gz", "gzip", gzip.compress), ("zst", "zstd", zstd), ("xz", "xz", lzma.compress), ("bz2", "bzip2", bz2.compress)]
"""Formats whose files may be joined."""


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


class Encodings(CommandTest):
    """Each file must be read as its text in UTF-8."""

    TEXT = "städte,größe,€\n" + "".join(f"{'Köln' if i % 3 else 'Malmö’s'},{i % 7},{'naïve' if i % 5 else 'plain'}\n" for i in range(3000))

    def schema_of(self, content, *flags):
        found = subprocess.run([BINARY, "schema", "-", *flags], input=content, capture_output=True, timeout=60, check=False)
        return found.returncode, found.stdout, found.stderr.decode()

    def setUp(self):
        code, self.expected, words = self.schema_of(self.TEXT.encode())
        self.assertEqual((code, "UTF" in words), (0, False), words)
        self.assertIn("Malmö’s", self.expected.decode())

    def test_latin_1_is_recognised_and_counted(self):
        content = self.TEXT.encode("cp1252")
        code, schema, words = self.schema_of(content)
        self.assertEqual((code, schema), (0, self.expected))
        n = sum(byte >= 0x80 for byte in content)
        self.assertIn(f"{n} bytes that are not UTF-8 were read as Latin-1 (Windows-1252), the first at byte 2;", words)
        self.assertEqual(self.schema_of(content, "--encoding", "latin-1"), (0, self.expected, ""))

    def test_one_byte_of_latin_1_late_in_a_file_is_recognised(self):
        content = b"a,b\n" + b"1,x\n" * 100_000 + b"2,\xe4\n3,\xe4\n"
        code, schema, words = self.schema_of(content)
        self.assertEqual(code, 0)
        self.assertIn("ä", schema.decode())
        self.assertIn("2 bytes", words)
        self.assertIn("the first at byte 400006", words)

    def test_utf_16_is_recognised_with_a_mark_or_without(self):
        for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
            text = "x" + self.TEXT  # without a mark, the first two characters must be of ASCII
            code, schema, words = self.schema_of(text.encode(encoding))
            self.assertEqual((code, schema), (0, self.schema_of(text.encode())[1]), encoding)
            self.assertIn("the file is UTF-16", words)
        code, schema, _ = self.schema_of("a\n\U0001f600\n\ud800x\ny\n".encode("utf-16-le", "surrogatepass"), "--encoding", "utf-16")
        self.assertIn("\U0001f600", schema.decode())
        self.assertIn("\ufffdx", schema.decode())

    def test_utf_8_refuses_other_bytes(self):
        code, _, words = self.schema_of(self.TEXT.encode("cp1252"), "--encoding", "utf-8")
        self.assertEqual(code, BAD_DATA)
        self.assertIn("must be UTF-8", words)

    def test_an_encoding_that_is_not_known_is_told(self):
        self.expect(run("schema", "-", "--encoding", "ebcdic"), USAGE_ERROR, "auto, utf-8, utf-16, latin-1", "ebcdic")

    def test_a_character_that_two_reads_share_is_whole(self):
        with subprocess.Popen([BINARY, "schema", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            for i in range(len(content := self.TEXT[:200].encode())):
                process.stdin.write(content[i : i + 1])
                process.stdin.flush()
            process.stdin.write(self.TEXT[200:].encode())
            self.assertEqual(process.communicate(timeout=60)[0], self.expected)


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
        for suffix, _, compress in COMPRESSORS:
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
        for suffix, name, compress in COMPRESSORS:
            whole = compress(PLAIN)
            for n in (0, 1, 3, 4, 17, len(whole) // 2, len(whole) - 1):
                with self.subTest(suffix, n=n):
                    path = self.file(f"a.csv.{suffix}", whole[:n])
                    self.expect(run("detect", path), BAD_DATA, str(path), f"byte {n}:", name, "ends in the middle")

    def test_damaged_data_are_told_by_byte(self):
        for suffix, name, compress in COMPRESSORS:
            whole = compress(PLAIN)
            middle = len(whole) // 2
            for content in (whole[:middle] + b"\xff" * 64 + whole[middle + 64 :], whole + b"more" * 4, b"a,b\n1,2\n" * 4):
                with self.subTest(suffix, size=len(content)):
                    path = self.file(f"a.csv.{suffix}", content)
                    self.expect(run("detect", path), BAD_DATA, str(path), "byte ", name, "damaged")

    def test_a_name_that_hides_the_compression_is_told(self):
        for suffix, name, compress in COMPRESSORS:
            path = self.file("a.csv", compress(PLAIN))
            self.expect(run("detect", path), BAD_DATA, f"'{path}' is {name}-compressed", f"{path}.{suffix}", f"{name} -d")

    def test_a_zip_archive_with_one_member_is_read_as_its_member(self):
        for content in (zipped(PLAIN), zipped(PLAIN, method=zipfile.ZIP_STORED), zipped_into_a_pipe(PLAIN)):
            self.assertEqual(run("detect", self.file("a.csv.zip", content)).stdout, self.expected)
            self.assertEqual(self.detect_stdin(content).stdout, self.expected)

    def test_other_zip_archives_are_refused(self):
        several = io.BytesIO()
        with zipfile.ZipFile(several, "w") as file:
            file.writestr("a.csv", PLAIN)
            file.writestr("b.csv", PLAIN)
        bad = bytearray(zipped(PLAIN, method=zipfile.ZIP_STORED))
        bad[len(bad) // 2] ^= 1
        locked = bytearray(zipped(PLAIN))
        locked[6] |= 1
        bzip2_inside = zipped(PLAIN, method=zipfile.ZIP_BZIP2)
        for content, words in (
            (several.getvalue(), "must have one member; it has several"),
            (zipped(PLAIN, name="[Content_Types].xml"), "is an Excel workbook"),
            (zipped(b"", name="folder/"), "its first is a folder"),
            (bytes(bad), "does not match its checksum"),
            (bytes(locked), "is encrypted"),
            (bzip2_inside, "it uses method 12"),
            (zipped(PLAIN)[:300], "ends in the middle of its zip data"),
            (b"a,b\n1,2\n" * 9, "not a zip archive"),
        ):
            with self.subTest(words):
                self.expect(run("detect", self.file("a.zip", content)), BAD_DATA, "a.zip", words)

    def test_a_workbook_of_excel_is_called_so(self):
        path = self.file("a.xlsx", zipped(PLAIN, name="[Content_Types].xml"))
        self.expect(run("detect", path), BAD_DATA, "Excel", "CSV")

    def test_xz_data_that_need_too_much_memory_are_refused(self):
        filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29}]
        path = self.file("a.csv.xz", lzma.compress(PLAIN, filters=filters))
        self.expect(run("detect", path), BAD_DATA, str(path), "needs more than 256 MB", "xz -d")

    def test_a_short_or_empty_standard_input_is_no_compressed_one(self):
        self.expect(self.detect_stdin(b""), BAD_DATA, "empty")
        self.assertEqual(self.detect_stdin(b"a\n1").returncode, 0)


if __name__ == "__main__":
    main()
