# SPDX-License-Identifier: Apache-2.0
"""The recipe for Kafka with a real broker: every event is scored once, whatever ends the stream, kcat or the broker.

    PIDFOREST_BINARY=build/pidforest build-connectors/venv/bin/python tests/connectors/kafka_test.py

scripts/bootstrap connectors installs the broker's jars, the producer and kcat; without them this is skipped.
"""

import base64
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import oracle  # noqa: E402, F401

BINARY = Path(os.environ["PIDFOREST_BINARY"]).resolve()
JARS = ROOT / "build-connectors" / "jars"
RECIPE = ROOT / "examples" / "operators" / "kafka.sh"
FLAGS = ["--time", "at", "--by", "host", "--horizon", "200", "--warm-up", "50", "--n-estimators", "10", "--every-event"]
COLUMNS = "at,host,load"
LONGEST = 180
try:
    from confluent_kafka import Producer
    from confluent_kafka.admin import AdminClient, NewTopic
except ImportError:
    print("skipped: there is no confluent-kafka (scripts/bootstrap connectors)")
    sys.exit(77)
if not JARS.exists() or not shutil.which("java") or not shutil.which("kcat"):
    print("skipped: there is no broker or no kcat (scripts/bootstrap connectors)")
    sys.exit(77)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_until(is_so, what):
    end = time.monotonic() + LONGEST
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"this did not happen: {what}")
        time.sleep(0.1)


class Broker:
    """A broker in KRaft mode, in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.port, controller = free_port(), free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.config = folder / "server.properties"
        self.config.write_text(
            f"process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@127.0.0.1:{controller}\n"
            f"listeners=PLAINTEXT://{self.address},CONTROLLER://127.0.0.1:{controller}\ncontroller.listener.names=CONTROLLER\n"
            f"log.dirs={folder}/logs\noffsets.topic.replication.factor=1\ntransaction.state.log.replication.factor=1\n"
        )
        name = base64.urlsafe_b64encode(bytes(range(16))).decode().rstrip("=")
        self.java("kafka.tools.StorageTool", "format", "-t", name, "-c", self.config).wait(LONGEST)
        self.process = None

    def java(self, *words):
        with (self.folder / "broker.log").open("ab") as log:
            return subprocess.Popen(["java", "-Xmx384m", "-cp", f"{JARS}/*", *map(str, words)], stdout=log, stderr=log)

    def start(self):
        self.process = self.java("kafka.Kafka", self.config)
        wait_until(self.answers, "the broker answers")

    def answers(self):
        if self.process.poll() is not None:
            raise AssertionError((self.folder / "broker.log").read_text()[-2000:])
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self.port)) == 0 and bool(AdminClient({"bootstrap.servers": self.address}).list_topics(timeout=10).brokers)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Kafka(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.broker = Broker(Path(folder.name))
        cls.broker.start()
        cls.addClassCleanup(lambda: cls.broker.kill())

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.topic = self.id().rsplit(".", 1)[1][-40:]
        admin = AdminClient({"bootstrap.servers": self.broker.address})
        for done in admin.create_topics([NewTopic(self.topic, num_partitions=2, replication_factor=1)]).values():
            done.result()
        self.events = []
        self.random = random.Random(3)
        self.recipe = None
        self.addCleanup(self.stop)

    def produce(self, n, partition=0):
        producer = Producer({"bootstrap.servers": self.broker.address})
        for _ in range(n):
            i = len(self.events)
            event = f"2026-03-{2 + i // 1440:02} {i // 60 % 24:02}:{i % 60:02},{'ab'[i % 2]},{self.random.gauss(10, 1):.3f}"
            self.events.append(event)
            producer.produce(self.topic, event.encode(), partition=partition)
        self.assertEqual(producer.flush(LONGEST), 0)

    def start(self):
        environment = {**os.environ, "PATH": f"{BINARY.parent}:{os.environ['PATH']}"}
        words = [RECIPE, self.broker.address, self.topic, "0", COLUMNS, *FLAGS, "--save-every", "37", "--quiet"]
        self.recipe = subprocess.Popen(list(map(str, words)), cwd=self.folder, env=environment, start_new_session=True,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self):
        if self.recipe and self.recipe.poll() is None:
            os.killpg(self.recipe.pid, signal.SIGKILL)
            self.recipe.wait()

    def kill_stream(self):
        """Kill pidforest with -9, in the session of the recipe only."""
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.getpgid(int(entry.name)) == self.recipe.pid and (entry / "comm").read_text().strip() == "pidforest":
                    os.kill(int(entry.name), signal.SIGKILL)
                    return True
            except OSError:
                continue
        return False

    def output(self):
        path = self.folder / f"{self.topic}-0.csv"
        return path.read_bytes() if path.exists() else b""

    def expected(self):
        text = f"partition,offset,{COLUMNS}\n" + "".join(f"0,{i},{event}\n" for i, event in enumerate(self.events))
        found = subprocess.run([BINARY, "stream", "--offsets", "partition,offset", *FLAGS, "--quiet"], input=text.encode(),
                               capture_output=True, timeout=LONGEST, check=True)
        return found.stdout

    def wait_for_all(self):
        expected = self.expected()
        wait_until(lambda: len(self.output()) >= len(expected), "all events are written")
        self.assertEqual(self.output(), expected)

    def test_every_event_is_scored_once_through_kills_in_the_middle(self):
        self.produce(400)
        self.start()
        n_kills = 0
        for _ in range(6):
            self.produce(200)
            size = len(self.output())
            wait_until(lambda: len(self.output()) > size + 2000, "events are written")
            n_kills += self.kill_stream()
        self.assertGreater(n_kills, 3)
        self.produce(100)
        self.wait_for_all()

    def test_a_recipe_that_is_stopped_goes_on_where_it_was(self):
        self.produce(300)
        self.start()
        wait_until(lambda: len(self.output()) > 5000, "events are written")
        self.recipe.send_signal(signal.SIGTERM)
        self.recipe.wait(LONGEST)
        self.produce(300)
        self.start()
        self.wait_for_all()

    def test_a_broker_that_goes_away_is_waited_for(self):
        self.produce(300)
        self.start()
        wait_until(lambda: len(self.output()) > 5000, "events are written")
        self.broker.kill()
        time.sleep(3)
        self.broker.start()
        self.produce(300)
        self.wait_for_all()


if __name__ == "__main__":
    unittest.main()
