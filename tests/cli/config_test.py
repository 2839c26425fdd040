# SPDX-License-Identifier: Apache-2.0
"""Runs the command with --config, and `pidforest config`. PIDFOREST_BINARY is the path of the command."""

import os
import re
import tempfile
import tomllib
import unittest

from command import FILE_ERROR, ROOT, USAGE_ERROR, CommandTest, main, run

FLEET = ROOT / "examples" / "fleet.csv"


class Config(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "pidforest.toml")

    def detect(self, toml, *flags, verb="detect"):
        with open(self.path, "w") as file:
            file.write(toml)
        return run(verb, FLEET, "--config", self.path, *flags)

    def same(self, toml, *flags):
        self.assertEqual(self.detect(toml).stdout, run("detect", FLEET, *flags).stdout)

    def test_keys_are_flags(self):
        self.same('top = 2\nlabel = "fault"\n', "--top", "2", "--label", "fault")
        self.same('[detect]\ntop = 2\nno-reasons = true\njson = false\n', "--top", "2", "--no-reasons")
        self.same('ignore = ["cpu", "net*"]\nn_estimators = 30\n', "--ignore", "cpu,net*", "--n-estimators", "30")
        self.same("[detect]\nmin-bits = -1.5 # all rows\n", "--min-bits", "-1.5")

    def test_the_section_of_the_verb_comes_before_the_keys_above_and_the_command_line_before_both(self):
        toml = "top = 2\n[score]\ntop = 1\n[detect]\ntop = 3\n"
        self.same(toml, "--top", "3")
        self.assertEqual(self.detect(toml, "--top", "4").stdout, run("detect", FLEET, "--top", "4").stdout)
        self.assertEqual(self.detect(toml, "--top=4").stdout, run("detect", FLEET, "--top", "4").stdout)

    def test_keys_that_another_verb_has_are_passed_over_above_the_sections(self):
        self.assertEqual(self.detect('label = "fault"\n', verb="schema").stdout, run("schema", FLEET).stdout)

    def test_mistakes_are_named_with_their_line(self):
        self.expect(self.detect("\ntpo = 3\n"), USAGE_ERROR, "pidforest.toml, line 2", "'tpo'", "Did you mean top?")
        self.expect(self.detect("[detect]\nrow = 3\n"), USAGE_ERROR, "line 2", "a flag of detect", "'row'")
        self.expect(self.detect("[dtect]\ntop = 3\n"), USAGE_ERROR, "line 1", "[dtect]", "Did you mean detect?")
        self.expect(self.detect("top = many\n"), USAGE_ERROR, "line 1", "--top", "many")
        self.expect(self.detect('format = "csw"\n'), USAGE_ERROR, "line 1", "--format", "csw")
        self.expect(self.detect('json = "perhaps"\n'), USAGE_ERROR, "line 1", "json must be true or false", "perhaps")
        self.expect(self.detect("top\n"), USAGE_ERROR, "line 1", "'top'", "top = ")

    def test_a_file_that_is_not_there_is_a_file_error(self):
        self.expect(run("detect", FLEET, "--config", "no/such.toml"), FILE_ERROR, "no/such.toml")

    def test_the_printed_file_is_toml_and_each_of_its_flags_may_be_set(self):
        text = run("config").stdout.decode()
        self.assertEqual(set(tomllib.loads(text)), {"detect", "fit", "score", "explain", "report", "compare", "stream", "prometheus", "exact", "schema"})
        every = tomllib.loads(re.sub(r"(?m)^# ([a-z-]+ = )", r"\1", text))
        flags = set(re.findall(r"(?m)^  (?:-\w,)?--([a-z-]+)", run("detect", "--help").stdout.decode()))
        self.assertEqual(set(every["detect"]), flags - {"help", "config"})

    def test_the_printed_defaults_change_nothing(self):
        text = run("config", "detect").stdout.decode()
        numbers = "\n".join(re.findall(r"(?m)^# ([a-z-]+ = (?:[0-9.]+|false))$", text))
        self.assertGreater(numbers.count("\n"), 5)
        self.same("[detect]\n" + numbers)

    def test_another_command_is_refused(self):
        self.expect(run("config", "dtect"), USAGE_ERROR, "dtect", "Did you mean detect?")


if __name__ == "__main__":
    main()
