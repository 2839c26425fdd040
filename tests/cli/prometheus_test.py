# SPDX-License-Identifier: Apache-2.0
"""The verb `prometheus` before a server that answers as Prometheus does, or badly. tests/connectors has the real one.

PIDFOREST_BINARY is the path of the command.
"""

import base64
import json
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from command import ANOMALIES_FOUND, BAD_DATA, BINARY, FILE_ERROR, LONGEST, USAGE_ERROR, CommandTest, main, run

SECRET = "s3cr3t"
if not (pathlib.Path(BINARY).parent / "libpidforest_http.so").exists():
    print("skipped: the build has no HTTP module (libcurl4-openssl-dev, libcpp-httplib-dev)")
    sys.exit(77)


def load_of(instance, second):
    """A quiet wave, and an hour in which web2 stands still."""
    minute = second // 60
    is_fault = instance == "web2" and minute % 2880 in range(1000, 1060)
    return 90 + minute % 3 if is_fault else 20 + minute % 7 + (minute // 60) % 5


class FakePrometheus:
    def __init__(self):
        fake = self
        fake.requests, fake.headers = [], []
        fake.answer, fake.wait = None, 0
        fake.instances = ["web1", "web2"]
        fake.value_of = load_of

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                asked = urllib.parse.urlsplit(self.path)
                query = {name: values[0] for name, values in urllib.parse.parse_qs(asked.query).items()}
                fake.requests.append(query)
                fake.headers.append(dict(self.headers))
                time.sleep(fake.wait)
                status, body = fake.answer or (200, json.dumps(fake.matrix(query)))
                self.send_response(status if asked.path.endswith("/api/v1/query_range") else 404)
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def matrix(self, query):
        begin, end, step = (float(query[name]) for name in ("start", "end", "step"))
        n = round((end - begin) / step) + 1
        times = [begin + i * step for i in range(n)]
        result = []
        for instance in self.instances:
            values = [[t, str(self.value_of(instance, round(t)))] for t in times]
            result.append({"metric": {"__name__": "load", "instance": instance, "job": "node"}, "values": values})
        return {"status": "success", "data": {"resultType": "matrix", "result": result}}

    def url(self, credentials=""):
        return f"http://{credentials}127.0.0.1:{self.port}"


class PrometheusTest(CommandTest):
    def setUp(self):
        self.fake = FakePrometheus()
        self.addCleanup(self.fake.server.server_close)
        self.addCleanup(self.fake.server.shutdown)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def ask(self, *flags, url=None, query="load", **options):
        return run("prometheus", "--url", url or self.fake.url(), "--query", query, *flags, **options)

    def begin(self, *flags):
        words = [BINARY, "prometheus", "--url", self.fake.url(), "--query", "load", "--watch", "--listen", "127.0.0.1:0", *flags]
        process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.page = re.search(r"http://127.0.0.1:\d+/metrics", process.stderr.readline().decode())[0]
        return process

    def metric(self, name):
        with urllib.request.urlopen(self.page, timeout=10) as answer:
            found = re.findall(rf"^{name}(?:{{(.*)}})? (\S+)$", answer.read().decode(), re.MULTILINE)
        return {labels: float(value) for labels, value in found}

    def wait_until(self, is_so):
        end = time.monotonic() + LONGEST
        while not is_so():
            self.assertLess(time.monotonic(), end, "nothing happened")
            time.sleep(0.05)

    def test_series_are_read_and_their_incidents_found(self):
        found = self.ask("--range", "2d", "--json", "--fail-on-anomaly")
        self.assertEqual(found.returncode, ANOMALIES_FOUND, found.stderr.decode())
        first = json.loads(found.stdout)["incidents"][0]
        self.assertEqual(first["key"], 'instance="web2",job="node"')
        self.assertIn("value", [one["metric"] for one in first["metrics"]])
        self.assertGreaterEqual(first["n_anomalies"], 10)

    def test_a_long_range_is_asked_for_in_pieces_without_a_gap(self):
        self.assertEqual(self.ask("--range", "14d", "--quiet").returncode, 0)
        pieces = [(float(one["start"]), float(one["end"])) for one in self.fake.requests]
        self.assertEqual(len(pieces), 3)
        for (_, end), (begin, _) in zip(pieces, pieces[1:]):
            self.assertEqual(begin, end + 60)
        self.assertEqual(pieces[-1][1] - pieces[0][0], 14 * 86400)

    def test_several_queries_are_columns_by_their_names(self):
        found = self.ask("--query", "mem=sum(mem) by (instance)", "--range", "6h", "--top", "1", query="cpu=rate(cpu[5m])")
        self.assertEqual(found.returncode, 0, found.stderr.decode())
        self.assertEqual({one["query"] for one in self.fake.requests}, {"rate(cpu[5m])", "sum(mem) by (instance)"})
        for words in (("a", "b"), ("time=a",), ("x=a", "x=b"), ("up == 1", "up")):
            flags = [flag for word in words for flag in ("--query", word)]
            found = run("prometheus", "--url", self.fake.url(), *flags)
            self.expect(found, USAGE_ERROR, "needs a name of its own")

    def test_values_that_are_no_numbers_are_missing(self):
        self.fake.value_of = lambda instance, second: ["NaN", "+Inf", "-Inf", "1.5e-3"][second // 60 % 4]
        found = self.ask("--range", "6h")
        self.assertEqual(found.returncode, 0, found.stderr.decode())

    def test_errors_of_the_server_are_told_with_their_reason(self):
        self.fake.answer = (400, '{"status":"error","errorType":"bad_data","error":"parse error: unexpected end"}')
        self.expect(self.ask(), FILE_ERROR, f"cannot query http://127.0.0.1:{self.fake.port}", "HTTP 400", "parse error: unexpected end")
        self.fake.answer = (503, "down")
        self.expect(self.ask(), FILE_ERROR, "HTTP 503")

    def test_answers_that_are_none_of_prometheus_are_refused(self):
        for body in ("", "<html>", "[" * 1_000_000, '{"data":' * 100_000, "[]", '{"data":{}}', '{"data":{"result":[{"metric":{"a":1},"values":[]}]}}',
                     '{"data":{"result":[{"metric":{},"values":[[1]]}]}}', '{"data":{"result":[{"metric":{},"values":[["x","y"]]}]}}'):
            with self.subTest(body=body):
                self.fake.answer = (200, body)
                self.expect(self.ask(), BAD_DATA, "must be JSON with a matrix")
        self.fake.answer = (200, '{"data":{"result":[]}}')
        self.expect(self.ask("--quiet"), BAD_DATA, "no rows")

    def test_a_slow_server_is_not_waited_for_longer_than_allowed(self):
        self.fake.wait = 30
        begin = time.monotonic()
        self.expect(self.ask("--timeout", "1s"), FILE_ERROR, "no answer within 1000 ms")
        self.assertLess(time.monotonic() - begin, 15)

    def test_a_server_that_is_not_there_is_told(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            port = closed.getsockname()[1]
        self.expect(self.ask(url=f"http://127.0.0.1:{port}"), FILE_ERROR, "cannot query")

    def test_labels_that_do_not_tell_series_apart_are_refused(self):
        self.expect(self.ask("--by", "job"), BAD_DATA, 'two have {job="node"}', "--by")
        self.assertEqual(self.ask("--by", "instance", "--range", "6h").returncode, 0)

    def test_credentials_are_sent_and_never_shown(self):
        self.fake.answer = (401, '{"status":"error","error":"who?"}')
        found = self.ask(url=self.fake.url(f"joe:{SECRET}@"))
        self.expect(found, FILE_ERROR, "HTTP 401")
        self.assertNotIn(SECRET, found.stderr.decode())
        self.assertEqual(self.fake.headers[-1]["Authorization"], "Basic " + base64.b64encode(f"joe:{SECRET}".encode()).decode())
        token = self.folder / "token"
        token.write_text(SECRET + "\n")
        self.ask("--bearer-token-file", token)
        self.assertEqual(self.fake.headers[-1]["Authorization"], f"Bearer {SECRET}")
        self.expect(self.ask("--bearer-token-file", self.folder / "none"), FILE_ERROR, "--bearer-token-file")

    def test_no_report_and_no_state_has_credentials(self):
        report = self.folder / "report.html"
        found = self.ask("--range", "6h", "--report", report, url=self.fake.url(f"joe:{SECRET}@"))
        self.assertEqual(found.returncode, 0, found.stderr.decode())
        self.assertNotIn(SECRET, report.read_text() + found.stderr.decode())

    def test_flags_that_cannot_be_are_refused(self):
        self.expect(self.ask(url="localhost"), USAGE_ERROR, "--url must be an http or https URL")
        self.expect(self.ask("--range", "0s"), USAGE_ERROR, "--range must be longer")
        self.expect(self.ask("--step", "0s"), USAGE_ERROR, "--step must be longer")
        self.expect(self.ask("--state", "s"), USAGE_ERROR, "require --watch")
        self.expect(self.ask("--watch", "--listen", "nowhere"), USAGE_ERROR, "--listen must be HOST:PORT")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            self.expect(self.ask("--watch", "--listen", f"127.0.0.1:{taken.getsockname()[1]}"), FILE_ERROR, "cannot listen at")

    def test_new_samples_are_scored_and_shown(self):
        spike = {"is": False}
        self.fake.value_of = lambda instance, second: 5000 if spike["is"] and instance == "web2" else 20 + second % 7
        process = self.begin("--step", "1s", "--range", "10min", "--json")
        web1, web2 = ('instance="web1",job="node"', 'instance="web2",job="node"')
        self.wait_until(lambda: len(self.metric("pidforest_score")) == 2)
        self.assertEqual(self.metric("pidforest_source_up"), {"": 1})
        self.assertLess(self.metric("pidforest_lag_seconds")[""], 30)
        spike["is"] = True
        self.wait_until(lambda: self.metric("pidforest_incidents_total")[web2] == 1)
        self.assertEqual(self.metric("pidforest_incident_open"), {web1: 0, web2: 1})
        self.assertGreater(self.metric("pidforest_anomalies_total")[web2], 0)
        line = json.loads(process.stdout.readline())
        self.assertEqual((line["state"], line["key"]), ("open", web2))
        self.assertIn("5000", line["reason"])
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(LONGEST), 0)

    def test_a_server_that_fails_for_a_while_is_told_once_and_caught_up_with(self):
        process = self.begin("--step", "1s", "--range", "10min")
        self.wait_until(lambda: len(self.metric("pidforest_score")) == 2)
        before = sum(self.metric("pidforest_events_total").values())
        self.fake.answer = (500, "")
        self.wait_until(lambda: self.metric("pidforest_source_up")[""] == 0)
        time.sleep(2)
        self.fake.answer = None
        self.wait_until(lambda: self.metric("pidforest_source_up")[""] == 1)
        self.wait_until(lambda: sum(self.metric("pidforest_events_total").values()) >= before + 6)
        process.send_signal(signal.SIGTERM)
        message = process.stderr.read().decode()
        self.assertEqual(message.count("HTTP 500"), 1)
        self.assertIn("answers again", message)

    def test_series_may_come_and_go(self):
        process = self.begin("--step", "1s", "--range", "10min", "--silent-after", "2s")
        self.wait_until(lambda: len(self.metric("pidforest_score")) == 2)
        self.fake.instances = ["web1", "web3"]
        silent = 'instance="web2",job="node"'
        self.wait_until(lambda: self.metric("pidforest_is_silent")[silent] == 1)
        self.wait_until(lambda: 'instance="web3",job="node"' in self.metric("pidforest_score"))
        process.stdout.readline()
        self.assertIn("silent: no event for 2s", process.stdout.readline().decode())

    def test_a_killed_watch_resumes_after_its_last_sample(self):
        output = self.folder / "out.csv"
        flags = ["--step", "1s", "--range", "10min", "--every-event", "--state", self.folder / "s", "--output", output]
        process = self.begin(*flags)
        self.wait_until(lambda: output.exists() and output.read_bytes().count(b"\n") > 4)
        process.send_signal(signal.SIGTERM)
        process.wait(LONGEST)
        time.sleep(2)
        process = self.begin(*flags)
        n_lines = output.read_bytes().count(b"\n")
        self.wait_until(lambda: output.read_bytes().count(b"\n") > n_lines + 6)
        process.kill()
        process.wait()
        rows = [line.split(",")[0:2] for line in output.read_text().splitlines()[1:-1]]
        times = sorted({row[0] for row in rows})
        self.assertEqual(len(rows), len({tuple(row) for row in rows}), "a sample was scored twice")
        seconds = [time.mktime(time.strptime(one, "%Y-%m-%dT%H:%M:%SZ")) for one in times]
        self.assertEqual(seconds, [seconds[0] + i for i in range(len(seconds))], "a sample is missing")
        self.assertNotIn(str(self.fake.port).encode(), (self.folder / "s").read_bytes())


if __name__ == "__main__":
    main()
