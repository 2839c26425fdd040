# SPDX-License-Identifier: Apache-2.0
"""A state of `pidforest stream` belongs to its flags and its input. PIDFOREST_BINARY is the path of the command."""

import pathlib
import random
import re
import tempfile

from command import BAD_DATA, USAGE_ERROR, CommandTest, main, run

BASE = {"--horizon": "60", "--warm-up": "20", "--n-estimators": "5", "--time": "time", "--cuts": "optimal"}
# Another value for each flag that a state is bound to: "" is a flag without a value, None leaves out a flag of BASE.
BOUND = {
    "--json": "", "--ignore": "load", "--schema": "schema.json", "--window": "2", "--time": None, "--by": "host",
    "--max-gap": "1min", "--calendar": "", "--horizon": "61", "--warm-up": "21", "--views": "lags", "--recent": "0", "--format": "jsonl", "--delimiter": ";",
    "--decimal": ",", "--na": "ok", "--n-estimators": "6", "--max-samples": "16", "--max-depth": "3",
    "--min-node-rows": "3", "--cuts": "sampled", "--gate": "3", "--rounds": "2", "--max-children": "4", "--epsilon": "1",
    "--related-share": "0.25", "--axis-gain": "relative", "--axis-power": "1", "--isolated": "off", "--rare-pairs": "off",
    "--root-interval": "half_gap", "--aggregate": "max", "--quantile": "0.5", "--top-share": "0.5",
    "--follow": "", "--cool-down": "5min", "--alerts-per-day": "2",
    "--contamination": "0.1", "--reasons": "off", "--seed": "1", "--no-season": "", "--means": "5,60",
}  # fmt: skip
# Flags that may change while a stream goes on.
FREE = {
    "--output": "scored.csv", "--anomalies-only": "", "--min-bits": "3", "--excel-safe": "", "--state": None,
    "--save-every": "7", "--replayed": "", "--quiet": "", "--max-keys": "5", "--history": "events.csv", "--sql": None, "--db": None, "--driver": None,
    "--config": "quiet.toml", "--fail-on-anomaly": "", "--silent-after": "10min", "--notify": "http://127.0.0.1:9",
}  # fmt: skip
# Flags that stand for others, with one that they change.
SHORT = {"--no-reasons": ("", "--reasons")}
# A stream allows only one value of the first, and no other preset; help is no run; --until-idle ends a run that follows its file;
# --per-key requires a budget; all runs of this test write every event.
FIXED = {"--count-rows", "--preset", "--help", "--until-idle", "--per-key", "--every-event", "--offsets"}


def events(n, seed=1):
    source = random.Random(seed)
    return "time,host,load,state\n" + "".join(
        f"2026-03-02 {i // 60 % 24:02}:{i % 60:02},{source.choice('ab')},{source.gauss(10, 1):.3f},{source.choice(['ok', 'slow'])}\n"
        for i in range(n)
    )


def words(flags):
    return [word for name, value in flags.items() if value is not None for word in (name, value) if word]


class Setting(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "events.csv").write_text(events(50))
        (self.folder / "quiet.toml").write_text("quiet = true\n")
        self.write_schema("load")

    def write_schema(self, *names):
        columns = ", ".join(f'{{"name": "{name}", "kind": "continuous"}}' for name in ["time", *names][1:])
        (self.folder / "schema.json").write_text(f'{{"columns": [{columns}]}}')

    def stream(self, flags, text=None):
        name = "-" if text is not None else "events.csv"
        return run("stream", "--every-event", name, *words(flags), "--state", "s", text=text or "", cwd=self.folder)

    def begin(self, flags=BASE):
        (self.folder / "s").unlink(missing_ok=True)
        found = self.stream(flags)
        self.assertEqual(found.returncode, 0, found.stderr)

    def test_every_flag_is_bound_or_free(self):
        help_text = run("stream", "--help").stdout.decode()
        declared = set(re.findall(r"^ +(?:-\w,)?(--[a-z-]+)", help_text, re.MULTILINE))
        self.assertEqual(declared, set(BOUND) | set(FREE) | set(SHORT) | FIXED)

    def test_a_state_is_refused_with_another_value_of_a_bound_flag(self):
        self.begin()
        for flag, value in BOUND.items():
            with self.subTest(flag):
                self.expect(self.stream({**BASE, flag: value}), USAGE_ERROR, "'s' was written with", f" {flag}")
        for flag, (value, changed) in SHORT.items():
            with self.subTest(flag):
                self.expect(self.stream({**BASE, flag: value}), USAGE_ERROR, f"with {changed} on; this run is with {changed} off.")

    def test_a_state_is_resumed_with_another_value_of_a_free_flag(self):
        for flag, value in FREE.items():
            with self.subTest(flag):
                self.begin()
                found = self.stream({**BASE, flag: value}, events(50) if flag == "--replayed" else None)
                if flag == "--output":  # the lines of the first run are not in this file
                    self.expect(found, BAD_DATA, "scored.csv")
                else:
                    self.assertEqual(found.returncode, 0, found.stderr)

    def test_defaults_may_be_written_out(self):
        self.begin()
        defaults = {"--decimal": ".", "--format": "csv", "--window": "1", "--seed": "0", "--gate": "4", "--preset": "default"}
        found = self.stream({**BASE, **defaults})
        self.assertEqual(found.returncode, 0, found.stderr)

    def test_a_schema_counts_by_its_content(self):
        flags = {**BASE, "--schema": "schema.json"}
        self.begin(flags)
        (self.folder / "schema.json").rename(self.folder / "renamed.json")
        found = self.stream({**BASE, "--schema": "renamed.json"})
        self.assertEqual(found.returncode, 0, found.stderr)
        self.write_schema("load", "state")
        self.expect(self.stream(flags), USAGE_ERROR, " --schema ")

    def test_an_input_with_another_beginning_is_refused(self):
        self.begin()
        text = events(50)
        for other in (events(60, seed=2), text.replace("10.", "20.", 1) + text.partition("\n")[2]):
            (self.folder / "events.csv").write_text(other)
            self.expect(self.stream(BASE), BAD_DATA, f"{len(text)} bytes")
            self.expect(self.stream({**BASE, "--replayed": ""}, other), BAD_DATA, f"{len(text)} bytes")
        (self.folder / "events.csv").write_text(text + "2026-03-02 02:00,a,10.1,ok\n")
        found = self.stream(BASE)
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertEqual(found.stdout.count(b"\n"), 1)


if __name__ == "__main__":
    main()
