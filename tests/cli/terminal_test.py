# SPDX-License-Identifier: Apache-2.0
"""Data must not control the terminal: names and values with escapes, on a terminal and in a pipe.

PIDFOREST_BINARY is the path of the command.
"""

import os
import pathlib
import pty
import re
import subprocess
import tempfile

from command import BINARY, CommandTest, main, run

HOSTILE = ["\x1b[2J", "\x1b]0;title\x07", "\x85", "\x9b31m", "\u202e", "\u2066", "\x08", "\x7f"]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(*arguments, text=b""):
    """Run the command with a terminal as its standard output, and return what the terminal gets."""
    ours, theirs = pty.openpty()
    words = [BINARY, *map(str, arguments)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        process.stdin.write(text)
        process.stdin.close()
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        code = process.wait(60)
    if code != 0:
        raise AssertionError((words, code))
    return shown.decode()


class Terminal(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.table = self.folder / "t.csv"
        header = ",".join(f'"n{i}{hostile}"' for i, hostile in enumerate(HOSTILE))
        rows = [",".join(f"{(i * 7 + j) % 5}" if j % 2 else f"v{HOSTILE[(i + j) % 8]}" for j in range(8)) for i in range(80)]
        self.table.write_bytes("\n".join([header, *rows, ""]).encode())
        self.model = self.folder / "m.pidf"
        found = run("fit", self.table, "-o", self.model)
        self.assertEqual(found.returncode, 0, found.stderr)

    def expect_harmless(self, shown):
        shown = shown.replace("\r\n", "\n")
        self.assertGreater(len(shown), 20)
        self.assertEqual(re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown), [])

    def test_no_verb_lets_data_control_the_terminal(self):
        stream = ("stream", "--every-event", self.table, "--warm-up", "20", "--n-estimators", "5")
        for words in (
            ("schema", self.table),
            ("inspect", self.model),
            ("inspect", self.model, "--schema"),
            ("inspect", self.model, "--json"),
            ("score", self.model, self.table, "--append"),
            ("detect", self.table, "--color", "never"),
            ("detect", self.table, "--json"),
            ("explain", self.model, self.table),
            ("explain", self.model, self.table, "--json"),
            stream,
            (*stream, "--json"),
        ):
            with self.subTest(words[0]):
                self.expect_harmless(on_terminal(*words))

    def test_the_colours_of_a_table_are_ours(self):
        shown = on_terminal("detect", self.table, "--color", "always")
        self.assertRegex(shown, COLOUR)
        self.expect_harmless(COLOUR.sub("", shown))

    def test_a_pipe_gets_the_data_as_it_is(self):
        lines = run("stream", "--every-event", self.table, "--warm-up", "20", "--n-estimators", "5").stdout.decode().splitlines()
        self.assertTrue(lines[0].startswith(self.table.read_text().splitlines()[0]))


if __name__ == "__main__":
    main()
