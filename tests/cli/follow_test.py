# SPDX-License-Identifier: Apache-2.0
"""Follows a growing file through rotations: no line is lost or scored twice, whatever ends the command in between.

PIDFOREST_BINARY is the path of the command. PIDFOREST_ROTATIONS=1000 tries that many rotations instead of 100.
"""

import gzip
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from command import BAD_DATA, BINARY, LONGEST, ROOT, USAGE_ERROR, CommandTest, main, run

ROTATIONS = int(os.environ.get("PIDFOREST_ROTATIONS", "100"))
SMALL = ["--horizon", "60", "--warm-up", "20", "--n-estimators", "5", "--ignore", "n"]
HEADER = "n,load,state\n"
KEPT = 150
"""How many rotated files are kept: more than the command may be behind."""


class Log:
    """A log that a writer appends to and rotates. `all` is everything that was written, in order."""

    def __init__(self, folder, seed=0, header_in_each=True):
        self.path = folder / "app.csv"
        self.random = random.Random(seed)
        self.header_in_each = header_in_each
        self.n = 0
        self.all = ""
        self.pending = HEADER
        self.path.touch()

    def append(self, text):
        with self.path.open("a") as file:
            file.write(text)
        self.all += text

    def write(self, n_events):
        for _ in range(n_events):
            self.n += 1
            event = f"{self.n},{self.random.gauss(10, 1):.3f},{self.random.choice(['ok', 'ok', 'slow'])}\n"
            self.append(self.pending + event)
            self.pending = ""

    def beside(self, number, suffix=""):
        return self.path.with_name(f"{self.path.name}.{number}{suffix}")

    def shift(self):
        """Give each rotated file the next number, so that the first is free."""
        names = {int(name.split(".")[2]): name for name in os.listdir(self.path.parent) if name.startswith("app.csv.")}
        for number in sorted(names, reverse=True):
            if number > KEPT:
                (self.path.parent / names[number]).unlink()
            else:
                (self.path.parent / names[number]).rename(self.beside(number + 1, ".gz" if names[number].endswith(".gz") else ""))

    def compress(self, number):
        if self.beside(number).exists():
            text = self.beside(number).read_bytes()
            self.beside(number, ".gz").write_bytes(gzip.compress(text))
            os.utime(self.beside(number, ".gz"), ns=(0, self.beside(number).stat().st_mtime_ns))
            self.beside(number).unlink()

    def rotate(self, how="create"):
        self.shift()
        if how == "copytruncate":
            shutil.copyfile(self.path, self.beside(1))
            os.truncate(self.path, 0)
        else:
            self.path.rename(self.beside(1))
            self.path.touch()
        if self.header_in_each:
            self.pending = HEADER


