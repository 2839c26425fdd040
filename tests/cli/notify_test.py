# SPDX-License-Identifier: Apache-2.0
"""Sends what a stream finds to a webhook: `pidforest stream --notify`. PIDFOREST_BINARY is the path of the command."""

import base64
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from command import BAD_DATA, BINARY, FILE_ERROR, LONGEST, USAGE_ERROR, CommandTest, main, run

FLAGS = ["--horizon", "100", "--warm-up", "40", "--n-estimators", "10"]
SECRET = "s3cr3t"
if not (pathlib.Path(BINARY).parent / "libpidforest_http.so").exists():
    print("skipped: the build has no HTTP module (libcurl4-openssl-dev, libcpp-httplib-dev)")
    sys.exit(77)


def events(n_faults, n=300):
    """Numbers with some faults far off."""
    lines = ["load,queue"]
    for i in range(n):
        is_fault = i >= 100 and (i - 100) % 20 == 0 and (i - 100) // 20 < n_faults
        lines.append(f"{5000 + i if is_fault else i * 37 % 11 + i / n:.3f},{i * 7 % 5}")
    return "".join(line + "\n" for line in lines)


class Webhook:
    """A server that keeps what it is sent, and answers as `answers` say: a status, or a number of seconds to wait."""

    def __init__(self, answers=()):
        hook = self
        hook.answers, hook.got, hook.headers = list(answers), [], []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hook.got.append(json.loads(body))
                hook.headers.append(dict(self.headers))
                answer = hook.answers.pop(0) if hook.answers else 200
                if isinstance(answer, float):
                    time.sleep(answer)
                    answer = 200
                self.send_response(answer)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, credentials=""):
        return f"http://{credentials}127.0.0.1:{self.port}/hook/{SECRET}"


