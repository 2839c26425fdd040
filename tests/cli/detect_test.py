# SPDX-License-Identifier: Apache-2.0
"""Runs the real command `pidforest` as people and programs do. PIDFOREST_BINARY is its path."""

import fcntl
import json
import os
import pathlib
import pty
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

from command import (
    ANOMALIES_FOUND,
    IS_SANITIZED,
    USAGE_ERROR,
    BAD_DATA,
    BINARY,
    FILE_ERROR,
    INTERRUPTED,
    OUT_OF_MEMORY,
    ROOT,
    CommandTest,
    main,
    run,
)

FLEET = ROOT / "examples" / "fleet.csv"


def detect(text, *flags):
    return run("detect", "-", *flags, text=text)


def detect_json(text, *flags):
    return json.loads(detect(text, "--json", *flags).stdout)


def random_rows(n, seed=1):
    """Return two columns of small whole numbers, so that scores tie, and a label."""
    rng = random.Random(seed)
    return "a,b,label\n" + "".join(f"{rng.randrange(4)},{rng.randrange(3)},{rng.randrange(9) // 8}\n" for _ in range(n))


def auc_by_pairs(scores, labels):
    anomalies = [s for s, label in zip(scores, labels) if label]
    normal = [s for s, label in zip(scores, labels) if not label]
    wins = sum((a > b) + (a == b) / 2 for a in anomalies for b in normal)
    return wins / (len(anomalies) * len(normal))


def average_precision_by_definition(scores, labels):
    """Return the sum over thresholds of the gain in recall times the precision there."""
    total, recall_before = 0.0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        flagged = [label for s, label in zip(scores, labels) if s >= threshold]
        recall = sum(flagged) / sum(labels)
        total += (recall - recall_before) * sum(flagged) / len(flagged)
        recall_before = recall
    return total


class Labels(CommandTest):
    def quality(self, normal, anomaly, *flags):
        rows = "".join(f"{i % 17},{i * 7 % 13},{normal}\n" for i in range(400))
        return detect(f"a,b,known\n{rows}50,3,{anomaly}\n", "--label", "known", "--json", *flags)

    def test_labels_may_be_words(self):
        for normal, anomaly in (("0", "1"), ("no", "yes"), ("No", "YES"), ("false", "true"), ("FALSE", "True")):
            self.assertEqual(json.loads(self.quality(normal, anomaly).stdout)["auc"], 1, (normal, anomaly))

    def test_a_flag_names_any_other_word(self):
        self.assertEqual(json.loads(self.quality("ok", "broken", "--anomaly-label", "broken").stdout)["auc"], 1)
        self.assertEqual(json.loads(self.quality("1", "2", "--anomaly-label", "2").stdout)["auc"], 1)
        self.expect(self.quality("ok", "broken"), BAD_DATA, "row 1", "'known'", "no or yes", "--anomaly-label", "'ok'")
        self.expect(detect("a,known\n1,ok\n2,bad\n3,odd\n", "--label", "known", "--anomaly-label", "bad"),
                    BAD_DATA, "row 3", "'ok' or 'bad'", "'odd'")
        self.expect(detect("a\n1\n", "--anomaly-label", "bad"), USAGE_ERROR, "--anomaly-label requires --label")


class FailOnAnomaly(CommandTest):
    def code_of(self, *flags):
        return run("detect", FLEET, "--label", "fault", "--fail-on-anomaly", *flags).returncode

    def test_the_exit_code_says_whether_there_are_anomalies(self):
        self.assertEqual(self.code_of(), ANOMALIES_FOUND)
        self.assertEqual(self.code_of("--min-bits", "50"), 0)
        self.assertEqual(self.code_of("--incidents"), ANOMALIES_FOUND)

    def test_the_output_is_complete(self):
        plain, failing = (run("detect", FLEET, "--label", "fault", *flags) for flags in ((), ("--fail-on-anomaly",)))
        self.assertEqual((failing.stdout, failing.stderr), (plain.stdout, plain.stderr))
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder, "scores.csv")
            self.assertEqual(self.code_of("--output", output), ANOMALIES_FOUND)
            self.assertEqual(len(output.read_text().splitlines()), 4033)

    def test_it_requires_a_threshold(self):
        found = run("detect", FLEET, "--contamination", "none", "--fail-on-anomaly")
        self.expect(found, USAGE_ERROR, "--fail-on-anomaly requires a threshold", "--min-bits")