class Following(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.output = self.folder / "scored.csv"

    def words(self, log, *flags):
        state = ["--state", self.folder / "s.state", "--output", self.output]
        return [str(word) for word in [BINARY, "stream", "--every-event", log.path, "--follow", *state, *SMALL, *flags]]

    def catch_up(self, log, *flags):
        """Read all there is, and end."""
        command = self.words(log, "--until-idle", "0s", *flags)
        found = subprocess.run(command, capture_output=True, timeout=LONGEST, check=False)
        self.assertEqual(found.returncode, 0, found.stderr.decode())
        return found.stderr.decode()

    def begin(self, log, *flags):
        process = subprocess.Popen(self.words(log, *flags), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_until(self, is_so):
        end = time.monotonic() + LONGEST
        while not is_so():
            self.assertLess(time.monotonic(), end, "nothing happened")
            time.sleep(0.02)

    def wait_for_event(self, number):
        self.wait_until(lambda: self.output.exists() and f"\n{number},".encode() in self.output.read_bytes())

    def expect_all(self, log, *flags):
        """Expect the output of one run over everything that was written."""
        whole = run("stream", "--every-event", "--quiet", *SMALL, *flags, text=log.all)
        self.assertEqual(whole.returncode, 0, whole.stderr.decode())
        self.assertEqual(self.output.read_bytes(), whole.stdout)

    def test_lines_are_scored_as_they_are_appended(self):
        log = Log(self.folder)
        process = self.begin(log)
        for number in (1, 2, 3):
            log.write(1)
            self.wait_for_event(number)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(LONGEST), 0)
        self.expect_all(log)

    def test_a_file_that_does_not_exist_yet_is_waited_for(self):
        log = Log(self.folder)
        log.path.unlink()
        process = self.begin(log)
        self.assertIn("waiting for", process.stderr.readline().decode())
        log.write(3)
        self.wait_for_event(3)

    def test_a_renamed_file_is_read_to_its_end_before_the_new_one(self):
        log = Log(self.folder)
        self.begin(log)
        log.write(30)
        self.wait_for_event(30)
        log.rotate()
        with log.beside(1).open("a") as late:  # a writer that has not opened the new file yet
            late.write("31,10.0,ok\n")
        log.all += "31,10.0,ok\n"
        log.n = 31
        self.wait_for_event(31)
        log.write(1)
        self.wait_for_event(32)
        self.expect_all(log)

    def test_a_truncated_file_is_read_from_its_beginning_after_the_rest_of_its_copy(self):
        log = Log(self.folder)
        self.begin(log)
        log.write(30)
        self.wait_for_event(30)
        log.write(5)
        log.rotate("copytruncate")
        log.write(1)
        self.wait_for_event(36)
        self.expect_all(log)

    def test_a_truncated_file_that_has_grown_longer_than_before_is_noticed(self):
        log = Log(self.folder)
        log.write(30)
        self.catch_up(log)
        process = self.begin(log)
        time.sleep(0.3)
        process.send_signal(signal.SIGSTOP)
        log.rotate("copytruncate")
        log.write(60)
        process.send_signal(signal.SIGCONT)
        self.wait_for_event(90)
        self.expect_all(log)

    def test_a_copy_that_is_read_before_its_original_is_truncated_is_not_read_twice(self):
        log = Log(self.folder)
        process = self.begin(log)
        log.write(30)
        self.wait_for_event(30)
        process.send_signal(signal.SIGSTOP)
        log.rotate("copytruncate")
        log.write(3)
        log.shift()
        shutil.copyfile(log.path, log.beside(1))
        process.send_signal(signal.SIGCONT)
        self.wait_for_event(33)
        time.sleep(0.3)
        os.truncate(log.path, 0)
        log.write(1)
        self.wait_for_event(34)
        self.expect_all(log)

    def test_a_truncation_without_a_copy_is_reported(self):
        log = Log(self.folder)
        self.begin(log)
        log.write(30)
        self.wait_for_event(30)
        os.truncate(log.path, 0)
        log.write(1)
        self.wait_for_event(31)
        self.expect_all(log)

    def test_a_last_line_without_its_end_is_taken_when_the_file_is_rotated(self):
        log = Log(self.folder, header_in_each=False)
        log.write(30)
        log.append("31,10.5,ok")
        self.assertIn("wait for the rest", self.catch_up(log))
        log.rotate()
        log.all += "\n"
        log.n = 31
        log.write(4)
        self.catch_up(log)
        self.expect_all(log)

    def test_a_run_resumes_in_the_rotated_file_and_reads_all_files_since(self):
        for how in ("create", "copytruncate"):
            for suffix in ("", ".gz"):
                with self.subTest(how=how, suffix=suffix):
                    shutil.rmtree(self.folder)
                    self.folder.mkdir()
                    log = Log(self.folder)
                    log.write(40)
                    self.catch_up(log)
                    log.write(7)
                    for _ in range(3):
                        log.rotate(how)
                        log.write(5)
                        if suffix:
                            log.compress(2)
                    self.catch_up(log)
                    self.expect_all(log)

    def test_rotated_files_may_be_named_by_dates(self):
        log = Log(self.folder)
        log.write(40)
        self.catch_up(log)
        log.write(3)
        for day, name in enumerate(("app.csv-20260301", "app.csv-20260302", "app-20260303.csv")):
            log.path.rename(self.folder / name)
            os.utime(self.folder / name, ns=(0, time.time_ns() + day))
            log.path.touch()
            log.pending = HEADER
            log.write(2)
        (self.folder / "app.csv-old").write_text("40,10.0,ok\n")
        (self.folder / "app-errors.csv").write_text("40,10.0,ok\n")
        self.catch_up(log)
        self.expect_all(log)

    def test_a_lost_file_is_reported_and_newer_files_are_read(self):
        log = Log(self.folder)
        log.write(40)
        self.catch_up(log)
        log.rotate()
        kept = log.all
        log.all = ""
        log.write(3)
        log.rotate()
        log.write(4)
        log.beside(2).unlink()
        self.assertIn("lines may be missing", self.catch_up(log))
        log.all = kept + log.all
        self.expect_all(log)

    def test_numbers_of_lines_go_on_in_later_files(self):
        log = Log(self.folder)
        for _ in range(4):
            log.write(15)
            self.catch_up(log, "--json")
            log.rotate()
        log.write(3)
        self.catch_up(log, "--json")
        self.expect_all(log, "--json")

    def test_nothing_is_lost_or_doubled_by_rotations_and_kills(self):
        for how in ("create", "copytruncate"):
            with self.subTest(how=how):
                shutil.rmtree(self.folder)
                self.folder.mkdir()
                source = random.Random(how)
                log = Log(self.folder, seed=9)
                flags = ["--save-every", "7", "--quiet"]
                log.write(8)
                process = self.begin(log, *flags)
                self.wait_until((self.folder / "s.state").exists)
                n_kills = 0
                for _ in range(ROTATIONS):
                    log.write(source.randrange(4))
                    log.rotate(how)
                    if source.random() < 0.1:
                        time.sleep(0.12)
                    if source.random() < 0.05:
                        process.send_signal(source.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
                        process.wait(LONGEST)
                        n_kills += 1
                        process = self.begin(log, *flags)
                log.write(1)
                self.wait_for_event(log.n)
                process.kill()
                process.wait()
                self.catch_up(log, "--quiet")
                self.assertGreater(n_kills, 0)
                self.expect_all(log)

    def test_flags_and_files_that_cannot_be_followed_are_refused(self):
        self.expect(run("stream", "--follow"), USAGE_ERROR, "--follow requires a file")
        self.expect(run("stream", "x.csv", "--until-idle", "1s"), USAGE_ERROR, "--until-idle requires --follow")
        self.expect(run("stream", "x.csv.gz", "--follow"), USAGE_ERROR, "not compressed")
        self.expect(run("stream", "--every-event", "/dev/null", "--follow"), BAD_DATA, "regular file")

    def test_a_shell_loop_tells_anomalies_from_silence(self):
        """What cron does: a run per minute over a log that is rotated, which says by its exit code what it found."""
        log = Log(self.folder, header_in_each=False)
        log.write(60)
        command = self.words(log, "--until-idle", "0s", "--quiet", "--anomalies-only", "--fail-on-anomaly")
        loop = 'while read -r step; do eval "$step"; "$@"; echo "exit $?"; done'
        steps = [
            ":",
            f"echo 61,10.1,ok >>{log.path}; mv {log.path} {log.path}.1; echo 62,9.9,ok >{log.path}",
            f"echo 63,5000,ok >>{log.path}; mv {log.path}.1 {log.path}.2; mv {log.path} {log.path}.1; echo 64,10.2,ok >{log.path}",
            ":",
        ]
        found = subprocess.run(["bash", "-c", loop, "loop", *command], input="\n".join(steps) + "\n", capture_output=True, text=True,
                               timeout=LONGEST, check=False)
        self.assertEqual(found.stdout, "exit 0\nexit 0\nexit 10\nexit 0\n", found.stderr)
        self.assertIn("\n63,5000,ok,", self.output.read_text())

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
    def test_the_unit_of_systemd_is_in_order(self):
        text = (ROOT / "examples" / "operators" / "pidforest-stream.service").read_text()
        words = re.search(r"^ExecStart=(.*?[^\\])$", text, re.MULTILINE | re.DOTALL)[1].replace("\\\n", " ").split()
        found = run(*words[1:], "--until-idle", "0s", "--config", "missing.toml")
        self.expect(found, USAGE_ERROR if found.returncode == USAGE_ERROR else 5, "missing.toml")
        unit = self.folder / "pidforest-stream.service"
        unit.write_text(text.replace("/usr/bin/pidforest", BINARY))
        found = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=LONGEST, check=False)
        self.assertEqual((found.returncode, found.stderr), (0, ""))


if __name__ == "__main__":
    main()
