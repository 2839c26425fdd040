# SPDX-License-Identifier: Apache-2.0
"""Events with offsets, as Kafka has them: `pidforest stream --offsets`. PIDFOREST_BINARY is the path of the command."""

import json
import pathlib
import random
import tempfile

from command import BAD_DATA, BAD_MODEL, USAGE_ERROR, CommandTest, main, run

FLAGS = ["--offsets", "partition,offset", "--horizon", "60", "--warm-up", "20", "--n-estimators", "5"]
HEADER = "partition,offset,host,load\n"


def events(n, n_partitions=2):
    source = random.Random(8)
    counts = [100] * n_partitions
    lines = []
    for _ in range(n):
        partition = source.randrange(n_partitions)
        lines.append(f"{partition},{counts[partition]},{'ab'[partition % 2]},{source.gauss(10, 1):.3f}\n")
        counts[partition] += source.choice([1, 1, 3])  # compacted topics have gaps
    return lines


class OffsetsTest(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.state, self.output = self.folder / "s", self.folder / "out"

    def stream(self, text, *flags):
        found = run("stream", *FLAGS, *flags, text=text)
        self.assertEqual(found.returncode, 0, found.stderr.decode())
        return found

    def test_events_that_were_scored_are_left_out(self):
        lines = events(200)
        for form in (["--every-event"], ["--every-event", "--json"], ["--by", "host", "--min-bits", "2"]):
            with self.subTest(form=form):
                expected = self.stream(HEADER + "".join(lines), *form).stdout
                source = random.Random(5)
                for file in (self.state, self.output):
                    file.unlink(missing_ok=True)
                end = 0
                while end < len(lines):
                    begin = max(0, end - source.randrange(40))
                    end = min(len(lines), end + source.randrange(30))
                    torn = lines[end][:5] if end < len(lines) else ""
                    flags = ["--state", self.state, "--output", self.output, "--quiet"]
                    self.stream(HEADER + "".join(lines[begin:end]) + torn, *form, *flags)
                flags = [] if "--every-event" in form else ["--quiet"]
                found = self.output.read_bytes()
                if "--every-event" in form:
                    self.assertEqual(found, expected)
                else:  # without a state, an incident that is open at the end has a line more
                    self.assertEqual(found, b"".join(line for line in expected.splitlines(keepends=True) if b",unclosed," not in line))

    def test_json_lines_have_offsets_too(self):
        lines = []
        for line in events(100):
            partition, offset, host, load = line.strip().split(",")
            lines.append(json.dumps({"partition": int(partition), "offset": int(offset), "host": host, "load": float(load)}) + "\n")
        expected = self.stream("".join(lines), "--every-event").stdout
        for begin, end in ((0, 50), (20, 70), (70, 100)):
            self.stream("".join(lines[begin:end]), "--every-event", "--state", self.state, "--output", self.output)
        self.assertEqual(self.output.read_bytes(), expected)

    def test_offsets_are_no_features(self):
        lines = events(200)
        found = self.stream(HEADER + "".join(lines), "--every-event", "--json", "--min-bits", "0").stdout.decode().splitlines()
        names = {bits["column"] for line in found for bits in json.loads(line).get("column_bits", [])}
        self.assertIn("load", names)
        self.assertLessEqual(names, {"host", "load"})

    def test_the_state_tells_the_next_offsets(self):
        lines = events(100)
        self.stream(HEADER + "".join(lines), "--state", self.state)
        last = {line.split(",")[0]: int(line.split(",")[1]) for line in lines}
        found = run("inspect", "--offsets", self.state)
        self.assertEqual(found.stdout.decode(), "".join(f"{one} {last[one] + 1}\n" for one in sorted(last)))
        (self.folder / "x").write_text("x")
        self.expect(run("inspect", "--offsets", self.folder / "x"), BAD_MODEL, "x")

    def test_a_line_with_a_bad_offset_is_skipped_and_reported(self):
        lines = events(60)
        bad = ["0,-1,a,1\n", "0,x,a,1\n", "0,1.5,a,1\n", "0,,a,1\n", "broken\n"]
        found = self.stream(HEADER + "".join(lines[:50] + bad + lines[50:]), "--every-event")
        self.assertEqual(found.stdout, self.stream(HEADER + "".join(lines), "--every-event").stdout)
        self.assertIn("5 unreadable lines", found.stderr.decode())

    def test_flags_that_cannot_be_are_refused(self):
        self.expect(run("stream", "--offsets", "a"), USAGE_ERROR, "--offsets must name two columns")
        self.expect(run("stream", "--offsets", "a,a"), USAGE_ERROR, "--offsets must name two columns")
        self.expect(run("stream", "--offsets", "a,b", "--replayed", "--state", "s"), USAGE_ERROR, "--offsets is for standard input")
        self.expect(run("stream", "x.csv", "--offsets", "a,b"), USAGE_ERROR, "--offsets is for standard input")
        self.expect(run("stream", "--offsets", "partition,offset", text="partition,load\n0,1\n"), BAD_DATA, "'offset' of --offsets")


if __name__ == "__main__":
    main()
