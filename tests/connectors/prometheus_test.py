# SPDX-License-Identifier: Apache-2.0
"""The verb `prometheus` with a real Prometheus on the loopback, and the operator's story of examples/operators.

PIDFOREST_BINARY is the path of the command. `make test-connectors` installs Prometheus; without it this is skipped.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "operators"
sys.path[:0] = [str(ROOT / "tests"), str(EXAMPLES)]
import oracle  # noqa: E402, F401
import story  # noqa: E402

BINARY = os.environ["PIDFOREST_BINARY"]
DAY = 86_400
if not shutil.which("prometheus") or not shutil.which("promtool"):
    print("skipped: there is no prometheus (scripts/bootstrap connectors)")
    sys.exit(77)
if not (Path(BINARY).parent / "libpidforest_http.so").exists():
    print("skipped: the build has no HTTP module (libcurl4-openssl-dev, libcpp-httplib-dev)")
    sys.exit(77)


def pidforest(*words):
    return subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=300, check=False)


def history(path, begin, end, fault):
    """Fourteen days of two instances; one stands at a high load for two hours."""
    source = random.Random(5)
    lines = ["# TYPE load gauge"]
    for instance in ("web1", "web2"):
        for second in range(begin, end, 300):
            swing = 20 if 8 <= second // 3600 % 24 < 20 else 0
            is_fault = instance == "web2" and fault <= second < fault + 7200
            value = 95 + source.random() if is_fault else 30 + swing + source.gauss(0, 2)
            lines.append(f'load{{instance="{instance}",job="node"}} {value:.3f} {second}')
    path.write_text("\n".join(lines) + "\n# EOF\n")


class Prometheus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        folder = Path(cls.temporary.name)
        now = int(time.time()) // 300 * 300
        cls.fault = now - 3 * DAY
        history(folder / "history", now - 14 * DAY, now - 300, cls.fault)
        subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", folder / "history", folder / "data"],
                       check=True, capture_output=True, timeout=300)
        process, cls.url = story.start_prometheus(folder, 1, 1)
        cls.addClassCleanup(process.wait)
        cls.addClassCleanup(process.kill)

    def test_two_weeks_of_series_are_read_and_the_fault_is_the_first_incident(self):
        found = pidforest("prometheus", "--url", self.url, "--query", "load", "--range", "14d", "--step", "5min", "--json")
        self.assertEqual(found.returncode, 0, found.stderr)
        first = json.loads(found.stdout)["incidents"][0]
        self.assertEqual(first["key"], 'instance="web2",job="node"')
        begin = time.strftime("%Y-%m-%dT%H", time.gmtime(self.fault))
        self.assertIn(begin, json.dumps(first["begin"]))

    def test_an_error_in_a_query_is_told_in_the_words_of_prometheus(self):
        found = pidforest("prometheus", "--url", self.url, "--query", "load{")
        self.assertEqual(found.returncode, 5)
        self.assertIn("HTTP 400: ", found.stderr)
        self.assertIn("parse error: unexpected end of input", found.stderr)

    def test_a_query_without_series_is_told(self):
        found = pidforest("prometheus", "--url", self.url, "--query", "nothing")
        self.assertEqual(found.returncode, 3)
        self.assertIn("no rows", found.stderr)


class Examples(unittest.TestCase):
    def test_the_story_ends_with_an_alert_that_fires_in_prometheus(self):
        found = subprocess.run([sys.executable, EXAMPLES / "story.py", "--pidforest", BINARY], capture_output=True, text=True,
                               timeout=600, check=False)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
        self.assertIn("latency_ms = ", found.stdout)
        self.assertIn("Prometheus: PidforestIncident is firing", found.stdout)
        self.assertIn("pidforest ended with exit code 0", found.stdout)

    def test_the_rules_and_the_config_are_in_order(self):
        for words in (["rules", EXAMPLES / "pidforest.rules.yml"], ["config", EXAMPLES / "prometheus.yml"]):
            found = subprocess.run(["promtool", "check", *words], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(found.returncode, 0, found.stdout + found.stderr)

    def test_rules_and_dashboard_name_metrics_that_are_served(self):
        source = (ROOT / "cli" / "net" / "metrics_page.cpp").read_text()
        texts = (EXAMPLES / "pidforest.rules.yml").read_text() + (EXAMPLES / "grafana.json").read_text()
        for name in set(story.re.findall(r"pidforest_\w+", texts)):
            self.assertIn(f'"{name}"', source)


if __name__ == "__main__":
    unittest.main()
