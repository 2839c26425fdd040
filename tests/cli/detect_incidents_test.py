# SPDX-License-Identifier: Apache-2.0
"""Lists incidents and passes them back as rules. PIDFOREST_BINARY is the path of the command."""

import csv
import json
import tempfile
from pathlib import Path

from command import USAGE_ERROR, BAD_DATA, ROOT, CommandTest, main, run

FLEET = ROOT / "examples" / "fleet.csv"


def detect(*flags):
    return json.loads(run("detect", FLEET, "--label", "fault", "--min-bits", "2", "--json", *flags).stdout)


def matching(conditions):
    """The numbers of the rows of the fleet that satisfy ranges of numbers."""
    with open(FLEET, newline="", encoding="utf-8") as file:
        values = list(csv.DictReader(file))
    for number, row in enumerate(values, 1):
        xs = [float(row[one["column"]]) for one in conditions]
        if all(one.get("at_least", x) <= x and not ("below" in one and x >= one["below"]) for one, x in zip(conditions, xs)):
            yield number


class Incidents(CommandTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def written(self, name, text):
        path = Path(self.folder.name, name)
        path.write_text(text)
        return path

    def rules(self, rules):
        return self.written("rules.json", json.dumps(rules))

    def test_every_anomaly_is_in_one_incident_whose_reason_holds_it(self):
        anomalies = [row for row in detect("--top", "4032")["top"] if row["is_anomaly"]]
        incidents = detect("--incidents")["incidents"]
        rows = [row for incident in incidents for row in incident["rows"]]
        self.assertEqual(sorted(rows), sorted(row["row"] for row in anomalies))
        self.assertLess(len(incidents), len(anomalies) / 2)
        self.assertEqual(incidents[0]["worst"], {"row": anomalies[0]["row"], "score": anomalies[0]["score"]})
        with open(FLEET, newline="", encoding="utf-8") as file:
            values = list(csv.DictReader(file))
        for incident in incidents:
            for condition in incident["witness"]["conditions"]:
                for row in incident["rows"]:
                    x = float(values[row - 1][condition["column"]])
                    self.assertTrue(condition.get("at_least", x) <= x, condition)
                    self.assertTrue("below" not in condition or x < condition["below"], condition)

    def test_a_witness_given_back_suppresses_its_rows(self):
        # The witness that holds most anomalies takes all that it holds.
        first, *others = sorted(detect("--incidents")["incidents"], key=lambda incident: -len(incident["rows"]))
        rules = self.rules([first["witness"]])
        left = detect("--incidents", "--suppress", rules)["incidents"]
        suppressed = set(matching(first["witness"]["conditions"]))
        self.assertTrue(set(first["rows"]) <= suppressed)
        self.assertEqual(sorted(row for incident in left for row in incident["rows"]),
                         sorted({row for incident in others for row in incident["rows"]} - suppressed))
        top = detect("--suppress", rules, "--top", "4032")["top"]
        self.assertEqual(len(top), 4032 - first["witness"]["n_inside"])
        self.assertFalse({row["row"] for row in top} & set(first["rows"]))
        said = run("detect", FLEET, "--label", "fault", "--min-bits", "2", "--suppress", rules).stderr.decode()
        n_suppressed = len(suppressed & {row for incident in (first, *others) for row in incident["rows"]})
        self.assertIn(f"{n_suppressed} more suppressed by {rules}", said)

    def test_suppressed_rows_keep_their_scores_and_are_no_anomalies(self):
        rules = self.rules([[{"column": "errors_per_min", "at_least": 1}], [{"column": "disk_queue", "at_least": 2}]])
        model = str(Path(self.folder.name, "m.pidf"))
        run("fit", FLEET, "--label", "fault", "-o", model)
        with open(FLEET, newline="", encoding="utf-8") as file:
            values = list(csv.DictReader(file))
        plain, known = (list(csv.DictReader(run("score", model, FLEET, *flags).stdout.decode().splitlines()))
                        for flags in ([], ["--suppress", rules]))
        for value, before, after in zip(values, plain, known):
            is_known = float(value["errors_per_min"]) >= 1 or float(value["disk_queue"]) >= 2
            self.assertEqual(after, {**before, "is_anomaly": "0" if is_known else before["is_anomaly"]})
        self.assertNotEqual(plain, known)
        written = Path(self.folder.name, "out.csv")
        run("detect", FLEET, "--label", "fault", "--suppress", rules, "--output", written)
        self.assertEqual(list(csv.DictReader(written.read_text().splitlines())), known)

    def test_bad_rules_are_named(self):
        for rules, told in (
            ("[", "rules: line 1, column 2: expected"),
            ("{}", "must be an array of rules; got an object."),
            ("[[]]", "rule 1: must have at least one condition"),
            ("[{}]", 'rule 1: must have "conditions".'),
            ('[[{"column": "cpu", "at_least": 1}], [{"column": "cpus", "at_least": 1}]]', "rule 2: conditions[0].column: must be one of 'machine'"),
        ):
            self.expect(run("detect", FLEET, "--quiet", "--suppress", self.written("r.json", rules)), BAD_DATA, "r.json", told)

    def test_incidents_need_a_threshold(self):
        found = run("detect", FLEET, "--incidents", "--contamination", "none")
        self.expect(found, USAGE_ERROR, "--incidents requires a threshold")


if __name__ == "__main__":
    main()