class Notify(CommandTest):
    def hook(self, *answers):
        hook = Webhook(answers)
        self.addCleanup(hook.server.server_close)
        self.addCleanup(hook.server.shutdown)
        return hook

    def stream(self, url, text, *flags, min_bits=5):
        found = run("stream", *FLAGS, *(() if "--cool-down" in flags else ("--cool-down", "5")), "--min-bits", min_bits, "--notify", url, *flags, text=text)
        self.assertEqual(found.returncode, 0, found.stderr.decode())
        self.assertNotIn(SECRET, found.stderr.decode())
        return found

    def test_each_incident_is_sent_when_it_opens_and_when_it_closes(self):
        hook = self.hook()
        self.stream(hook.url(), events(3))
        found = [(one["incident"], one["state"], one["first_line"]) for one in hook.got]
        self.assertEqual(found, [(i, state, 82 + 20 * i) for i in (1, 2, 3) for state in ("open", "closed")])
        one = hook.got[0]
        self.assertIn("load = 5100", one["reason"])
        self.assertRegex(one["text"], r"^open, \d+\.\d bits: load = 5100")
        self.assertEqual(one["metrics"][0]["metric"], "load")
        self.assertEqual(hook.headers[0]["Content-Type"], "application/json")

    def test_messages_do_not_depend_on_what_is_written(self):
        expected = self.hook()
        self.stream(expected.url(), events(3))
        for flag in ("--every-event", "--anomalies-only", "--json"):
            hook = self.hook()
            self.stream(hook.url(), events(3), flag)
            self.assertEqual(hook.got, expected.got)

    def test_the_output_does_not_change(self):
        hook = self.hook(500, 500, 500, 404)
        self.assertEqual(self.stream(hook.url(), events(3)).stdout, run("stream", *FLAGS, "--cool-down", 5, "--min-bits", 5, text=events(3)).stdout)

    def test_a_silence_is_sent(self):
        hook = self.hook()
        text = "at,load\n" + "".join(f"2026-03-02 {m // 60:02}:{m % 60:02},{m % 7}\n" for m in range(100) if not 50 <= m < 80)
        self.stream(hook.url(), text, "--time", "at", "--silent-after", "10min", "--cool-down", "5min", min_bits=99)
        self.assertEqual([(one["incident"], one["state"]) for one in hook.got], [(None, "silent")])
        self.assertIn("silent: no event for 10min", hook.got[0]["text"])

    def test_a_failed_message_is_tried_again(self):
        hook = self.hook(503, 429)
        found = self.stream(hook.url(), events(1))
        self.assertEqual([one["state"] for one in hook.got], ["open", "open", "open", "closed"])
        self.assertNotIn("webhook", found.stderr.decode())

    def test_a_refused_message_is_not_tried_again_and_is_told_once(self):
        hook = self.hook(*[400] * 6)
        found = self.stream(hook.url(), events(3)).stderr.decode()
        self.assertEqual(len(hook.got), 6)
        self.assertEqual(found.count("did not take a message"), 1)
        self.assertIn(f"the webhook http://127.0.0.1:{hook.port} did not take a message, which is dropped: it answered with HTTP 400", found)
        self.assertIn("6 dropped by the webhook", found)

    def test_a_webhook_that_hangs_delays_no_line_and_the_end_by_five_seconds(self):
        hook = self.hook(*[60.0] * 9)
        words = [BINARY, "stream", "--every-event", "--cool-down", "5", *FLAGS, "--min-bits", "5", "--notify", hook.url()]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            text = events(3).encode()
            n_lines = text.count(b"\n")
            process.stdin.write(text)
            process.stdin.flush()
            begin = time.monotonic()
            for _ in range(n_lines):
                process.stdout.readline()
            self.assertLess(time.monotonic() - begin, 4)
            begin = time.monotonic()
            process.stdin.close()
            message = process.stderr.read().decode()
            self.assertEqual(process.wait(LONGEST), 0)
            self.assertLess(time.monotonic() - begin, 15)
            self.assertIn("6 dropped by the webhook", message)

    def test_a_webhook_that_is_not_there_is_told(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            port = closed.getsockname()[1]
        found = self.stream(f"http://127.0.0.1:{port}/{SECRET}", events(1)).stderr.decode()
        self.assertIn("did not take a message", found)

    def test_a_flood_is_bounded(self):
        hook = self.hook(*[60.0] * 9)
        found = self.stream(hook.url(), events(0, n=600), "--cool-down", "0", min_bits=-50).stderr.decode()
        self.assertIn("256 messages are waiting", found)

    def test_credentials_are_sent_and_never_shown(self):
        hook = self.hook(401)
        found = self.stream(hook.url(f"joe:{SECRET}%21@"), events(1)).stderr.decode()
        self.assertNotIn("joe", found)
        self.assertEqual(hook.headers[0]["Authorization"], "Basic " + base64.b64encode(f"joe:{SECRET}!".encode()).decode())

    def test_no_state_has_the_address(self):
        hook = self.hook()
        with tempfile.TemporaryDirectory() as folder:
            state = pathlib.Path(folder, "s")
            self.stream(hook.url(f"joe:{SECRET}@"), events(1), "--state", state)
            self.assertNotIn(SECRET.encode(), state.read_bytes())
            self.assertNotIn(str(hook.port).encode(), state.read_bytes())

    def test_the_address_may_be_in_a_file(self):
        hook = self.hook()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "url")
            path.write_text(hook.url() + "\n")
            self.stream(f"@{path}", events(1))
            self.assertEqual(len(hook.got), 2)
            path.write_text("\n")
            self.expect(run("stream", "--notify", f"@{path}"), BAD_DATA, "first line", "is empty")
        self.expect(run("stream", "--notify", "@missing"), FILE_ERROR, "'missing'")

    def test_addresses_that_cannot_be_are_refused_without_showing_them(self):
        for url in (SECRET, f"ftp://{SECRET}/", "http://", f"http://a b/{SECRET}", f"http://{SECRET}@"):
            found = run("stream", "--notify", url)
            self.expect(found, USAGE_ERROR, "--notify must be an http or https URL")
            self.assertNotIn(SECRET, found.stderr.decode())

    def test_an_installed_command_finds_its_module(self):
        with tempfile.TemporaryDirectory() as folder:
            installed, modules = pathlib.Path(folder, "bin"), pathlib.Path(folder, "lib", "pidforest")
            for place in (installed, modules):
                place.mkdir(parents=True)
            shutil.copy(BINARY, installed)
            shutil.copy(pathlib.Path(BINARY).parent / "libpidforest_http.so", modules)
            found = subprocess.run([installed / "pidforest", "stream", "--notify", "http://localhost"], input=b"", capture_output=True, check=False)
            self.expect(found, BAD_DATA, "header row")

    def test_a_build_without_the_module_says_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = pathlib.Path(folder, "pidforest")
            shutil.copy(BINARY, alone)
            found = subprocess.run([alone, "stream", "--notify", "http://localhost"], input=b"", capture_output=True, check=False)
            self.expect(found, USAGE_ERROR, "--notify requires HTTP", "libcurl4-openssl-dev")


if __name__ == "__main__":
    main()
