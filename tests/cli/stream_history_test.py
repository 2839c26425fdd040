# SPDX-License-Identifier: Apache-2.0
"""A stream that learns a history before its first event. PIDFOREST_BINARY is the path of the command."""

import csv
import json
import pathlib
import tempfile

from command import BAD_DATA, BAD_MODEL, FILE_ERROR, ROOT, USAGE_ERROR, CommandTest, main, run
from made_events import SMALL, events, rows_of, stream


class History(CommandTest):
    def test_a_history_is_learned_instead_of_a_warm_up(self):
        lines = events(400)
        with tempfile.TemporaryDirectory() as folder:
            history = pathlib.Path(folder, "history.csv")
            history.write_text("".join(f"{line}\n" for line in lines[:301]))
            flags = [*SMALL, "--ignore", "host", "--time", "time"]
            begun = stream([lines[0], *lines[301:]], *flags, "--history", str(history))
            self.assertIn("learned 300 events of the history\n", begun.stderr.decode())
            self.assertIn("100 events, ", begun.stderr.decode())
            whole = stream(lines, *flags)
            self.assertEqual(begun.stdout.decode().splitlines()[1:], whole.stdout.decode().splitlines()[301:])
            history.write_text("".join(f"{line}\n" for line in lines[:21]))  # shorter than the warm-up
            short = rows_of(stream([lines[0], *lines[21:]], *flags, "--history", str(history)))
            self.assertTrue(all(row["score"] for row in short))
            by_key = stream([lines[0], *events(80, hosts="ab")[1:]], *SMALL, "--by", "host", "--history", str(history))
            rows = rows_of(by_key)
            self.assertTrue(all((row["score"] != "") == (row["host"] == "a") for row in rows))

    def test_the_history_may_be_json_and_have_other_columns_in_another_order(self):
        lines = events(300)
        with tempfile.TemporaryDirectory() as folder:
            history = pathlib.Path(folder, "history.jsonl")
            past = [{"more": 1, "state": row["state"], "load": float(row["load"])} for row in csv.DictReader(lines)]
            history.write_text("".join(json.dumps(event) + "\n" for event in past))
            result = stream(["load,state", "10,ok", "99,ok"], *SMALL, "--ignore", "more", "--history", str(history))
            self.assertEqual(result.returncode, BAD_DATA)
            self.assertIn("the header has no column 'more', which --ignore names; its columns are load, state.", result.stderr.decode())
            result = stream(["more,load,state", "1,10,ok", "1,99,ok"], *SMALL, "--history", str(history))
            self.assertEqual([row["is_anomaly"] for row in rows_of(result)], ["0", "1"])
            result = stream(["load,other", "1,ok"], *SMALL, "--history", str(history))
            self.assertEqual(result.returncode, BAD_DATA)
            self.assertIn("the input must have the columns of the history", result.stderr.decode())
            history.write_text("")
            self.expect(stream(["load", "1"], *SMALL, "--history", str(history)), BAD_DATA, "at least one event")
            self.expect(stream(["load", "1"], *SMALL, "--history", str(history) + "x"), FILE_ERROR, "history.jsonlx")

    def test_a_stream_begins_with_the_state_of_another_one(self):
        lines = events(400, hosts="ab")
        with tempfile.TemporaryDirectory() as folder:
            state, model = (str(pathlib.Path(folder, name)) for name in ("past.pidf", "model.pidf"))
            flags = [*SMALL, "--time", "time", "--by", "host", "--every-event"]
            whole = stream(lines, *flags).stdout.decode().splitlines()
            stream(lines[:301], *flags, "--state", state)
            before = pathlib.Path(state).read_bytes()
            begun = stream([lines[0], *lines[301:]], *flags, "--history", state)
            self.assertIn(f"beginning after 300 events of '{state}'\n", begun.stderr.decode())
            self.assertEqual(begun.stdout.decode().splitlines()[1:], whole[301:])
            self.assertEqual(pathlib.Path(state).read_bytes(), before)
            own = str(pathlib.Path(folder, "own.pidf"))
            stream([lines[0], *lines[301:351]], *flags, "--history", state, "--state", own)
            rest = run("stream", *flags, "--state", own, text="".join(f"{line}\n" for line in lines[351:]))
            self.assertEqual(rest.stdout.decode().splitlines(), whole[351:])
            other = stream(lines, *flags, "--window", "2", "--history", state)
            self.expect(other, USAGE_ERROR, f"the state file '{state}' was written with --window 1; this run is with --window 2")
            short = stream(lines[:5], *flags, "--state", own + "2", "--history", state)
            self.assertEqual(short.returncode, 0)
            stream(lines[:5], *flags, "--state", own + "3")
            self.expect(stream(lines, *flags, "--history", own + "3"), BAD_MODEL, "too few events to know its columns")
            run("fit", ROOT / "examples" / "orders.csv", "-o", model)
            self.expect(stream(lines, *flags, "--history", model), BAD_MODEL, "A model keeps no rows")

    def test_a_query_for_the_history_is_checked_before_it_is_asked(self):
        for words, message in [
            (["--history", "a.csv", "--sql", "FROM t", "--db", "duckdb:x"], "--history and --sql cannot be combined"),
            (["--sql", "FROM t"], "--sql requires --db"),
            (["--db", "duckdb:x"], "--db requires --sql, a query that selects the events of the past."),
            (["--driver", "x"], "--driver requires --sql"),
        ]:
            self.expect(stream(events(2), *words), USAGE_ERROR, message)

    def test_a_state_that_exists_needs_no_history(self):
        lines = events(200)
        with tempfile.TemporaryDirectory() as folder:
            history = pathlib.Path(folder, "history.csv")
            history.write_text("".join(f"{line}\n" for line in lines[:101]))
            flags = [*SMALL, "--ignore", "host", "--ignore", "time", "--state", str(pathlib.Path(folder, "state.pidf"))]
            first = stream([lines[0], *lines[101:151]], *flags, "--history", str(history))
            history.unlink()
            second = run("stream", "--every-event", *flags, text="".join(f"{line}\n" for line in lines[151:]))
            whole = stream(lines, *SMALL, "--ignore", "host", "--ignore", "time").stdout.decode().splitlines()
            out = first.stdout.decode().splitlines()[1:] + second.stdout.decode().splitlines()
            self.assertEqual(out, whole[101:])


if __name__ == "__main__":
    main()
