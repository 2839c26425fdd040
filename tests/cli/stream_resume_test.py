# SPDX-License-Identifier: Apache-2.0
"""Stops `pidforest stream` anywhere in its input and resumes it: no line is lost, torn or taken twice.

PIDFOREST_BINARY is the path of the command.
"""

import fcntl
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import termios

from command import BAD_DATA, BINARY, CommandTest, main, run

SMALL = ["--horizon", "60", "--warm-up", "20", "--n-estimators", "5"]


def events(n, end="\n"):
    """Return the text of a CSV file with numbers, words beyond ASCII, and a few bad lines."""
    source = random.Random(3)
    lines = ["load,größe,state"]
    for i in range(n):
        lines.append(f"{source.gauss(10, 1):.3f},{source.random():.2f},{source.choice(['ok', 'ok', 'träge'])}")
        if i % 17 == 5:
            lines.append("broken")
    return "".join(line + end for line in lines).encode()


def n_unread(pipe):
    """Return how many bytes of a pipe its reader has not read yet."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


class Resume(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.input = self.folder / "events.csv"
        self.output = self.folder / "scored.csv"
        self.state = self.folder / "stream.state"

    def stream(self, *flags, text=b""):
        result = subprocess.run([BINARY, "stream", "--every-event", *SMALL, *map(str, flags)], input=text, capture_output=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_a_half_written_line_of_a_growing_file_waits_for_its_rest(self):
        text = events(60)
        expected = self.stream(text=text + b"0.25,0.5,ok\n").stdout
        flags = [self.input, "--state", self.state, "--output", self.output]
        self.input.write_bytes(text + b"0.2")
        first = self.stream(*flags)
        self.assertIn("3 bytes", first.stderr.decode())
        self.assertNotIn(b"0.2,", self.output.read_bytes())
        self.input.write_bytes(text + b"0.25,0.5,ok\n")
        self.stream(*flags)
        self.assertEqual(self.output.read_bytes(), expected)

    def test_a_file_that_grows_byte_by_byte_gives_the_output_of_the_whole_file(self):
        for end in ("\n", "\r\n"):
            text = events(40, end)
            expected = self.stream(text=text).stdout
            source = random.Random(5)
            for file in (self.output, self.state):
                file.unlink(missing_ok=True)
            size = 0
            while size < len(text):
                size = min(len(text), size + source.choice([1, 2, 20, 100, 300]))
                self.input.write_bytes(text[:size])
                self.stream(self.input, "--state", self.state, "--output", self.output, "--quiet")
            self.assertEqual(self.output.read_bytes(), expected)

    def test_a_standard_input_in_pieces_gives_the_output_of_the_whole(self):
        for end in ("\n", "\r\n"):
            text = events(40, end)
            expected = self.stream(text=text).stdout
            source = random.Random(6)
            self.state.unlink(missing_ok=True)
            begin, found = 0, b""
            while begin < len(text):
                size = source.choice([1, 2, 20, 100, 300])
                found += self.stream("--state", self.state, "--quiet", text=text[begin : begin + size]).stdout
                begin += size
            self.assertEqual(found, expected)

    def test_json_lines_in_pieces_give_the_output_of_the_whole(self):
        source = random.Random(7)
        text = "".join(f'{{"load": {source.gauss(10, 1):.3f}, "größe": "ü{source.randrange(3)}"}}\n' for _ in range(40)).encode()
        expected = self.stream("--format", "jsonl", text=text).stdout
        for form in (["--format", "jsonl"], []):
            self.state.unlink(missing_ok=True)
            begin, found = 0, b""
            while begin < len(text):
                size = source.choice([1, 2, 20, 100, 300])
                piece = text[begin : begin + size]
                found += self.stream(*form, "--state", self.state, "--quiet", text=piece).stdout
                begin += size
            self.assertEqual(found, expected)

    def test_columns_without_values_in_the_warm_up_are_kept_undecided(self):
        text = b"load,state\n" + b",\n" * 40 + b"7,ok\n" * 5
        expected = self.stream(text=text).stdout
        flags = [self.input, "--state", self.state, "--output", self.output]
        for n in (150, len(text)):
            self.input.write_bytes(text[:n])
            self.stream(*flags)
        self.assertEqual(self.output.read_bytes(), expected)

    def test_a_line_that_is_too_long_is_one_bad_line_in_pieces_too(self):
        text = events(30) + b"9" * 40_000_000
        self.stream("--state", self.state, text=text)
        second = self.stream("--state", self.state, text=b"9\n" + b"1,2,ok\n")
        self.assertEqual(second.stdout.count(b"\n"), 1)
        n_lines = text.count(b"\n")
        self.assertIn(f"resuming within line {n_lines + 1} (byte {len(text)})", second.stderr.decode())
        self.assertIn("16777216 bytes", second.stderr.decode())

    def test_a_replayed_input_gives_the_output_of_the_whole(self):
        text = events(40)
        expected = self.stream(text=text).stdout
        for size in (3, 30, 200, 201, 555, len(text)):
            self.stream("--state", self.state, "--replayed", "--output", self.output, text=text[:size])
        self.assertEqual(self.output.read_bytes(), expected)

    def test_an_input_that_ends_without_a_line_end_is_read_to_its_end(self):
        text = events(40)
        self.assertEqual(self.stream(text=text[:-1]).stdout, self.stream(text=text).stdout)

    def test_sigterm_in_the_middle_of_a_line_keeps_its_beginning(self):
        text = events(40)
        expected = self.stream(text=text).stdout
        for place in (5, 300, len(text) - 4):
            self.state.unlink(missing_ok=True)
            words = [BINARY, "stream", "--every-event", *SMALL, "--state", self.state]
            with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                process.stdin.write(text[:place])
                process.stdin.flush()
                while n_unread(process.stdin):
                    pass
                process.send_signal(signal.SIGTERM)
                first, _ = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 0)
            second = self.stream("--state", self.state, text=text[place:]).stdout
            self.assertEqual(first + second, expected)

    def test_an_empty_input_has_no_header_row(self):
        self.expect(run("stream", "--every-event", "--state", self.state), BAD_DATA, "header row")


if __name__ == "__main__":
    main()
