# SPDX-License-Identifier: Apache-2.0
"""Tests `pidforest completion` in shells, and `pidforest man`. PIDFOREST_BINARY is the path of the command."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from command import USAGE_ERROR, ROOT, CommandTest, main, run


def verbs():
    """Return every verb that the help lists."""
    listed = run("--help").stdout.decode().split("Subcommands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


def flags(*verb):
    """Return every long flag at the start of a line of the help."""
    lines = run(*verb, "--help").stdout.decode().splitlines()
    return [flag for line in lines if line.startswith("  -") for flag in line.split()[0].split(",")]


def offered(*words):
    """Return the completions that bash offers for the last word, with the examples as the current folder."""
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pidforest; printf "%s\\n" "${COMPREPLY[@]}"'
    with tempfile.NamedTemporaryFile() as file:
        file.write(run("completion", "bash").stdout)
        file.flush()
        found = subprocess.run(
            ["bash", "-c", script, "bash", file.name, "pidforest", *words],
            cwd=ROOT / "examples", capture_output=True, text=True, timeout=60, check=True,
        )
    return [line for line in found.stdout.splitlines() if line]


class Bash(unittest.TestCase):
    def test_the_first_word_is_a_verb(self):
        self.assertEqual(offered("de"), ["detect"])
        self.assertTrue(set(verbs()) <= set(offered("")))

    def test_every_flag_of_every_verb_is_offered(self):
        for verb in verbs():
            with self.subTest(verb):
                self.assertTrue(flags(verb))
                self.assertTrue(set(flags(verb)) <= set(offered(verb, "-")))

    def test_after_a_flag_its_words_or_files_are_offered(self):
        self.assertEqual(offered("detect", "--cuts", ""), ["sampled", "optimal"])
        self.assertEqual(offered("detect", "--preset", "p"), ["paper"])
        self.assertEqual(offered("detect", "--schema", "orders.s"), ["orders.schema.json"])
        self.assertEqual(offered("detect", "--top", ""), [])

    def test_elsewhere_files_are_offered_where_they_belong(self):
        self.assertEqual(offered("detect", "fl"), ["fleet.csv"])
        self.assertEqual(offered("options", "fl"), [])
        self.assertEqual(offered("completion", "f"), ["fish"])

    def test_the_command_is_registered(self):
        found = subprocess.run(
            ["bash", "-c", 'source /dev/stdin; complete -p pidforest'],
            input=run("completion", "bash").stdout, capture_output=True, timeout=60, check=True,
        )
        self.assertIn(b"-F _pidforest pidforest", found.stdout)


class OtherShells(CommandTest):
    def test_the_scripts_name_every_verb_and_flag(self):
        for shell, dash in (("zsh", "--"), ("fish", "-l ")):
            script = run("completion", shell).stdout.decode()
            for verb in verbs():
                self.assertIn(verb, script)
                for flag in flags(verb):
                    if flag.startswith("--"):
                        self.assertIn(dash + flag[2:], script, f"{shell}: {verb} {flag}")

    def test_the_scripts_are_proper_where_the_shell_is_installed(self):
        for shell, words in (("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])):
            if shutil.which(shell) is None:
                continue
            with self.subTest(shell), tempfile.NamedTemporaryFile() as file:
                file.write(run("completion", shell).stdout)
                file.flush()
                found = subprocess.run([shell, *words, file.name], capture_output=True, timeout=60)
                self.assertEqual((found.returncode, found.stderr), (0, b""))

    def test_a_shell_that_is_not_known_is_told(self):
        self.expect(run("completion", "csh"), USAGE_ERROR, "bash, zsh, fish", "got csh")


class Manual(unittest.TestCase):
    def setUp(self):
        self.page = run("man").stdout.decode()

    def test_every_verb_and_flag_has_an_entry(self):
        for verb in verbs():
            section = self.page.split(f".SS {verb}\n")[1].split("\n.SS ")[0]
            for flag in flags(verb):
                self.assertIn("\\fB" + flag.replace("-", "\\-") + "\\fR", section, verb)

    def test_every_exit_code_is_there(self):
        codes = re.findall(r"^  (\d+) ", run("--help").stdout.decode(), flags=re.MULTILINE)
        self.assertGreater(len(codes), 6)
        for code in codes:
            self.assertIn(f".TP\n{code}\n", self.page.split(".SH EXIT STATUS")[1])

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_nothing_to_complain_of(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "pidforest.1")
            path.write_text(self.page)
            found = subprocess.run(["groff", "-man", "-Tutf8", "-ww", path], capture_output=True, timeout=60)
        self.assertEqual((found.returncode, found.stderr), (0, b""))
        self.assertIn(b"pidforest", found.stdout)


if __name__ == "__main__":
    main()