class Width(CommandTest):
    """A reason that is longer than a line."""

    def longest(self, columns=None, *flags):
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        environment |= {"COLUMNS": columns} if columns else {}
        found = run("detect", ROOT / "examples" / "orders.csv", "--label", "fraud", *flags, env=environment)
        return max(map(len, found.stdout.decode().splitlines()))

    def test_lines_in_pipes_are_whole(self):
        self.assertGreater(self.longest(), 120)

    def test_columns_says_how_wide_a_line_may_be(self):
        self.assertEqual(self.longest("90"), 90)
        self.assertEqual(self.longest("0"), self.longest())

    def test_wide_lines_are_never_cut(self):
        self.assertEqual(self.longest("90", "--wide"), self.longest())


class Results(unittest.TestCase):
    def test_the_faults_of_the_sample_are_found(self):
        found = run("detect", FLEET, "--label", "fault", "--top", 20)
        self.assertEqual(found.returncode, 0, found.stderr)
        lines = found.stdout.decode().splitlines()
        self.assertEqual(lines[0].split(), ["rank", "row", "bits", "anomaly", "label", "reason"])
        self.assertEqual([line.split()[0] for line in lines[1:-1]], [str(i) for i in range(1, 21)])
        self.assertGreater(float(lines[-1].split()[1]), 0.95)
        self.assertRegex(found.stderr.decode(), r"^4032 rows, 10 columns, 100 trees, seed 0\n\d+ anomal(y|ies) \(more than")
        top = json.loads(run("detect", FLEET, "--label", "fault", "--json").stdout)["top"]
        self.assertGreaterEqual(sum(row["label"] for row in top), 8)

    def test_the_sample_is_what_the_script_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            again = pathlib.Path(folder) / "fleet.csv"
            subprocess.run([sys.executable, ROOT / "scripts" / "make_sample.py", again], check=True)
            self.assertEqual(again.read_bytes(), FLEET.read_bytes())

    def test_threads_change_no_byte_of_the_output(self):
        for flags in [["--json"], ["--contamination", "0.01"], ["--preset", "authors"], ["--aggregate", "vote"]]:
            outputs = [
                run("detect", FLEET, "--label", "fault", "--top", 5000, "--threads", n, *flags).stdout
                for n in (1, 2, 7)
            ]
            self.assertTrue(outputs[0])
            self.assertEqual(outputs[0], outputs[1], flags)
            self.assertEqual(outputs[0], outputs[2], flags)

    def test_another_seed_gives_other_scores(self):
        text = FLEET.read_text()
        self.assertNotEqual(detect_json(text)["top"], detect_json(text, "--seed", "1")["top"])

    def test_auc_and_average_precision_count_ties_properly(self):
        document = detect_json(random_rows(300), "--label", "label", "--top", "300")
        scores = [row["score"] for row in document["top"]]
        labels = [row["label"] for row in document["top"]]
        self.assertLess(len(set(scores)), 20)
        self.assertAlmostEqual(document["auc"], auc_by_pairs(scores, labels), places=12)
        self.assertAlmostEqual(
            document["average_precision"], average_precision_by_definition(scores, labels), places=12
        )

    def test_equal_scores_are_listed_in_the_order_of_the_file(self):
        document = detect_json("a,b\n" + "1,2\n" * 30, "--top", "30")
        self.assertEqual([row["row"] for row in document["top"]], list(range(1, 31)))

    def test_the_label_is_never_a_feature(self):
        text = random_rows(200)
        without_label = "\n".join(line.rpartition(",")[0] for line in text.splitlines())
        labelled = detect_json(text, "--label", "label", "--top", "200")
        plain = detect_json(without_label, "--top", "200")
        self.assertEqual(labelled["d"], 2)
        self.assertEqual([r["score"] for r in labelled["top"]], [r["score"] for r in plain["top"]])

    def test_ignored_columns_may_hold_anything(self):
        text = "name,a,when\nx,1,2\ny,2,1e999\n"
        self.assertEqual(detect(text).returncode, BAD_DATA)
        self.assertEqual(detect_json(text, "--ignore", "name,when")["d"], 1)
        self.assertEqual(detect_json(text, "--ignore", "name", "--ignore", "when")["d"], 1)

    def test_a_flag_before_the_file_does_not_swallow_it(self):
        self.assertEqual(run("detect", "--ignore", "hour", FLEET).returncode, 0)

    def test_the_last_lines_need_no_newline(self):
        self.assertEqual(detect("a\n1\n2").stdout, detect("a\r\n1\r\n2\r\n\r\n").stdout)


