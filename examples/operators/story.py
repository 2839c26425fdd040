# SPDX-License-Identifier: Apache-2.0
"""The operator's story, from a fault to an alert, on one machine in about a minute.

    python3 examples/operators/story.py --pidforest build/pidforest

A small service exports its metrics. Prometheus scrapes it, `pidforest prometheus --watch` learns the metrics and serves what it
finds, and Prometheus scrapes that, too. Then the service gets slow: pidforest opens an incident, and the rule of
pidforest.rules.yml fires in Prometheus. Takes Debian's package prometheus.
"""

import argparse
import json
import math
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).resolve().parent
INTERVAL = 0.25  # of scrapes, in seconds
LONGEST = 180  # to wait for anything, in seconds


class Service:
    """A service that exports two metrics, and is slow while `is_broken`."""

    def __init__(self):
        service = self
        self.is_broken = False
        self.random = random.Random(1)

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = service.page().encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def page(self):
        load = 100 + 20 * math.sin(time.time() / 10) + self.random.gauss(0, 3)
        latency = (900 if self.is_broken else 20) + load / 10 + self.random.gauss(0, 1)
        return f"demo_requests {load:.3f}\ndemo_latency_ms {latency:.3f}\n"


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


def wait_for(what, is_so):
    """Wait until a function returns something, and return that."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        try:
            found = is_so()
        except OSError:
            found = None
        if found:
            return found
        time.sleep(0.2)
    raise SystemExit(f"this did not happen within {LONGEST} s: {what}")


def start_prometheus(folder, service_port, page_port):
    """Run Prometheus in a folder, with the config of this example and short intervals; return it and its address."""
    config = (HERE / "prometheus.yml").read_text().replace("15s", f"{int(INTERVAL * 1000)}ms")
    config = config.replace("localhost:8000", f"127.0.0.1:{service_port}").replace("localhost:9709", f"127.0.0.1:{page_port}")
    (folder / "prometheus.yml").write_text(config)
    shutil.copy(HERE / "pidforest.rules.yml", folder)
    port = free_port()
    words = ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{port}", "--log.level=error"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    wait_for("Prometheus is ready", lambda: get(f"{url}/-/ready"))
    return process, url


def n_samples(url):
    found = json.loads(get(f"{url}/api/v1/query?query=count_over_time(demo_latency_ms[10m])"))["data"]["result"]
    return int(found[0]["value"][1]) if found else 0


def firing(url):
    alerts = json.loads(get(f"{url}/api/v1/alerts"))["data"]["alerts"]
    return [one for one in alerts if one["state"] == "firing" and one["labels"]["alertname"] == "PidforestIncident"]


def tell(folder, pidforest):
    running = []
    try:
        service, page_port = Service(), free_port()
        prometheus, url = start_prometheus(folder, service.port, page_port)
        running.append(prometheus)
        print("Prometheus scrapes a service.", flush=True)
        wait_for("Prometheus has 160 samples", lambda: n_samples(url) >= 160)
        words = [pidforest, "prometheus", "--url", url, "--query", "requests=demo_requests{job='service'}", "--query",
                 "latency_ms=demo_latency_ms{job='service'}", "--by", "instance,job", "--range", "10min", "--step",
                 f"{int(INTERVAL * 1000)}ms", "--window", "4", "--watch", "--listen", f"127.0.0.1:{page_port}", "--min-bits", "8"]
        watch = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        running.append(watch)
        page = f"http://127.0.0.1:{page_port}/metrics"
        wait_for("pidforest scores samples", lambda: re.search(r"^pidforest_score\{.*\} -?\d", get(page), re.MULTILINE))
        print("pidforest has learned its metrics and watches them.", flush=True)
        if firing(url):
            raise SystemExit("an alert fires before the fault")
        service.is_broken = True
        print("The service gets slow.", flush=True)
        watch.stdout.readline()
        reason = watch.stdout.readline().strip()
        print(f"pidforest: {reason}", flush=True)
        wait_for("the incident is in /metrics", lambda: re.search(r"^pidforest_incident_open\{.*\} 1$", get(page), re.MULTILINE))
        alert = wait_for("the alert fires in Prometheus", lambda: firing(url))[0]
        print(f"Prometheus: {alert['labels']['alertname']} is firing: {alert['annotations']['summary']}", flush=True)
        watch.send_signal(signal.SIGTERM)
        print(f"pidforest ended with exit code {watch.wait(30)}.", flush=True)
    finally:
        for process in running:
            process.kill()
            process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pidforest", default="pidforest", help="path of the command; default pidforest")
    options = parser.parse_args()
    if not shutil.which("prometheus"):
        sys.exit("this example takes Prometheus: apt-get install prometheus")
    with tempfile.TemporaryDirectory() as folder:
        tell(Path(folder), options.pidforest)


if __name__ == "__main__":
    main()
