# SPDX-License-Identifier: Apache-2.0
"""Pictures, and what they are made of. `.venv/bin/python tests/python/test_plot.py` draws the expected pictures again."""

import gc
import pathlib
import subprocess
import sys

import matplotlib.pyplot
import numpy as np
import pandas as pd
import pytest
from matplotlib.testing.compare import compare_images
from pidforest import PIDForest, Shingles, plot

EXPECTED = pathlib.Path(__file__).parent / "pictures"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def fleet():
    return pd.read_csv(ROOT / "examples" / "fleet.csv").drop(columns="fault")


def orders():
    return pd.read_csv(ROOT / "examples" / "orders.csv").drop(columns=["fraud", "order_id"])


def of_scores():
    return plot.anomalies(PIDForest().fit(fleet()), fleet()).figure


def of_columns():
    return plot.columns(PIDForest().fit(fleet()), fleet()).figure


def of_one_condition():
    return plot.explanation(PIDForest().fit(fleet()).explain(fleet())[278], fleet())


def of_two_conditions():
    return plot.explanation(PIDForest().fit(fleet()).explain(fleet())[757], fleet())


def of_levels():
    found = PIDForest().fit(orders()).explain(orders())
    return plot.explanation(next(one for one in found.top(20) if any("in" in c for c in one.conditions)), orders())


def of_series():
    table = fleet()
    return plot.series(PIDForest().fit(table), table, table[["cpu", "memory"]])


PICTURES = {
    "scores": of_scores,
    "columns": of_columns,
    "one_condition": of_one_condition,
    "two_conditions": of_two_conditions,
    "levels": of_levels,
    "series": of_series,
}


def draw(name, folder):
    path = folder / f"{name}.png"
    PICTURES[name]().savefig(path, dpi=60, metadata={"Software": None})
    matplotlib.pyplot.close("all")
    return path


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_look_as_expected(name, tmp_path):
    difference = compare_images(EXPECTED / f"{name}.png", draw(name, tmp_path), tol=6)
    assert difference is None, difference


def test_what_is_drawn_into_is_returned():
    forest, table = PIDForest().fit(fleet()), fleet()
    figure, ax = matplotlib.pyplot.subplots()
    assert plot.anomalies(forest, table, ax=ax) is ax
    assert plot.columns(forest, table, ax=ax) is ax
    assert plot.series(forest, table, fig=figure) is figure
    assert plot.explanation(forest.explain(table)[0], fig=matplotlib.pyplot.figure()).axes
    matplotlib.pyplot.close("all")


def test_samples_without_a_window_have_no_score_in_the_picture():
    load = np.sin(np.arange(500) * 0.1).reshape(-1, 1)
    windows = Shingles(load, window=3)
    ax = plot.anomalies(PIDForest().fit(windows), windows)
    drawn = np.concatenate([line.get_ydata() for line in ax.lines[:2]])
    assert len(drawn) == 500
    assert np.isnan(drawn).sum() == 2
    matplotlib.pyplot.close("all")


def test_bad_input_names_what_is_wrong():
    forest, table = PIDForest().fit(fleet()), fleet()
    with pytest.raises(ValueError, match="time must have one value per row, 4032; got 3."):
        plot.anomalies(forest, table, time=[1, 2, 3])
    with pytest.raises(ValueError, match="metrics must have one value per row, 4032; 'cpu' has 2."):
        plot.series(forest, table, {"cpu": [1.0, 2.0]})
    with pytest.raises(TypeError, match="a data frame with the column 'memory'; got list"):
        plot.explanation(forest.explain(table)[278], [[1.0]])
    windows = Shingles(np.arange(40.0).reshape(-1, 1), window=3)
    with pytest.raises(ValueError, match="metrics must name what to draw"):
        plot.series(PIDForest().fit(windows), windows)
    matplotlib.pyplot.close("all")


def test_the_package_is_imported_without_matplotlib():
    code = "import sys, pidforest, pidforest.plot; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_a_threshold_no_row_is_marked():
    ax = plot.anomalies(PIDForest(contamination=None).fit(fleet()), fleet())
    assert ax.get_title(loc="left") == "0 anomalies among 4,032 rows"
    matplotlib.pyplot.close("all")


def test_column_importances_are_the_mean_bits_of_the_anomalies():
    forest, table = PIDForest().fit(fleet()), fleet()
    found = forest.explain(table)
    bits = found.column_bits[[one.row for one in found if one.is_anomaly]]
    np.testing.assert_array_equal(forest.column_importances(table), bits.mean(axis=0))
    assert table.columns[forest.column_importances(table).argmax()] == "errors_per_min"
    np.testing.assert_array_equal(forest.column_importances(table, min_bits=1000), np.zeros(10))
    with pytest.raises(ValueError, match="column_importances needs a threshold"):
        PIDForest(contamination=None).fit(table).column_importances(table)


def test_bits_are_minus_the_scores():
    forest = PIDForest().fit(fleet())
    np.testing.assert_array_equal(forest.bits(fleet()), -forest.score_samples(fleet()))


@pytest.mark.parametrize("table", [fleet, orders])
def test_one_row_is_explained_as_in_its_table(table):
    forest = PIDForest().fit(table())
    found = forest.explain(table())
    for row in (0, 278, 757):
        for one in (table().iloc[row], table().iloc[row].to_dict()):
            assert [(e.score, e.text) for e in forest.explain(one)] == [(found[row].score, found[row].text)]


def test_one_row_of_an_array_is_explained():
    X = np.random.default_rng(0).normal(size=(500, 3))
    X[7, 1] = 9.0
    forest = PIDForest().fit(X)
    assert forest.explain(X[7])[0].text == forest.explain(X)[7].text


def test_the_index_of_a_frame_is_kept():
    table = fleet()
    table.index = [f"host {i}" for i in range(len(table))]
    frame = PIDForest().fit(table).explain(table).to_frame()
    assert frame.index.equals(table.index)
    assert frame.loc["host 278", "reason"].startswith("memory = 83.7")


def test_a_report_without_a_path_is_shown_and_removed():
    table = fleet()
    page = PIDForest().fit(table).report(table)
    text = page.read_text()
    assert page._repr_html_().startswith("<iframe srcdoc=") and "errors_per_min" in text
    path = pathlib.Path(page)
    del page
    gc.collect()
    assert not pathlib.Path(str(path)).exists()


if __name__ == "__main__":
    EXPECTED.mkdir(exist_ok=True)
    for name in PICTURES:
        draw(name, EXPECTED)