class Json(unittest.TestCase):
    def test_the_document_says_what_was_done_and_found(self):
        document = json.loads(
            run("detect", FLEET, "--json", "--label", "fault", "--seed", 7, "--top", 3, "--n-estimators", 20, "--contamination", "none").stdout
        )
        self.assertEqual(
            list(document),
            ["options", "preset", "n", "d", "seed", "threshold", "top", "auc", "average_precision"],
        )
        self.assertEqual((document["n"], document["d"], document["seed"]), (4032, 10, 7))
        self.assertEqual((document["preset"], document["threshold"]), ("default", None))
        self.assertEqual(document["options"]["n_estimators"], 20)
        self.assertEqual(document["options"]["cuts"], "sampled")
        self.assertEqual(document["options"]["min_node_rows"], "auto")
        self.assertEqual(document["options"]["contamination"], "none")
        self.assertEqual(list(document["top"][0]), ["row", "score", "is_anomaly", "label", "reason", "witness", "column_bits"])
        self.assertIsNone(document["top"][0]["is_anomaly"])

    def test_flags_change_the_preset_they_start_from(self):
        options = detect_json(random_rows(50), "--preset", "authors", "--max-children", "4")["options"]
        self.assertEqual((options["cuts"], options["max_children"], options["n_estimators"]), ("optimal", 4, 50))

    def test_contamination_gives_a_threshold_and_flags_rows_above_it(self):
        document = detect_json(FLEET.read_text(), "--contamination", "0.01", "--top", "4032")
        flagged = [row for row in document["top"] if row["is_anomaly"]]
        self.assertTrue(0 < len(flagged) <= 40)
        self.assertTrue(all(row["score"] > document["threshold"] for row in flagged))
        table = detect(FLEET.read_text(), "--contamination", "0.01", "--top", "1").stdout.decode().splitlines()
        self.assertEqual(table[0].split()[3], "anomaly")
        self.assertEqual(table[1].split()[3], "*")

    def test_one_kind_of_label_has_no_auc(self):
        found = detect("a,label\n1,0\n2,0\n", "--json", "--label", "label")
        document = json.loads(found.stdout)
        self.assertIsNone(document["auc"])
        self.assertIsNone(document["average_precision"])
        self.assertIn(b"only one label value", found.stderr)
        self.assertEqual(found.returncode, 0)

    def test_without_labels_there_is_no_auc_at_all(self):
        self.assertNotIn("auc", detect_json("a\n1\n2\n"))

    def test_top_may_be_nothing_or_more_than_there_is(self):
        self.assertEqual(detect_json("a\n1\n2\n", "--top", "0")["top"], [])
        self.assertEqual(len(detect_json("a\n1\n2\n", "--top", "99")["top"]), 2)
        self.assertEqual(detect("a\n1\n2\n", "--top", "0").stdout, b"")


