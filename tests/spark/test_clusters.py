# SPDX-License-Identifier: Apache-2.0
"""A standalone master with two workers, and Spark Connect: processes of the pyspark package on the loopback interface."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pyspark
import pytest
from sessions import PACKAGE, SETTINGS

HERE = Path(__file__).resolve().parent
SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"


def environment(**more):
    """The environment without the package."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SPARK_HOME")}
    return {**kept, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m", "PYSPARK_PYTHON": sys.executable, **more}


class Daemon:
    """A process of Spark. It ends with the test."""

    def __init__(self, log, *command, **more):
        self.log = log
        with open(log, "w") as file:
            self.process = subprocess.Popen([str(SPARK_CLASS), *map(str, command)], stdout=file, stderr=subprocess.STDOUT, env=environment(**more))

    def wait_for(self, pattern, seconds=180):
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            found = re.search(pattern, self.log.read_text())
            if found:
                return found
            time.sleep(0.2)
        raise AssertionError(f"no {pattern!r} in the log:\n{self.log.read_text()[-3000:]}")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="module")
def master(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    place = ["--host", "127.0.0.1", "--webui-port", "0"]
    daemons = [Daemon(folder / "master.log", "org.apache.spark.deploy.master.Master", *place, "--port", "0")]
    try:
        url = daemons[0].wait_for(r"Starting Spark master at (spark://[\d.]+:\d+)")[1]
        for name in ("one", "two"):
            of_worker = ["--cores", "1", "--memory", "1g", "--work-dir", folder / name, url]
            daemons.append(Daemon(folder / f"{name}.log", "org.apache.spark.deploy.worker.Worker", *place, *of_worker))
        for worker in daemons[1:]:
            worker.wait_for("Successfully registered with master")
        yield url
    finally:
        for daemon in reversed(daemons):
            daemon.stop()


def answer(master, folder, **settings):
    """What a driver found."""
    named = [f"{name}={value}" for name, value in settings.items()]
    result = subprocess.run(
        [sys.executable, HERE / "job.py", master, folder, *named],
        env=environment(PYTHONPATH=f"{PACKAGE}:{HERE}", PIDFOREST_PYTHON=str(PACKAGE)),
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-5000:]
    return json.loads(result.stdout.splitlines()[-1])


ON_CLUSTER = {"spark.executor.memory": "512m", "spark.cores.max": "2", "spark.executor.cores": "1"}


def test_a_cluster_gives_the_model_of_one_machine(master, tmp_path):
    found = answer(master, tmp_path, **ON_CLUSTER, **{"spark.executorEnv.PYTHONPATH": str(PACKAGE)})
    assert found == dict.fromkeys(found, True)


def test_executors_without_the_wheel_are_named(master, tmp_path):
    found = answer(master, tmp_path, **ON_CLUSTER)
    assert re.search(r"the Python of executor \S+ cannot import pidforest \(No module named 'pidforest'\). Install the wheel", found["error"])


def test_the_wheel_is_shipped_as_an_archive(master, tmp_path):
    """The archive has the layout of a wheel."""
    with zipfile.ZipFile(tmp_path / "pidforest.zip", "w") as archive:
        for file in files_below(PACKAGE / "pidforest"):
            archive.write(file, file.relative_to(PACKAGE))
    shipped = {"spark.archives": f"{tmp_path}/pidforest.zip#pidforest_wheel", "spark.executorEnv.PYTHONPATH": "pidforest_wheel"}
    found = answer(master, tmp_path, **ON_CLUSTER, **shipped)
    assert found == dict.fromkeys(found, True)


def files_below(folder):
    """Files of a folder and its folders; those of the build are symbolic links."""
    for root, _, names in os.walk(folder, followlinks=True):
        yield from (Path(root, name) for name in names if not name.endswith(".pyc"))


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def test_spark_connect_gives_the_model_of_one_machine(tmp_path):
    port = free_port()
    settings = {**SETTINGS, "spark.connect.grpc.binding.address": "127.0.0.1", "spark.connect.grpc.binding.port": port, "spark.driver.memory": "1g"}
    named = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    service = "org.apache.spark.sql.connect.service.SparkConnectServer"
    command = ["org.apache.spark.deploy.SparkSubmit", "--master", "local[2]", *named, "--class", service, "spark-internal"]
    server = Daemon(tmp_path / "server.log", *command, PYTHONPATH=str(PACKAGE), SPARK_DAEMON_MEMORY="1g")
    try:
        server.wait_for("Spark Connect server started at")
        found = answer(f"sc://127.0.0.1:{port}", tmp_path)
    finally:
        server.stop()
    assert found == dict.fromkeys(found, True)
