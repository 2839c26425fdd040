# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of its own for a test: a new cluster in a temporary folder, on a free port of the loopback."""

import glob
import os
import pathlib
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time

USER = "tester"
LONGEST = 60


def programs() -> pathlib.Path | None:
    """Return the folder of initdb and postgres, the latest version, or None if there is no server."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda folder: int(folder.split("/")[-2]), reverse=True)
    path = shutil.which("initdb")
    found = [pathlib.Path(folder) for folder in [*folders, *([os.path.dirname(path)] if path else [])]]
    return next((folder for folder in found if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


def account() -> dict:
    """Return how to start a program of the server, which refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    name = "postgres" if "postgres" in names else "nobody"
    return {"user": name, "group": pwd.getpwnam(name).pw_gid, "extra_groups": []}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    """A context manager; `url` has the password, `password` is it."""

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pidforest-postgresql-"))
        self.password = "pw" + secrets.token_hex(12)
        self.port = free_port()
        self.url = f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/postgres"
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self):
        password_file = self.folder / "password"
        password_file.write_text(self.password, encoding="utf-8")
        if "user" in account():
            for path in (self.folder, password_file):
                shutil.chown(path, account()["user"])
        data = self.folder / "data"
        words = ["-D", data, "-U", USER, f"--pwfile={password_file}", "-A", "scram-sha-256", "--no-sync", "-E", "UTF8", "--locale=C"]
        subprocess.run([programs() / "initdb", *words], check=True, capture_output=True, timeout=LONGEST, cwd="/", **account())
        settings = ["fsync=off", "listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}", "shared_buffers=16MB"]
        words = [word for setting in settings for word in ("-c", setting)]
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [programs() / "postgres", "-D", data, "-p", str(self.port), *words], stdout=log, stderr=log, cwd="/", **account()
            )
        self._wait()

    def _wait(self):
        end = time.monotonic() + LONGEST
        while "ready to accept connections" not in (self.folder / "log").read_text(encoding="utf-8"):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("the server does not start: " + (self.folder / "log").read_text(encoding="utf-8"))
            time.sleep(0.05)

    def __exit__(self, *_):
        if hasattr(self, "process"):
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(LONGEST)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, sql: str) -> str:
        """Run statements with psql and return its output, without headers."""
        found = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", self.url], input=sql, text=True,
                               capture_output=True, timeout=LONGEST, check=False)  # fmt: skip
        if found.returncode != 0:
            raise RuntimeError(found.stderr)
        return found.stdout