class Errors(CommandTest):
    def test_usage_errors_are_reported(self):
        for arguments, words in [
            ([], ["one of detect, fit, score, explain, ", "got nothing"]),
            (["dtect", FLEET], ["one of detect, fit, score, explain, ", "got dtect. Did you mean detect? See --help."]),
            (["xyz"], ["help; got xyz. See --help."]),
            (["detect", FLEET, "--nonsense"], ["detect does not take the argument --nonsense. See --help."]),
            (["detect", FLEET, "--tpo", "4"], ["detect does not take the arguments --tpo 4. Did you mean --top? See --help."]),
            (["explain", "m", FLEET, "--impostor=4"], ["explain does not take the argument --impostor=4. Did you mean --impostors?"]),
            (["--versoin"], ["got --versoin."]),
            (["--versoin", "detect", FLEET], ["pidforest does not take the argument --versoin. Did you mean --version?"]),
            (["detect", FLEET, "--excel-safe"], ["--excel-safe requires --output"]),
            (["detect", FLEET, "--top", "-1"], ["--top", "between 0 and", "got -1"]),
            (["detect", FLEET, "--top", "many"], ["--top", "got many"]),
            (["detect", FLEET, "--threads", "-1"], ["--threads", "got -1"]),
            (["detect", FLEET, "--seed", "-1"], ["seed must be", "got -1"]),
            (["detect", FLEET, "--max-depth", "0"], ["max_depth must be", "between 1 and 64", "got 0"]),
            (["detect", FLEET, "--cuts", "best"], ["cuts must be one of sampled, optimal", "got best"]),
            (["detect", FLEET, "--preset", "mine"], ["preset must be one of default, paper, authors", "got mine"]),
            (["detect", FLEET, "--label", "fault", "--ignore", "fault"], ["--label", "--ignore", "fault"]),
        ]:
            with self.subTest(arguments):
                self.expect(run(*arguments), USAGE_ERROR, *words)

    def test_wrong_options_are_told_before_the_file_is_read(self):
        self.expect(run("detect", "no_such_file.csv", "--max-depth", "0"), USAGE_ERROR, "max_depth")

    def test_bad_data_is_told_by_line_and_column(self):
        for text, words in [
            ("", ["empty"]),
            ("a,b\n", ["no rows"]),
            ("a,a\n1,2\n", ["line 1", "'a' twice"]),
            ("a,\n1,2\n", ["line 1", "column 2"]),
            ("a,b\n1,2\n3\n", ["line 3", "2 fields", "got 1"]),
            ("a,b\n1,2\n3,4,5\n", ["line 3", "2 fields", "got 3"]),
            ("a,b\n1,2\n1,3\n1,blue\n", ["row 3", "'b'", "must be a number", "got 'blue'", "category"]),
            ("a\n9007199254740993\n", ["line 2", "'a'", "exactly", "9007199254740993", "--ignore a"]),
            ("a\n1e999\n", ["line 2", "range of a double", "1e999"]),
            ("a\n1\n\"2\n", ["line 3", "quote"]),
            ("a\n1\0\n", ["line 2", "NUL"]),
            ("a\n1\ninf\n", ["row 2", "'a'", "inf"]),
        ]:
            with self.subTest(text):
                self.expect(detect(text), BAD_DATA, *words)

    def test_a_file_cut_at_the_wrong_character_is_told(self):
        text = "name,load\n" + "".join(f"m{i},{i}\n" for i in range(100))
        warning = "no column is usable, so every row has 0 bits; the only column is 'name,load': check --delimiter ;"
        result = detect(text, "--delimiter", ";")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(warning, result.stderr.decode().splitlines())
        self.assertNotIn("no column is usable", detect(text).stderr.decode())

    def test_bad_labels_are_told_by_row(self):
        text = "a,label\n1,0\n2,2\n"
        self.expect(detect(text, "--label", "label"), BAD_DATA, "row 2", "'label'", "0 or 1", "got 2")
        self.expect(detect("a,label\n1,\n", "--label", "label"), BAD_DATA, "row 1", "0 or 1")
        text = "a,label\n1,0\n2,maybe\n"
        self.expect(detect(text, "--label", "label"), BAD_DATA, "row 2", "'label'", "0 or 1", "got 'maybe'")

    def test_columns_that_are_not_there_are_told(self):
        self.expect(detect("a,b\n1,2\n", "--label", "c"), BAD_DATA, "'c'", "a, b")
        self.expect(detect("a,b\n1,2\n", "--ignore", "c"), BAD_DATA, "'c'", "a, b")
        self.expect(detect("a\n1\n", "--ignore", "a"), BAD_DATA, "no columns")

    def test_files_that_cannot_be_read_are_told(self):
        self.expect(run("detect", "no_such_file.csv"), FILE_ERROR, "no_such_file.csv", "No such file")
        self.expect(run("detect", ROOT), FILE_ERROR, "directory")

    def test_a_full_disk_is_told(self):
        with open("/dev/full", "wb") as full:
            found = subprocess.run([BINARY, "detect", FLEET, "--quiet"], stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(found.returncode, FILE_ERROR)
        self.assertIn(b"cannot write", found.stderr)

    @unittest.skipIf(IS_SANITIZED, "limits memory or time")
    def test_too_little_memory_is_told(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 27, 1 << 27))

        found = run("detect", "/dev/zero", preexec_fn=limit)
        self.expect(found, OUT_OF_MEMORY, "out of memory")


