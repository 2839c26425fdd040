# SPDX-License-Identifier: Apache-2.0
"""The examples run in any folder, are short, and find the planted anomalies."""

import ast
import re
import subprocess
import sys

import pytest
from tables import ROOT

FEED = "live_metrics"  # a source of events for `pidforest stream`, whose tests run it
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.py") if path.stem != FEED)


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Return the output of each example, by name."""
    folder = tmp_path_factory.mktemp("elsewhere")
    runs = {path.stem: subprocess.run([sys.executable, path], cwd=folder, capture_output=True, text=True, check=False) for path in EXAMPLES}
    for name, run in runs.items():
        assert (run.returncode, run.stderr) == (0, ""), name
    assert not list(folder.iterdir())
    return {name: run.stdout for name, run in runs.items()}


def test_there_are_three_and_they_are_short():
    assert [path.stem for path in EXAMPLES] == ["categories", "fraud", "server_metrics"]
    for path in EXAMPLES:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) < 60, path.name
        assert sum(line.startswith("# %%") for line in lines) >= 4, path.name


def test_frauds_are_on_top(printed):
    flagged, right = re.search(r"(\d+) orders have more than .* bits; (\d+) of them are frauds", printed["fraud"]).groups()
    assert int(right) == int(flagged) > 0
    assert "3 of 12 frauds in the first 3 orders" in printed["fraud"]
    stated, counted = re.search(r" ([\d,]+) of 3,105 rows", printed["fraud"]), re.search(r"in Python: (\d+) of 3105", printed["fraud"])
    assert stated[1] == counted[1]


def test_alarms_are_faults(printed):
    alarms, right = re.search(r"(\d+) alarms in 2016 rows .*, (\d+) of them planted", printed["server_metrics"]).groups()
    assert int(right) == int(alarms) > 0
    assert float(re.search(r"area under the curve: ([\d.]+)", printed["server_metrics"])[1]) > 0.98


def test_white_elephants_are_the_rarest(printed):
    planted, rarest = re.findall(r"(?:planted|rarest): (\[.*\])", printed["categories"])
    assert ast.literal_eval(planted) == ast.literal_eval(rarest)
    reason = re.search(r"^species = elephant and colour .* 5 of 5,000 rows", printed["categories"], re.MULTILINE)
    assert reason and "noise" not in reason[0]
    assert "exactly: species = elephant and colour in {black, white}" in printed["categories"]
