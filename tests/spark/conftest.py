# SPDX-License-Identifier: Apache-2.0
"""One Spark session for all tests of this folder, on two threads; the tests of clusters start processes of their own."""

import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
import oracle  # noqa: E402, F401
from sessions import local_session  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "smoke: a test that make test runs; the others need make test-spark")


@pytest.fixture(scope="session")
def spark():
    session = local_session()
    yield session
    session.stop()