class Terminal(unittest.TestCase):
    def test_control_characters_of_the_data_are_shown_not_obeyed(self):
        found = detect("\x1b[2Ja,\x9bb\n" + "".join(f"{i % 9},{i % 7}\n" for i in range(300)) + "90,0\n0,70\n", "--top", "2")
        self.assertEqual(found.returncode, 0)
        self.assertNotIn(b"\x1b", found.stdout)
        self.assertIn(b"\\x1b[2Ja = 90: ", found.stdout)
        self.assertIn(b"\\xc2\x9bb = 70: ".replace(b"\x9b", b"\\x9b"), found.stdout)
        self.assertNotIn(b"\x1b", detect("a\n1\n2\n\x1b[2J\n").stderr)
        self.assertNotIn(b"\x1b", run("detect", "\x1b[2J").stderr)

    def test_lines_keep_within_the_width(self):
        for line in run("detect", FLEET).stdout.decode().splitlines():
            self.assertLessEqual(len(line), 100)

    def test_quiet_says_nothing(self):
        self.assertEqual(run("detect", FLEET, "--quiet").stderr, b"")

    def test_a_closed_pipe_ends_quietly(self):
        for ignored in (False, True):
            reader, writer = os.pipe()
            os.close(reader)
            found = subprocess.run(
                [BINARY, "detect", FLEET, "--top", "4000", "--quiet"],
                stdout=writer, stderr=subprocess.PIPE, timeout=60, restore_signals=not ignored,
            )
            os.close(writer)
            self.assertEqual((found.returncode, found.stderr), (0, b""))

    def test_progress_is_one_line_on_a_terminal_that_goes_away(self):
        terminal, end = pty.openpty()
        process = subprocess.Popen(
            [BINARY, "detect", FLEET, "--n-estimators", "1000000"], stdout=subprocess.PIPE, stderr=end
        )
        os.close(end)
        seen = b""
        while b"%" not in seen:
            seen += os.read(terminal, 4096)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=10)
        seen += os.read(terminal, 4096)
        os.close(terminal)
        self.assertEqual((process.returncode, output), (INTERRUPTED, b""))
        self.assertRegex(seen, rb"\r\x1b\[K[a-z ]+ \[#*-*\] \d+ %, \d+/1000000")
        self.assertRegex(seen, rb"\r\x1b\[Kpidforest: interrupted\.\r\n$")

    @unittest.skipIf(IS_SANITIZED, "limits memory or time")
    def test_there_is_no_progress_in_a_pipe(self):
        found = run("detect", FLEET, "--n-estimators", "10000", "--top", "1")
        self.assertEqual(found.stderr.count(b"\r"), 0)


    def on_a_terminal(self, width, *arguments, **environment):
        """Return the output of the command on a terminal of this width."""
        terminal, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 25, width, 0, 0))
        process = subprocess.Popen(
            [BINARY, *map(str, arguments)], stdout=end, stderr=subprocess.DEVNULL,
            env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, **environment},
        )
        os.close(end)
        shown = b""
        while True:
            try:
                shown += os.read(terminal, 4096)
            except OSError:  # the command has ended
                break
        os.close(terminal)
        self.assertEqual(process.wait(timeout=60), 0)
        return shown.decode().replace("\r\n", "\n")

    def test_colours_are_for_terminals_that_want_them(self):
        shown = self.on_a_terminal(80, "detect", FLEET, "--label", "fault", "--top", 2)
        self.assertRegex(shown, r"^\x1b\[2mrank .*\x1b\[0m\n\x1b\[1;31m   1 .*\x1b\[0m\n")
        for flags, environment in (([], {"NO_COLOR": "1"}), (["--color", "never"], {})):
            shown = self.on_a_terminal(80, "detect", FLEET, "--label", "fault", "--top", 2, *flags, **environment)
            self.assertNotIn("\x1b", shown)
        self.assertNotIn(b"\x1b", run("detect", FLEET).stdout)

    def test_the_width_of_the_terminal_is_respected(self):
        for width in (60, 80, 200):
            shown = self.on_a_terminal(width, "detect", FLEET, "--label", "fault", "--color", "never", "--top", 50)
            lines = shown.splitlines()
            self.assertLessEqual(max(map(len, lines)), width)
        self.assertGreater(max(map(len, lines)), 60)


