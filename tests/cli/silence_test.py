# SPDX-License-Identifier: Apache-2.0
"""Keys that fall silent: `pidforest stream --silent-after`. PIDFOREST_BINARY is the path of the command."""

import csv
import io
import json
import pathlib
import random
import signal
import subprocess
import tempfile
import time

from command import ANOMALIES_FOUND, BINARY, LONGEST, USAGE_ERROR, CommandTest, main, run

FLAGS = ["--horizon", "60", "--warm-up", "20", "--n-estimators", "5", "--time", "at", "--by", "host", "--min-bits", "60"]


def at(minute):
    return f"2026-03-02 {minute // 60:02}:{minute % 60:02}"


def events(n, silent=(), hosts="abc"):
    """One event per host and minute; `silent` has the host and the first and last minute of each silence."""
    source = random.Random(4)
    lines = ["at,host,load"]
    for minute in range(n):
        for host in hosts:
            if not any(host == who and first <= minute <= last for who, first, last in silent):
                lines.append(f"{at(minute)},{host},{source.gauss(10, 1):.3f}")
    return "".join(line + "\n" for line in lines)


class Silence(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def stream(self, *flags, text):
        found = run("stream", "--every-event", *FLAGS, *flags, text=text)
        self.assertEqual(found.returncode, 0, found.stderr.decode())
        return found

    def silences(self, text, *flags):
        """Return the time and key of each line of a silence."""
        found = self.stream("--silent-after", "10min", "--quiet", *flags, text=text).stdout.decode()
        rows = [row for row in csv.DictReader(io.StringIO(found)) if row["reason"].startswith("silent")]
        for row in rows:
            self.assertEqual((row["score"], row["is_anomaly"], row["load"]), ("", "1", ""))
            self.assertEqual(row["reason"], "silent: no event for 10min since this one")
        return [(row["at"], row["host"]) for row in rows]

    def test_a_key_without_events_is_reported_once_until_it_speaks_again(self):
        silent = [("b", 50, 90), ("b", 100, 120), ("c", 60, 200)]
        expected = [(at(49), "b"), (at(59), "c"), (at(99), "b")]
        self.assertEqual(self.silences(events(200, silent)), expected)

    def test_a_short_pause_is_no_silence(self):
        self.assertEqual(self.silences(events(100, [("b", 50, 58)])), [])
        self.assertEqual(self.silences(events(100, [("b", 50, 59)])), [(at(49), "b")])

    def test_a_gap_of_all_keys_is_a_silence_of_each(self):
        text = events(100, [(host, 40, 60) for host in "abc"])
        self.assertEqual(self.silences(text), [(at(39), host) for host in "abc"])

    def test_the_line_of_a_silence_comes_before_the_event_that_shows_it(self):
        found = self.stream("--silent-after", "10min", text=events(70, [("b", 30, 99)])).stdout.decode().splitlines()
        i = next(i for i, line in enumerate(found) if "silent" in line)
        self.assertEqual(found[i], f"{at(29)},b,,,1,silent: no event for 10min since this one")
        self.assertTrue(found[i + 1].startswith(at(40)), found[i + 1])

    def test_other_lines_do_not_change(self):
        text = events(100, [("b", 30, 60)])
        plain = self.stream(text=text).stdout.decode().splitlines()
        found = self.stream("--silent-after", "10min", text=text).stdout.decode().splitlines()
        self.assertEqual([line for line in found if "silent" not in line], plain)

    def test_findings_and_events_may_be_json(self):
        text = events(70, [("b", 30, 99)])
        found = self.stream("--silent-after", "10min", "--json", text=text).stdout.decode().splitlines()
        line = next(json.loads(line) for line in found if "silent" in line)
        self.assertEqual((line["event"], line["score"], line["is_anomaly"]), (f"{at(29)},b,", None, True))
        rows = [json.dumps(row) for row in csv.DictReader(io.StringIO(text))]
        found = self.stream("--silent-after", "10min", "--format", "jsonl", text="\n".join(rows) + "\n").stdout.decode().splitlines()
        line = next(json.loads(line) for line in found if "silent" in line)
        self.assertEqual(line, {"at": at(29), "host": "b", "score": None, "is_anomaly": True, "reason": "silent: no event for 10min since this one"})

    def test_without_keys_the_stream_as_a_whole_falls_silent(self):
        text = "at,load\n" + "".join(f"{at(minute)},{minute % 7}\n" for minute in range(100) if not 50 <= minute < 80)
        flags = ["--horizon", "60", "--warm-up", "20", "--n-estimators", "5", "--time", "at", "--silent-after", "10min", "--quiet"]
        found = run("stream", "--every-event", *flags, text=text).stdout.decode()
        self.assertEqual([line for line in found.splitlines() if "silent" in line], [f"{at(49)},,,1,silent: no event for 10min since this one"])

    def test_a_clock_that_is_set_back_begins_again(self):
        text = events(100) + "".join(f"{at(minute % 60)},{host},10\n" for minute in range(40) for host in "abc")
        self.assertEqual(self.silences(text), [])

    def test_the_summary_counts_and_the_exit_code_tells(self):
        text = events(70, [("b", 30, 99)])
        found = run("stream", *FLAGS, "--silent-after", "10min", "--anomalies-only", "--fail-on-anomaly", text=text)
        self.assertEqual(found.returncode, ANOMALIES_FOUND)
        self.assertIn("1 silence", found.stderr.decode())
        self.assertEqual(found.stdout.count(b"\n"), 2)

    def test_a_state_knows_who_was_heard_and_who_is_silent(self):
        text = events(120, [("b", 30, 60), ("c", 40, 200)])
        expected = self.stream("--silent-after", "10min", text=text).stdout
        source = random.Random(6)
        found, begin = b"", 0
        while begin < len(text):
            size = source.choice([1, 30, 100, 300])
            flags = ["--silent-after", "10min", "--state", self.folder / "s", "--quiet"]
            found += self.stream(*flags, text=text[begin : begin + size]).stdout
            begin += size
        self.assertEqual(found, expected)

    def test_a_file_that_is_followed_falls_silent_by_the_wall_clock(self):
        path = self.folder / "events.csv"
        path.write_text(events(30))
        words = [BINARY, "stream", path, "--follow", "--silent-after", "500ms", "--anomalies-only", *FLAGS]
        with subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            self.addCleanup(process.kill)
            found = [process.stdout.readline().decode() for _ in range(1 + 3 * 29)]  # the header, and each event minute but the last
            begin = time.monotonic()
            found = [process.stdout.readline().decode() for _ in range(3)]
            self.assertEqual([line[: len(at(0)) + 2] for line in found], [f"{at(29)},{host}" for host in "abc"])
            self.assertLess(time.monotonic() - begin, LONGEST)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.stdout.read(), b"")

    def test_times_and_silences_go_on_after_a_history(self):
        text = events(60, [("b", 20, 29)])
        lines = text.splitlines(keepends=True)
        past = self.folder / "past.csv"
        past.write_text("".join(lines[:100]))
        rest = lines[0] + "".join(line for line in lines[100:] if ",b," not in line)
        flags = ["--horizon", "60", "--warm-up", "20", "--n-estimators", "5", "--time", "at", "--by", "host", "--min-bits", "60"]
        found = run("stream", *flags, "--history", past, "--silent-after", "10min", "--quiet", text=rest).stdout.decode()
        silent = [line.split(",")[:6] for line in found.splitlines() if "silent" in line]
        self.assertEqual([line[1:4] for line in silent], [["silent", "b", [line for line in lines[:100] if ",b," in line][-1].split(",")[0]]])

    def test_flags_that_cannot_be_are_refused(self):
        self.expect(run("stream", "--silent-after", "10min"), USAGE_ERROR, "--silent-after requires --time")
        self.expect(run("stream", "--silent-after", "10", "--time", "at"), USAGE_ERROR, "--silent-after must be")


if __name__ == "__main__":
    main()
