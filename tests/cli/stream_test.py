# SPDX-License-Identifier: Apache-2.0
"""Runs `pidforest stream`: lines in, scored lines out. PIDFOREST_BINARY is the path of the command."""

import contextlib
import csv
import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import unittest

from command import USAGE_ERROR, BAD_DATA, BAD_MODEL, BINARY, FILE_ERROR, IS_SANITIZED, ROOT, CommandTest, main, run
from made_events import SMALL, events, rows_of, stream


class Stream(CommandTest):
    def test_lines_come_out_as_they_went_in_with_score_flag_and_reason(self):
        lines = events(300)
        lines[250] = "2026-03-02 04:09,a,99,ok"
        result = stream(lines, *SMALL, "--ignore", "host", "--time", "time")
        out = result.stdout.decode().splitlines()
        self.assertEqual(out[0], lines[0] + ",score,is_anomaly,reason")
        self.assertTrue(all(new.startswith(old + ",") for new, old in zip(out, lines, strict=True)))
        rows = rows_of(result)
        self.assertEqual([row["reason"] for row in rows[:50]], ["warming up"] * 50)
        self.assertTrue(all(row["score"] == "" and row["is_anomaly"] == "" for row in rows[:50]))
        self.assertTrue(all(row["score"] != "" for row in rows[50:]))
        self.assertEqual(rows[249]["is_anomaly"], "1")
        self.assertIn("load", rows[249]["reason"])
        self.assertRegex(rows[249]["reason"], r"^load = 99: only 1 of 200 rows is above [\d.]+ \(9\d % of the range, ")
        self.assertIn("300 events", result.stderr.decode())

    def test_json_lines_stay_json_lines(self):
        lines = [json.dumps({"load": float(row["load"]), "state": row["state"]}) for row in csv.DictReader(events(120))]
        lines[100] = '{ "load": 77 , "unknown": "x" }'
        result = stream(lines, *SMALL, "--format", "jsonl")
        out = [json.loads(line) for line in result.stdout.decode().splitlines()]
        self.assertEqual([{k: v for k, v in one.items() if k in ("load", "state", "unknown")} for one in out], [json.loads(line) for line in lines])
        self.assertIsNone(out[0]["score"])
        self.assertIs(out[100]["is_anomaly"], True)
        self.assertEqual(set(out[100]), {"load", "unknown", "score", "is_anomaly", "reason"})
        self.assertEqual(stream(lines, *SMALL).stdout, result.stdout)  # the first bytes tell

    def test_json_has_the_reasons_of_anomalies(self):
        lines = events(300)
        lines[250] = "2026-03-02 04:09,a,99,ok"
        flags = [*SMALL, "--ignore", "host", "--time", "time", "--window", "2"]
        plain = rows_of(stream(lines, *flags))
        out = [json.loads(line) for line in stream(lines, *flags, "--json").stdout.decode().splitlines()]
        self.assertEqual([one["event"] for one in out], lines[1:])
        self.assertEqual([one["line"] for one in out], list(range(2, 302)))
        self.assertEqual([one["score"] for one in out], [float(row["score"]) if row["score"] else None for row in plain])
        self.assertEqual([one["reason"] for one in out], [row["reason"] for row in plain])
        self.assertEqual(set(out[100]), {"line", "event", "score", "is_anomaly", "reason"})
        found = out[249]
        self.assertIs(found["is_anomaly"], True)
        self.assertAlmostEqual(sum(one["bits"] for one in found["column_bits"]), found["score"])
        self.assertEqual(found["column_bits"][0]["column"], "load")
        self.assertEqual(found["witness"]["conditions"][0]["column"], "load")
        self.assertEqual([one["column"] for one in found["normal_if"]], ["load"])
        self.assertLess(found["normal_if"][0].get("below", 99), 99.1)
        only = stream(lines, *flags, "--json", "--anomalies-only").stdout.decode().splitlines()
        self.assertEqual([json.loads(line) for line in only], [one for one in out if one["is_anomaly"]])

    def test_the_reason_adds_the_column_with_most_bits_if_the_witness_does_not_name_it(self):
        source = random.Random(5)
        lines = ["load,queue,noise", *(f"{source.gauss(10, 1):.3f},{source.gauss(5, 1):.2f},{source.random():.3f}" for _ in range(300))]
        lines[270] = "60,40,0.5"
        plain = rows_of(stream(lines, *SMALL))[269]
        found = json.loads(stream(lines, *SMALL, "--json", "--anomalies-only").stdout.decode().splitlines()[-1])
        self.assertEqual((found["line"], found["reason"]), (271, plain["reason"]))
        named = [one["column"] for one in found["witness"]["conditions"]]
        listed = [one["column"] for one in found["column_bits"]]
        self.assertEqual(set(listed[: len(named)]), set(named))
        (other,) = [one for one in found["column_bits"] if one["column"] in {"load", "queue"} - set(named)]
        most = max(found["column_bits"], key=lambda one: one["bits"])
        told = f"; {other['column']} {'60' if other['column'] == 'load' else '40'} (+{other['bits']:.1f} bits)"
        self.assertEqual(plain["reason"].endswith(told), most == other, plain["reason"])

    def test_every_reason_names_the_column_with_most_bits(self):
        live = subprocess.run(["python3", ROOT / "examples/live_metrics.py", "--events", "1000", "--every", "0"], capture_output=True, check=True)
        lines = run("stream", "--time", "at", "--anomalies-only", "--json", text=live.stdout.decode()).stdout.decode().splitlines()
        self.assertGreater(len(lines), 5)
        for found in map(json.loads, lines):
            most = max(found["column_bits"], key=lambda one: one["bits"])["column"]
            self.assertIn(most, found["reason"])
            named = {one["column"] for one in found["witness"]["conditions"]}
            self.assertIn(found["column_bits"][0]["column"], named)

    def test_a_value_beyond_all_that_one_view_knows_has_a_finite_reason(self):
        flags = ["--time", "time", "--by", "host", "--window", "4", "--ignore", "fault", "--anomalies-only", "--json"]
        result = run("stream", "--every-event", str(ROOT / "examples" / "traffic.csv"), *flags)
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in result.stdout.decode().splitlines():
            witness = json.loads(line)["witness"]
            self.assertTrue(0 < witness["volume"] <= 1 and witness["bits"] < 64, line)

    def test_json_keeps_json_events_as_they_are(self):
        lines = [json.dumps({"load": float(row["load"]), "state": row["state"]}) for row in csv.DictReader(events(120))]
        lines[100] = '{ "load": 77.0 , "state": "ok" }'
        out = stream(lines, *SMALL, "--format", "jsonl", "--json").stdout.decode().splitlines()
        self.assertIn('"event":{ "load": 77.0 , "state": "ok" },', out[100])
        self.assertEqual([json.loads(line)["event"] for line in out], [json.loads(line) for line in lines])
        self.assertEqual(json.loads(out[100])["column_bits"][0]["column"], "load")

    def test_every_line_is_answered_at_once(self):
        lines = events(60)
        with subprocess.Popen([BINARY, "stream", "--every-event", *SMALL], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for line in lines:
                process.stdin.write(f"{line}\n".encode())
                process.stdin.flush()
                self.assertTrue(process.stdout.readline().decode().startswith(line + ","))
            process.stdin.close()
            self.assertEqual(process.wait(30), 0)

    def test_a_schema_makes_columns_known_from_the_first_line_on(self):
        with tempfile.TemporaryDirectory() as folder:
            schema = pathlib.Path(folder, "schema.json")
            schema.write_text('{"columns": [{"name": "load", "kind": "continuous"}]}')
            rows = rows_of(stream(events(120), *SMALL, "--schema", schema))
        self.assertEqual(rows[0]["reason"], "warming up: 49 more rows needed")
        self.assertNotEqual(rows[60]["score"], "")

    def test_only_anomalies_on_demand(self):
        lines = events(300)
        lines[250] = "2026-03-02 04:09,a,99,ok"
        rows = rows_of(stream(lines, *SMALL, "--ignore", "host", "--time", "time", "--anomalies-only"))
        self.assertIn("99", [row["load"] for row in rows])
        self.assertTrue(all(row["is_anomaly"] == "1" for row in rows))
        rows = rows_of(stream(lines, *SMALL, "--ignore", "host", "--time", "time", "--min-bits", "1000", "--anomalies-only"))
        self.assertEqual(rows, [])

    def test_windows_do_not_cross_gaps(self):
        lines = events(200)
        del lines[150:153]
        rows = rows_of(stream(lines, *SMALL, "--window", "3", "--time", "time", "--by", "host", "--max-gap", "1min"))
        silent = [row["time"] for row in rows[60:] if row["score"] == ""]
        self.assertEqual(silent, [lines[150].split(",")[0], lines[151].split(",")[0]])
        self.assertEqual({row["reason"] for row in rows[60:] if row["score"] == ""}, {"the window is not full yet"})


class Troubles(CommandTest):
    def test_bad_lines_are_told_and_left_out_and_the_stream_goes_on(self):
        lines = events(120)
        lines[10:10] = ["1,2,3"]
        lines[80:80] = ["2026-03-02 01:20,a,many,ok", 'x,"open,3,ok', "", "2026-03-02 01:20,a,inf,ok"]
        result = stream(lines, *SMALL, "--time", "time", "--ignore", "host")
        self.assertEqual(len(rows_of(result)), 120)
        words = result.stderr.decode()
        self.assertIn("skipped: line 11", words)
        self.assertIn("'many'", words)
        self.assertIn("4 unreadable lines", words)

    def test_many_bad_lines_do_not_fill_the_screen(self):
        lines = [*events(60), *["?"] * 100]
        words = stream(lines, *SMALL).stderr.decode()
        self.assertLess(words.count("\n"), 20)
        self.assertIn("100 unreadable lines", words)

    def test_a_header_that_comes_again_is_no_event(self):
        lines = events(120)
        again = [*lines[:90], lines[0], *lines[90:]]
        self.assertEqual(stream(again, *SMALL).stdout, stream(lines, *SMALL).stdout)

    def test_late_and_duplicate_events_are_told_and_not_learned(self):
        lines = events(120)
        disturbed = [*lines[:90], lines[89], lines[40], *lines[90:]]
        flags = [*SMALL, "--time", "time", "--ignore", "host"]
        result = stream(disturbed, *flags)
        rows = rows_of(result)
        self.assertEqual([rows[89]["reason"], rows[90]["reason"]], ["duplicate", "late: earlier than the last event"])
        self.assertEqual([rows[89]["score"], rows[90]["score"]], ["", ""])
        self.assertEqual([*rows[:89], *rows[91:]], rows_of(stream(lines, *flags)))
        self.assertIn("1 late, 1 duplicate", result.stderr.decode())

    def test_a_clock_that_was_set_back_is_believed_after_a_while(self):
        lines = events(200)
        set_back = [*lines[:150], *lines[30:120]]
        rows = rows_of(stream(set_back, *SMALL, "--time", "time", "--ignore", "host"))
        self.assertEqual([row["score"] == "" for row in rows[149:]], [True] * 15 + [False] * 75)

    def test_keys_are_streams_of_their_own(self):
        lines = events(400, hosts="ab")
        only_a = [lines[0], *(line for line in lines if ",a," in line)]
        flags = [*SMALL, "--time", "time", "--by", "host", "--schema"]
        with tempfile.TemporaryDirectory() as folder:
            schema = pathlib.Path(folder, "schema.json")
            schema.write_text('{"columns": [{"name": "load", "kind": "continuous"}, {"name": "time", "kind": "time"}]}')
            both = rows_of(stream(lines, *flags, schema))
            self.assertEqual([row for row in both if row["host"] == "a"], rows_of(stream(only_a, *flags, schema)))
            bounded = stream(events(400, hosts="abc"), *flags, schema, "--max-keys", "2")
        self.assertTrue(all(row["score"] == "" for row in rows_of(bounded)))
        self.assertIn("keys dropped", bounded.stderr.decode())

    def test_wrong_questions_get_plain_answers(self):
        self.expect(stream([]), BAD_DATA, "header row")
        self.expect(stream(["a,b,score", "1,2,3"]), BAD_DATA, "'score'")
        self.expect(stream(events(3), "--calendar"), USAGE_ERROR, "--time")
        self.expect(stream(events(3), "--max-gap", "1min"), USAGE_ERROR, "--time")
        self.expect(stream(events(3), "--replayed"), USAGE_ERROR, "--state")
        self.expect(stream(events(3), "--warm-up", "5000"), USAGE_ERROR, "warm_up", "2048")
        self.expect(stream(events(3), "--preset", "paper"), USAGE_ERROR, "count_rows")

    def test_bad_data_in_the_warm_up_is_bad_data(self):
        lines = [*events(60), *events(60)[1:]]
        lines[10] = "2026-03-02 00:10,a,ten,ok"
        result = stream(lines, *SMALL)
        self.assertEqual(result.returncode, BAD_DATA, result.stderr)
        self.assertIn("the first 50 lines", result.stderr.decode())

    def test_a_state_that_cannot_be_reached_is_a_file_error(self):
        with tempfile.TemporaryDirectory() as folder:
            loop = pathlib.Path(folder, "loop")
            loop.symlink_to(loop)
            file = pathlib.Path(folder, "file")
            file.touch()
            for path in (loop, pathlib.Path(folder, "x" * 300), file / "state"):
                self.expect(stream(events(60), *SMALL, "--state", path), FILE_ERROR, "loop" if path.name == "loop" else "cannot")

    def test_a_column_that_is_not_there_is_named_before_anything_is_written(self):
        for flag in ("--time", "--by", "--ignore"):
            self.expect(stream(events(60), *SMALL, flag, "when"), BAD_DATA, flag, "'when'", "time, host, load, state")

    def test_events_without_a_usable_column_have_zero_bits(self):
        ids = ["id", *(f"u{i}" for i in range(120))]
        empty = ["a,b", *([","] * 120)]
        for lines in (ids, empty):
            rows = rows_of(stream(lines, *SMALL))
            self.assertEqual({row["score"] for row in rows[50:]}, {"0"})
            self.assertEqual({row["is_anomaly"] for row in rows[50:]}, {"0"})

    def test_flags_that_exclude_all_columns_are_refused_at_once(self):
        for flags in (["--ignore", "time,host,load,state"], ["--ignore", "load,state", "--time", "time", "--by", "host"]):
            self.expect(stream(events(60), *SMALL, *flags), BAD_DATA, "at least one column")

    def test_a_stream_without_any_column_to_read_is_refused_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            schema = pathlib.Path(folder, "schema.json")
            schema.write_text('{"columns": [{"name": "load", "kind": "ignored"}, {"name": "state", "kind": "category"}]}')
            self.expect(stream(events(60), *SMALL, "--schema", schema, "--ignore", "state"), BAD_DATA, "at least one column")

    @unittest.skipIf(IS_SANITIZED, "limits memory or time")
    def test_a_hundred_thousand_keys_take_bounded_memory(self):
        lines = "key,x\n" + "".join(f"k{i % 100_000},{i % 7}\n" for i in range(200_000))
        for flags, most_megabytes, dropped in ([], 40, "199900 keys dropped"), (["--max-keys", "100000"], 600, "100000 keys"):
            words = [BINARY, "stream", "-", "--by", "key", "--anomalies-only", *flags]
            with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
                process.stdin.write(lines.encode())
                process.stdin.close()
                said = process.stderr.read().decode()
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0, said)
            self.assertIn(dropped, said)
            self.assertLess(usage.ru_maxrss / 1024, most_megabytes)

    def test_a_clock_that_steps_back_and_gaps_disturb_neither_season_nor_names(self):
        lines = ["time,load"]
        for i in range(1200):
            back = 3 if 600 <= i < 900 else 0  # a clock that is set back by three hours, and later put right
            at = i // 6 - back + (48 if i >= 1000 else 0)  # two days without events
            lines.append(f"2026-03-{1 + at // 24:02} {at % 24:02}:{i % 6}0,{10 + i % 6}")
        result = stream(lines, "--time", "time", "--window", "4", "--warm-up", "100", "--max-gap", "1h")
        rows = rows_of(result)
        self.assertIn("late", result.stderr.decode())
        self.assertEqual([row["reason"] for row in rows[1000:1003]], ["the window is not full yet"] * 3)
        self.assertTrue(all(row["score"] for row in rows[1003:]))

    def test_a_peak_at_its_usual_time_is_no_anomaly(self):
        source = random.Random(1)
        lines = ["time,load"]
        for minute in range(0, 20 * 1440, 10):
            hour = minute % 1440 // 60
            lines.append(f"2026-03-{1 + minute // 1440:02} {hour:02}:{minute % 60:02},{source.gauss(200 if hour == 3 else 50, 2):.2f}")

        def late_peaks(*flags):
            rows = rows_of(stream(lines, "--time", "time", "--window", "4", *flags))
            return sum(row["is_anomaly"] == "1" for row in rows[len(rows) // 2 :])

        self.assertLessEqual(late_peaks(), 2)
        self.assertGreaterEqual(late_peaks("--no-season"), 5)

    def test_each_key_has_a_season_of_its_own(self):
        source = random.Random(2)
        lines = ["time,host,load"]
        for minute in range(0, 12 * 1440, 10):
            hour = minute % 1440 // 60
            for host, peak in (("a", 3), ("b", 15)):
                other = host == "b" and minute >= 11 * 1440 and hour == 3  # the hour of the peak of a
                load = source.gauss(200 if hour == peak or other else 50, 2)
                lines.append(f"2026-03-{1 + minute // 1440:02} {hour:02}:{minute % 60:02},{host},{load:.2f}")
        rows = rows_of(stream(lines, "--time", "time", "--by", "host"))
        late = [row for row in rows[len(rows) // 2 :] if row["is_anomaly"] == "1"]
        strange = [row for row in late if row["host"] == "b" and row["time"].startswith("2026-03-12 03")]
        self.assertGreaterEqual(len(strange), 1)
        self.assertLessEqual(len(late) - len(strange), 4)
        self.assertIn("load minus usual = ", strange[0]["reason"])

    def test_an_end_before_the_first_score_is_told(self):
        self.assertIn("20 of 50 events", stream(events(20), *SMALL).stderr.decode())


class Incidents(CommandTest):
    """The lines of a stream by default: one when an incident opens, and one when it closes."""

    FLAGS = ("--time", "time", "--by", "host", "--window", "4", "--ignore", "fault")

    def incidents(self, *flags):
        result = run("stream", ROOT / "examples" / "traffic.csv", *self.FLAGS, *flags)
        self.assertEqual(result.returncode, 0, result.stderr)
        return list(csv.DictReader(result.stdout.decode().splitlines())), result.stderr.decode()

    def test_each_incident_has_a_line_when_it_opens_and_one_when_it_closes(self):
        lines, said = self.incidents()
        opened = [line for line in lines if line["state"] == "open"]
        closed = [line for line in lines if line["state"] in ("closed", "unclosed")]
        self.assertEqual(len(lines), len(opened) + len(closed))
        self.assertGreater(len(opened), 1)
        self.assertIn(f"anomalies in {len(opened)} incidents", said)
        self.assertEqual([line["incident"] for line in opened], [str(i + 1) for i in range(len(opened))])
        self.assertEqual(sorted(line["incident"] for line in closed), [line["incident"] for line in opened])
        for first, last in zip(opened, sorted(closed, key=lambda line: int(line["incident"]))):
            self.assertEqual((first["key"], first["begin"], first["begin"]), (last["key"], first["end"], last["begin"]))
            self.assertLessEqual(float(first["score"]), float(last["score"]))

    def test_the_anomalies_of_incidents_are_those_of_the_events(self):
        lines, _ = self.incidents()
        events = run("stream", ROOT / "examples" / "traffic.csv", *self.FLAGS, "--anomalies-only").stdout.decode().splitlines()
        anomalies = list(csv.DictReader(events))
        closed = [line for line in lines if line["state"] != "open"]
        self.assertEqual(sum(int(line["n_anomalies"]) for line in closed), len(anomalies))
        scores = [line["score"] for line in anomalies]
        self.assertLessEqual({line["score"] for line in closed}, set(scores))
        self.assertEqual({line["begin"] for line in closed} - {line["time"] for line in anomalies}, set())

    def test_lines_of_json_say_the_same_with_times_in_utc(self):
        lines, _ = self.incidents()
        told = [json.loads(line) for line in run("stream", ROOT / "examples" / "traffic.csv", *self.FLAGS, "--json").stdout.decode().splitlines()]
        for one, other in zip(lines, told, strict=True):
            self.assertEqual((one["incident"], one["state"], one["key"]), (str(other["incident"]), other["state"], other["key"]))
            self.assertEqual(one["begin"].replace(" ", "T") + ":00Z", other["begin"])
            self.assertEqual(float(one["score"]), other["worst"]["score"])
            self.assertEqual(one["metrics"].split(", ")[0], other["metrics"][0]["metric"])

    def test_without_times_incidents_have_the_numbers_of_lines(self):
        values = [i % 7 for i in range(400)]
        values[350] = values[352] = 99
        lines = list(csv.DictReader(run("stream", "--cool-down", "5", text="x\n" + "".join(f"{x}\n" for x in values)).stdout.decode().splitlines()))
        self.assertEqual([(line["state"], line["begin"], line["end"]) for line in lines[:2]], [("open", "352", "352"), ("closed", "352", "354")])

    def test_a_budget_limits_what_opens(self):
        for budget in ("0.2", "1"):
            lines, said = self.incidents("--alerts-per-day", budget)
            n = sum(line["state"] == "open" for line in lines)
            self.assertLessEqual(n, 14 * float(budget))
            self.assertIn(f"in {n} incident", said)


class State(CommandTest):
    FLAGS = (*SMALL, "--time", "time", "--by", "host", "--window", "2")

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.input = self.at("events.csv")
        lines = events(900, hosts="abb")
        lines[300:300] = ["broken", lines[299], lines[200]]
        self.input.write_text("".join(f"{line}\n" for line in lines))
        self.state = self.at("stream.state")

    def at(self, name):
        return pathlib.Path(self.folder.name, name)

    def expected(self):
        return run("stream", "--every-event", self.input, *self.FLAGS).stdout

    def test_killed_at_any_moment_the_output_is_what_it_would_have_been(self):
        expected = self.expected()
        output = self.at("scored.csv")
        flags = [*self.FLAGS, "--save-every", "37", "--output", output, "--state", self.state]
        source = random.Random(2)
        text = self.input.read_bytes()
        n_killed = 0
        for _ in range(12):
            process = subprocess.Popen(
                [BINARY, "stream", "--every-event", "-", *flags, "--replayed", "--quiet"], stdin=subprocess.PIPE
            )
            process.stdin.write(text[: source.randrange(len(text) // 3, len(text))])
            process.stdin.flush()
            process.send_signal(signal.SIGKILL)
            process.stdin.close()
            n_killed += process.wait(30) == -signal.SIGKILL
        self.assertEqual(n_killed, 12)
        result = run("stream", "--every-event", self.input, *flags)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(output.read_bytes(), expected)

    def test_killed_at_any_moment_the_incidents_are_what_they_would_have_been(self):
        text = self.input.read_bytes()
        source = random.Random(3)
        for flags in (["--min-bits", "2", "--cool-down", "20min"], ["--alerts-per-day", "30", "--cool-down", "5min"]):
            flags = [*self.FLAGS, *flags]
            whole, output, state = self.at("whole"), self.at("incidents.csv"), self.at("incidents.state")
            result = run("stream", self.input, *flags, "--state", self.at("whole.state"), "--output", whole)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertGreater(whole.read_bytes().count(b",open,"), 0)
            flags += ["--save-every", "37", "--output", output, "--state", state]
            for _ in range(6):
                process = subprocess.Popen([BINARY, "stream", "-", *flags, "--replayed", "--quiet"], stdin=subprocess.PIPE)
                process.stdin.write(text[: source.randrange(len(text) // 3, len(text))])
                process.stdin.flush()
                process.send_signal(signal.SIGKILL)
                process.stdin.close()
                self.assertEqual(process.wait(30), -signal.SIGKILL)
            self.assertEqual(run("stream", self.input, *flags).returncode, 0)
            self.assertEqual(output.read_bytes(), whole.read_bytes())
            for path in (whole, output, state, self.at("whole.state")):
                path.unlink()

    def test_killed_in_the_middle_it_goes_on_from_the_recorded_offset(self):
        expected = self.expected()
        output = self.at("scored.csv")
        text = self.input.read_bytes()
        flags = [*self.FLAGS, "--save-every", "37", "--output", output, "--state", self.state]
        process = subprocess.Popen([BINARY, "stream", "--every-event", "-", *flags], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(text[: len(text) * 2 // 3])
        process.stdin.flush()
        while output.stat().st_size < len(expected) // 2 if output.exists() else True:
            pass
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        self.assertTrue(self.state.exists())
        resumed = run("stream", "--every-event", self.input, *flags)
        self.assertRegex(resumed.stderr.decode(), r"resuming after line \d+ \(byte \d+\)")
        self.assertEqual(output.read_bytes(), expected)

    def test_sigterm_saves_and_the_rest_of_the_input_may_follow(self):
        expected = self.expected()
        text = self.input.read_bytes()
        half = text.index(b"\n", len(text) // 2) + 1
        flags = [*self.FLAGS, "--save-every", "1000000", "--state", self.state]
        process = subprocess.Popen([BINARY, "stream", "--every-event", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(text[:half])
        process.stdin.flush()
        n_lines = text[:half].count(b"\n") - 1
        first = b"".join(process.stdout.readline() for _ in range(n_lines))
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0)
        second = run("stream", "--every-event", *flags, text=text[half:].decode()).stdout
        self.assertEqual(first + rest + second, expected)

    def test_sigterm_while_lines_are_skipped_leaves_the_state_as_it_was(self):
        flags = [*self.FLAGS, "--output", self.at("scored.csv"), "--state", self.state]
        run("stream", "--every-event", self.input, *flags)
        before = self.state.read_bytes()
        process = subprocess.Popen([BINARY, "stream", "--every-event", "-", *flags, "--replayed"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(self.input.read_bytes()[:1000])  # waits for the lines that the state has seen
        process.stdin.flush()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.state.read_bytes(), before)
        self.assertEqual(self.at("scored.csv").read_bytes(), self.expected())

    def test_a_model_is_no_state(self):
        self.assertEqual(run("fit", self.input, "--on-bad-row", "skip", "-o", self.state).returncode, 0)
        before = self.state.read_bytes()
        self.expect(run("stream", "--every-event", self.input, *self.FLAGS, "--state", self.state), BAD_MODEL, "it is a model, not the state of a stream")
        self.assertEqual(self.state.read_bytes(), before)

    def test_a_state_is_of_one_setting(self):
        run("stream", "--every-event", self.input, *self.FLAGS, "--state", self.state)
        self.expect(run("stream", self.input, *self.FLAGS, "--calendar", "--state", self.state), USAGE_ERROR, "--calendar")
        self.expect(run("stream", self.input, *self.FLAGS, "--seed", "5", "--state", self.state), USAGE_ERROR, "with --seed 0", "with --seed 5")
        self.expect(run("stream", "--every-event", self.input, *self.FLAGS, "--json", "--state", self.state), USAGE_ERROR, "was written without --json; this run is with --json.")
        both = ["--json", "--na", "none,-", "--state", self.state]
        self.expect(run("stream", "--every-event", self.input, *self.FLAGS, *both), USAGE_ERROR, "without --json, without --na;", "with --json, with --na none,-.")
        self.state.write_bytes(self.state.read_bytes()[:-1])
        self.expect(run("stream", "--every-event", self.input, *self.FLAGS, "--state", self.state), BAD_MODEL, "state file")

    def test_the_live_example_says_what_it_finds(self):
        feed = subprocess.run(["python3", ROOT / "examples" / "live_metrics.py", "--events", "2000", "--every", "0"], capture_output=True, check=True)
        rows = rows_of(run("stream", "--time", "at", "--anomalies-only", text=feed.stdout.decode()))
        self.assertTrue(rows)


if __name__ == "__main__":
    main()