@unittest.skipIf(IS_SANITIZED, "limits memory or time")
class Interrupt(unittest.TestCase):
    def interrupt(self, arguments, after, stdin=None):
        """Send Ctrl-C `after` seconds after the start; the command must end within a second and leave no output."""
        process = subprocess.Popen([BINARY, *arguments], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(after)
        self.assertIsNone(process.poll(), "the command was to last longer")
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        waited = time.monotonic() - start
        with process:
            self.assertEqual(process.returncode, INTERRUPTED)
            self.assertEqual(process.stdout.read(), b"")
            self.assertEqual(process.stderr.read(), b"pidforest: interrupted.\n")
            if process.stdin:
                process.stdin.close()
        self.assertLess(waited, 1.0)

    def test_a_long_fit_stops_within_a_second(self):
        self.interrupt(["detect", FLEET, "--n-estimators", "1000000"], after=0.5)

    def test_waiting_for_input_stops_within_a_second(self):
        self.interrupt(["detect", "-"], after=0.2, stdin=subprocess.PIPE)

    def test_a_large_file_stops_within_a_second_at_any_stage(self):
        rng = random.Random(3)
        block = "".join(",".join(f"{rng.gauss(0, 1):.5f}" for _ in range(10)) + "\n" for _ in range(5000))
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write(",".join("abcdefghij") + "\n")
            for _ in range(80):
                file.write(block)
            file.flush()
            for after in (0.05, 0.2, 0.5, 1.0, 2.0):
                with self.subTest(after):
                    self.interrupt(["detect", file.name, "--n-estimators", "20000"], after)


class Help(unittest.TestCase):
    def test_every_help_ends_with_an_example_that_runs(self):
        listed = run("--help").stdout.decode().split("Subcommands:\n")[1].split("\n\n")[0]
        verbs = [[line.split()[0]] for line in listed.splitlines()]
        self.assertGreater(len(verbs), 5)
        for verb in [[], *verbs]:
            found = run(*verb, "--help")
            self.assertEqual((found.returncode, found.stderr), (0, b""))
            example = found.stdout.decode().split("\nExample:\n")[1]
            with self.subTest(example), tempfile.TemporaryDirectory() as folder:
                os.symlink(ROOT / "examples", pathlib.Path(folder, "examples"))
                path = f"{pathlib.Path(BINARY).resolve().parent}:{os.environ['PATH']}"
                ran = subprocess.run(
                    ["bash", "-e", "-c", example], cwd=folder, capture_output=True, timeout=60,
                    env={**os.environ, "PATH": path},
                )
                needs_server = ran.returncode == FILE_ERROR and b": cannot query http://localhost:9090: " in ran.stderr
                self.assertTrue(needs_server if verb == ["prometheus"] else ran.returncode == 0, ran.stderr)
                self.assertTrue(all(line.startswith("  pidforest ") for line in example.rstrip().splitlines()), example)

    def test_the_version_is_printed(self):
        self.assertRegex(run("--version").stdout.decode(), r"^pidforest \d+\.\d+\.\d+\n$")

    def test_every_option_is_a_flag_and_in_the_list(self):
        help_text = run("detect", "--help").stdout.decode()
        rows = run("options", "--markdown").stdout.decode().splitlines()
        names = [row.split("|")[1].strip() for row in rows[2:]]
        self.assertIn("n_estimators", names)
        self.assertEqual(names, list(detect_json("a\n1\n")["options"]))
        for name in names:
            self.assertIn("--" + name.replace("_", "-") + " ", help_text)

    def test_the_list_shows_what_the_presets_are(self):
        row = next(r for r in run("options").stdout.decode().splitlines() if r.startswith("max_children"))
        self.assertEqual(row.split()[:5], ["max_children", "k", "5", "5", "3"])


if __name__ == "__main__":
    main()
