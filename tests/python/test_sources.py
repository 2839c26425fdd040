# SPDX-License-Identifier: Apache-2.0
"""Parquet files and databases as tables of Python: the lines of docs/sources.md, compared with the command."""

import subprocess

import adbc_driver_sqlite.dbapi as sqlite
import duckdb
import pandas as pd
import polars as pl
import pyarrow.dataset
import pytest
from tables import ROOT, TOOL

from pidforest import PIDForest

ORDERS = ROOT / "examples" / "orders.csv"


@pytest.fixture(scope="module")
def orders():
    return duckdb.sql(f"SELECT * EXCLUDE (fraud) FROM read_csv('{ORDERS}', header = true)")


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The model that the command fits to the CSV file."""
    path = tmp_path_factory.mktemp("model") / "orders.pidf"
    subprocess.run([TOOL, "fit", ORDERS, "--ignore", "fraud", "-o", path, "--quiet"], check=True)
    return path.read_bytes()


def parquet_folder(orders, tmp_path):
    orders.write_parquet(str(tmp_path / "orders.parquet"))
    return tmp_path


def cursor_of(orders):
    """A cursor of SQLite, which has no booleans and no times: they are texts, as in the CSV file."""
    cursor = sqlite.connect().cursor()
    texts = orders.project("* REPLACE (strftime(placed_at, '%Y-%m-%d %H:%M') AS placed_at, gift::VARCHAR AS gift)")
    cursor.adbc_ingest("orders", texts.to_arrow_table())
    cursor.execute("SELECT * FROM orders")
    return cursor


SOURCES = {
    "relation of duckdb": lambda orders, _: orders,
    "reader of duckdb": lambda orders, _: orders.to_arrow_reader(1000),
    "table of pyarrow": lambda orders, _: orders.to_arrow_table(),
    "dataset of pyarrow": lambda orders, folder: pyarrow.dataset.dataset(parquet_folder(orders, folder)).scanner().to_reader(),
    "lazy frame of polars": lambda orders, folder: pl.scan_parquet(parquet_folder(orders, folder)).collect(),
    "frame of pandas": lambda orders, folder: pd.read_parquet(parquet_folder(orders, folder) / "orders.parquet"),
    "cursor of adbc": lambda orders, _: cursor_of(orders),
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_gives_the_bytes_of_the_command(source, orders, expected, tmp_path):
    table = SOURCES[source](orders, tmp_path)
    forest = PIDForest().fit(table.fetch_record_batch() if source == "cursor of adbc" else table)
    forest.save(tmp_path / "model.pidf")
    assert (tmp_path / "model.pidf").read_bytes() == expected


def test_a_lazy_frame_is_refused_with_the_words_to_add(orders, tmp_path):
    with pytest.raises(TypeError, match=r"X\.collect\(\)"):
        PIDForest().fit(pl.scan_parquet(parquet_folder(orders, tmp_path)))
