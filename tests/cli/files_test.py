# SPDX-License-Identifier: Apache-2.0
"""The files that the flags of a verb name: no output destroys an input, and outputs are checked before the work.

The cases are made from the flags that --help lists, so that a new flag cannot be forgotten.
"""

import os
import pathlib
import re
import resource
import subprocess
import tempfile
import unittest

import command
from command import FILE_ERROR, USAGE_ERROR, run

TABLE = "x,y,z\n" + "".join(f"{i % 7},{i % 11},{i % 5}\n" for i in range(300))
BASE = {
    "detect": ["FILE"],
    "fit": ["FILE", "-o,--output"],
    "score": ["MODEL", "FILE"],
    "explain": ["MODEL", "FILE"],
    "report": ["MODEL", "FILE", "-o,--output"],
    "stream": ["FILE"],
    "inspect": ["MODEL"],
    "exact": ["FILE"],
    "schema": ["FILE"],
}
"""The arguments and flags that a verb needs."""
INPUTS = {"FILE", "MODEL", "--schema", "--suppress", "--against", "--config", "--history"}
OUTPUTS = {"--output", "-o,--output", "--report", "--model", "--state"}
FLAG = re.compile(r"^  ((?:-\w,)?(?:--)?[\w-]+)(?: (FILE|MODEL|\S+))?(?: \.\.\.)?(?: |$)", re.MULTILINE)


def file_flags(verb):
    """The arguments and flags of a verb whose value is a file."""
    text = run(verb, "--help").stdout.decode()
    found = FLAG.findall(text[text.index("Positionals:") :])
    return [name for name, kind in found if kind in ("FILE", "MODEL") or name in ("FILE", "MODEL")]


def pairs():
    """Every verb with every two of its files, at least one of which is an output."""
    for verb in BASE:
        flags = file_flags(verb)
        for output in [flag for flag in flags if flag in OUTPUTS]:
            for other in flags:
                if other != output and (other in INPUTS or other < output):
                    yield verb, other, output


class FilesTest(command.CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.paths = {"FILE": self.at("table.csv", TABLE), "--schema": self.at("schema.json", run("schema", "-", text=TABLE).stdout)}
        self.paths["--suppress"] = self.at("rules.json", "[]")
        self.paths["--history"] = self.at("history.csv", TABLE)
        self.paths["--config"] = self.at("pidforest.toml", "quiet = true\n")
        self.paths["--against"] = self.at("other.csv", TABLE)
        self.paths["MODEL"] = self.folder / "model.pidf"
        self.assertEqual(run("fit", self.paths["FILE"], "-o", self.paths["MODEL"]).returncode, 0)
        for i, flag in enumerate(sorted(OUTPUTS)):
            self.paths[flag] = self.folder / f"output-{i}"

    def at(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def words(self, verb, given):
        """A command with the files that its verb needs, and `given`: flags and their paths."""
        files = {flag: self.paths[flag] for flag in BASE[verb]} | given
        words = [verb]
        for flag, path in sorted(files.items(), key=lambda item: item[0] == "FILE"):
            words += [path] if flag in INPUTS and not flag.startswith("-") else [flag.split(",")[-1], path]
        return words

    def contents(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}

    def links_to(self, path):
        """The path, and other ways to the same file."""
        soft, hard = self.folder / "soft", self.folder / "hard"
        for link in (soft, hard):
            link.unlink(missing_ok=True)
        soft.symlink_to(path.name)
        yield path
        yield f"{self.folder}/./{path.name}"
        yield soft
        if path.exists():
            os.link(path, hard)
            yield hard

    def test_every_flag_that_names_a_file_is_an_input_or_an_output(self):
        for verb in BASE:
            self.assertTrue(file_flags(verb), verb)
            self.assertEqual(set(file_flags(verb)) - INPUTS - OUTPUTS, set(), verb)
        for verb in ("options", "completion", "man"):
            self.assertEqual(file_flags(verb) if "Positionals:" in run(verb, "--help").stdout.decode() else [], [], verb)

    def test_no_output_is_one_of_the_inputs_or_another_output_whatever_links_lead_to_it(self):
        tried = set()
        for verb, other, output in pairs():
            for path in self.links_to(self.paths[other]):
                before = self.contents()
                found = run(*self.words(verb, {other: self.paths[other], output: path}))
                self.expect(found, USAGE_ERROR, output.split(",")[-1], other.split(",")[-1], "same file")
                self.assertEqual(self.contents(), before, (verb, other, output))
                tried.add((verb, other, output))
        self.assertIn(("stream", "FILE", "--output"), tried)
        self.assertIn(("stream", "--output", "--state"), tried)
        self.assertIn(("detect", "FILE", "--report"), tried)
        self.assertIn(("score", "MODEL", "--output"), tried)
        self.assertIn(("fit", "FILE", "-o,--output"), tried)

    def test_standard_input_and_output_may_be_files_too(self):
        table, model = self.paths["FILE"], self.paths["MODEL"]
        with table.open("rb") as text:
            words = [command.BINARY, "stream", "--every-event", "--output", table]
            self.expect(subprocess.run(words, stdin=text, capture_output=True, check=False), USAGE_ERROR, "--output", "same file")
        with table.open("ab") as end:
            for words in (["stream", table], ["score", model, table], ["explain", model, table], ["report", model, table, "-o", "-"]):
                found = subprocess.run([command.BINARY, *words], stdout=end, stderr=subprocess.PIPE, timeout=60, check=False)
                self.assertEqual(found.returncode, USAGE_ERROR, words)
                self.assertIn(b"same file", found.stderr)
        self.assertEqual(table.read_text(), TABLE)

    def test_one_device_may_be_the_output_of_several_flags(self):
        found = run("detect", self.paths["FILE"], "--output", "/dev/null", "--report", "/dev/null", "--model", "/dev/null")
        self.assertEqual(found.returncode, 0, found.stderr)

    def test_an_output_that_cannot_be_written_is_reported_before_the_input_is_read(self):
        for verb in BASE:
            for output in [flag for flag in file_flags(verb) if flag in OUTPUTS]:
                path = self.folder / "gone" / "output"
                found = run(*self.words(verb, {output: path, "FILE": self.folder / "no-such-table"}))
                self.expect(found, FILE_ERROR, str(path))

    def test_a_file_beyond_the_limit_of_the_process_is_refused_and_leaves_nothing(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        for words, output in ((self.words("fit", {}), "-o,--output"), ([*self.words("stream", {"--output": self.paths["--output"]}), "--every-event"], "")):
            before = set(self.contents())
            found = run(*words, preexec_fn=limit)
            self.assertEqual(found.returncode, FILE_ERROR, (words, found))
            self.assertIn(b"File too large", found.stderr)
            self.assertEqual(set(self.contents()) - before - ({self.paths["--output"].name} if not output else set()), set())


if __name__ == "__main__":
    command.main()
