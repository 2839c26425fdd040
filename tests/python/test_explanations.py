# SPDX-License-Identifier: Apache-2.0
"""Explanations as objects: true counts, words, SQL, frames."""

import json
import sqlite3

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from tables import numbers, orders

from pidforest import Explanation, PIDForest, Witness, exact_pid_score


@pytest.fixture(scope="module")
def frame():
    return orders()


@pytest.fixture(scope="module")
def forest(frame):
    return PIDForest().fit(frame)


@pytest.fixture(scope="module")
def explanations(forest, frame):
    return forest.explain(frame)


def test_scores_are_those_of_the_model_and_column_bits_add_up_to_them(forest, frame, explanations):
    assert np.array_equal(explanations.scores, -forest.score_samples(frame))
    assert np.allclose(explanations.column_bits.sum(axis=1), explanations.scores)
    assert np.array_equal([e.is_anomaly for e in explanations], forest.predict(frame) == -1)


def test_an_explanation_has_words_conditions_and_figures(explanations):
    e = explanations[11]
    assert isinstance(e, Explanation) and isinstance(e, Witness)
    assert (e.row, e.is_anomaly) == (11, True)
    assert e.text == str(e)
    assert e.text == "country = AQ: only 1 of 2,000 rows (25 % of the levels, 9.0 bits)"
    share = 0.25 * 1999 / 2000  # one value is missing, and the missing part has its own share
    assert e.conditions == [{"column": "country", "in": ["AQ"], "share": pytest.approx(share)}]
    assert (e.n_inside, e.n_rows, e.volume, e.expected) == (1, 2000, pytest.approx(share), pytest.approx(499.75))
    assert e.bits == pytest.approx(np.log2(499.75))
    assert next(iter(e.column_bits)) == "country"
    assert list(e.column_bits.values()) == sorted(e.column_bits.values(), reverse=True)
    assert e.normal_if() == "country is a known level and not AQ"
    assert "country = AQ" in repr(e)


def test_counts_are_those_of_the_rows(forest, frame, explanations):
    for e in explanations.top(50):
        inside = forest.matches(frame, e)
        assert inside[e.row]
        assert inside.sum() == e.n_inside
        assert np.array_equal(forest.matches(frame, e.conditions), inside)


def test_counts_may_be_those_of_other_rows(forest, frame):
    few = forest.explain(frame[:50], against=frame)
    assert {e.n_rows for e in few} == {2000}
    assert few[11].n_inside == 1
    assert [str(e) for e in few] == [str(e) for e in forest.explain(frame)][:50]
    assert {e.n_rows for e in forest.explain(frame[:50])} == {len(frame)}  # those of the fit
    assert {e.n_rows for e in forest.explain(frame[:50], against=frame[:70])} == {70}
    without = PIDForest(reasons=False).fit(frame)
    assert {e.n_rows for e in without.explain(frame[:50])} == {50}


def test_sql_counts_the_same(frame, explanations):
    with_text = frame.assign(placed_at=frame["placed_at"].astype(str))
    lite = sqlite3.connect(":memory:")
    with_text.to_sql("orders", lite, index=False)
    duck = duckdb.connect()
    duck.execute("SET TimeZone = 'UTC'")
    duck.register("orders", pa.Table.from_pandas(frame, preserve_index=False))
    for e in explanations.top(30):
        assert lite.execute(f"SELECT COUNT(*) FROM orders WHERE {e.sql('sqlite')}").fetchone() == (e.n_inside,)
        assert duck.execute(f"SELECT COUNT(*) FROM orders WHERE {e.sql()}").fetchone() == (e.n_inside,)
    with pytest.raises(ValueError, match="dialect must be 'standard' or 'sqlite'; got 'oracle'"):
        explanations[0].sql("oracle")


def test_they_are_a_sequence(explanations):
    assert len(explanations) == 2000
    assert explanations[-1].row == 1999
    assert [e.row for e in explanations[3:6]] == [3, 4, 5]
    assert [e.row for e in explanations][:3] == [0, 1, 2]
    assert explanations.top(3)[0].score == explanations.scores.max()
    with pytest.raises(IndexError, match="there are 2000 explanations; got 2000"):
        explanations[2000]


def test_frames(explanations):
    frame = explanations.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns[:6]) == ["score", "is_anomaly", "reason", "n_inside", "expected", "witness_bits"]
    assert frame["reason"][11] == explanations[11].text
    assert frame["bits_country"][11] == explanations[11].column_bits["country"]


def test_reprs(explanations):
    lines = repr(explanations).splitlines()
    assert lines[0] == "<Explanations of 2000 rows, most bits first>"
    assert len(lines) == 7
    assert explanations._repr_html_().count("<tr>") == 11


def test_hostile_names_stay_text_in_html():
    frame = pd.DataFrame({"<script>": numbers()[:, 1]})
    shown = PIDForest().fit(frame).explain(frame)._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_what_would_make_a_row_normal_does(forest, frame, explanations):
    anomaly = next(e for e in explanations.top(20) if e.normal_if() and e.normal_if().startswith("amount <"))
    bound = float(anomaly.normal_if().split()[-1])
    changed = frame[anomaly.row : anomaly.row + 1].assign(amount=bound - 0.01)
    assert forest.predict(changed) == [1]
    normal = explanations[int(explanations.scores.argmin())]
    assert normal.normal_if() == "anything"


def test_conditions_that_fit_no_column_are_refused(forest, frame):
    with pytest.raises(ValueError, match="must be one of 'amount'"):
        forest.matches(frame, [{"column": "amounts", "at_least": 1}])


def test_impostors_are_the_first_other_rows_that_the_witness_holds(forest, frame, explanations):
    asked = forest.explain(frame, impostors=3)
    for e in asked.top(30):
        others = [int(row) for row in np.flatnonzero(forest.matches(frame, e)) if row != e.row]
        assert e.impostors == others[:3]
    assert explanations[0].impostors is None
    assert [str(e) for e in asked] == [str(e) for e in explanations]
    few = forest.explain(frame[:20], against=frame, impostors=2000)
    assert few[11].impostors == [int(row) for row in np.flatnonzero(forest.matches(frame, few[11]))]
    with pytest.raises(ValueError, match="impostors must be a whole number, at least 0; got -1"):
        forest.explain(frame, impostors=-1)


def test_parameters_of_another_type_are_named(forest, frame, tmp_path):
    for wrong, told in (
        ({"normal": 3}, "normal must be True or False; got 3"),
        ({"impostors": "a"}, "impostors must be a whole number, at least 0; got 'a'"),
        ({"impostors": 1.5}, "impostors must be a whole number, at least 0; got 1.5"),
        ({"min_bits": "x"}, "min_bits must be a number or None; got 'x'"),
    ):
        with pytest.raises(TypeError, match=told):
            forest.explain(frame, **wrong)
    with pytest.raises(TypeError, match="min_bits must be a number or None; got 'x'"):
        forest.incidents(frame, min_bits="x")
    with pytest.raises(TypeError, match="min_bits must be a number or None; got 'x'"):
        forest.report(frame, tmp_path / "report.html", min_bits="x")
    with pytest.raises(TypeError, match="title must be a text; got 3"):
        forest.report(frame, tmp_path / "report.html", title=3)
    assert forest.explain(frame[:20], min_bits=np.float32(3), impostors=np.int64(1), normal=np.True_).to_dict()["impostors"]


def test_what_makes_rows_normal_is_the_same_asked_for_at_once_or_one_by_one(forest, frame, explanations):
    asked = forest.explain(frame, normal=True)
    assert [e.normal_if() for e in asked.top(30)] == [e.normal_if() for e in explanations.top(30)]
    table = asked.to_dict()
    assert [normal is not None for normal in table["normal_if"]].count(True) <= table["is_anomaly"].count(True)
    assert table["normal_if"][11] == "country is a known level and not AQ"
    assert "normal_if" not in explanations.to_dict()
    assert "impostors" not in table
    assert forest.explain(frame, impostors=1).to_dict()["impostors"][11] == []


def test_a_minimum_of_bits_replaces_the_threshold(forest, frame, explanations):
    bits = float(np.quantile(explanations.scores, 0.9))
    asked = forest.explain(frame, min_bits=bits)
    assert [e.is_anomaly for e in asked] == (explanations.scores >= bits).tolist()
    without = PIDForest(contamination=None).fit(frame)
    assert without.explain(frame)[11].is_anomaly is None
    assert without.explain(frame)[11].normal_if() is None
    assert without.explain(frame, min_bits=bits)[11].is_anomaly


class TestIncidents:
    def test_every_anomaly_is_in_one_whose_witness_holds_it(self, forest, frame, explanations):
        bits = float(np.quantile(explanations.scores, 0.95))
        found = forest.incidents(frame, min_bits=bits)
        rows = sorted(row for one in found for row in one.rows)
        assert rows == np.flatnonzero(explanations.scores >= bits).tolist()
        assert found.n_anomalies == len(rows)
        assert found.n_suppressed == 0
        for one in found:
            assert forest.matches(frame, one)[one.rows].all()
            assert one.score == explanations.scores[one.rows].max() == explanations.scores[one.rows[0]]
            assert one.n_rows == len(frame)
        assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
        assert repr(found).startswith(f"<Incidents: {len(found)} of {len(rows)} anomalies>\n")
        assert f"row {found[0].rows[0]} with " in repr(found[0])

    def test_they_hold_the_anomalies_that_predict_flags(self, forest, frame):
        found = forest.incidents(frame)
        assert len(found) == len(found[:]) > 0
        assert sum(len(one.rows) for one in found) == int((forest.predict(frame) == -1).sum())

    def test_without_a_threshold_they_need_a_minimum(self, frame):
        forest = PIDForest(contamination=None, n_estimators=5).fit(frame)
        with pytest.raises(ValueError, match="incidents needs a threshold, and contamination=None sets none; give min_bits"):
            forest.incidents(frame)
        assert forest.incidents(frame, min_bits=100).n_anomalies == 0


class TestSuppression:
    @pytest.fixture
    def rule(self, explanations):
        return explanations[11]

    def test_every_form_of_rules_is_the_same(self, forest, frame, rule, tmp_path):
        text = json.dumps([rule.conditions])
        path = tmp_path / "rules.json"
        path.write_text(json.dumps([{"conditions": rule.conditions, "note": "known"}]))
        before = forest.incidents(frame)
        for suppress in ([rule], [rule.conditions], rule.conditions, text, path):
            after = forest.incidents(frame, suppress=suppress)
            assert after.n_suppressed == 1
            assert after.n_anomalies == before.n_anomalies - 1
            assert 11 not in {row for one in after for row in one.rows}
            explained = forest.explain(frame, suppress=suppress)
            assert (explained[11].is_anomaly, explained[11].is_suppressed) == (False, True)
            assert explained[11].score == rule.score
            assert not explained[12].is_suppressed

    def test_one_anomaly_is_in_the_singular(self, forest, frame):
        most = max(one.score for one in forest.explain(frame))
        found = forest.incidents(frame, min_bits=most)
        assert found.n_anomalies == 1
        assert repr(found).startswith("<Incidents: 1 of 1 anomaly>\n1 anomaly, row ")
        assert repr(found[0]).startswith("<Incident: 1 anomaly, row ")

    def test_incidents_suppress_themselves(self, forest, frame):
        found = forest.incidents(frame)
        again = forest.incidents(frame, suppress=found)
        assert len(again) == again.n_anomalies == 0
        assert again.n_suppressed == found.n_anomalies
        assert f"{found.n_anomalies} suppressed" in repr(again)

    def test_bad_rules_are_named(self, forest, frame):
        for suppress, told in (
            ("[", "line 1, column 2"),
            ("{}", "must be an array of rules; got an object"),
            ([[]], "rule 1: must have at least one condition"),
            ([{}], 'rule 1: must have "conditions"'),
            ([[{"column": "amount", "at_least": 1}], [{"column": "amounts", "at_least": 1}]], "rule 2: .* must be one of 'amount'"),
        ):
            with pytest.raises(ValueError, match=told):
                forest.incidents(frame, suppress=suppress)
        with pytest.raises(ValueError, match="suppress: a text is read as JSON, an array of rules; got 'nofile.json'.*pathlib.Path\\('nofile.json'\\)"):
            forest.incidents(frame, suppress="nofile.json")
        with pytest.raises(TypeError, match="suppress must be a list of rules, JSON, or the path of a file"):
            forest.explain(frame, suppress={"conditions": []})

    def test_reports_leave_them_out(self, forest, frame, rule, tmp_path):
        plain, less = (forest.report(frame, tmp_path / name, suppress=rules).read_text() for name, rules in (("a", None), ("b", [rule])))
        assert "1 more row is suppressed by known reasons" not in plain
        assert "1 more row is suppressed by known reasons" in less


class TestExact:
    ZOO = pd.DataFrame({"animal": ["elephant"] * 20 + ["rabbit"] * 21, "colour": ["grey"] * 20 + ["white"] * 20 + ["grey"]})

    def test_cubes_and_bounds(self):
        found = exact_pid_score(self.ZOO, rows=[40, 0])
        assert len(found) == 2
        assert found.is_optimal.all()
        assert np.array_equal(found.bits, found.upper_bound)
        assert found.cubes[0].text == "animal = rabbit and colour = grey: only 1 of 41 rows (25 % of the space, 3.4 bits)"
        assert found.bits[0] == found.cubes[0].bits
        assert "2 of them optimal" in repr(found)

    def test_all_rows_by_default_and_no_forest_finds_a_sparser_cube(self):
        X = numbers(200, 2)
        found = exact_pid_score(X, seconds=20)
        assert len(found) == 200
        best = PIDForest(aggregate="max", contamination=None).fit(X)
        assert (-best.score_samples(X) <= found.upper_bound + 1e-9).all()

    def test_bad_arguments(self):
        with pytest.raises(ValueError, match="ends must be 'any' or 'halfway'; got 'none'"):
            exact_pid_score(self.ZOO, ends="none")
        with pytest.raises(ValueError, match="41"):
            exact_pid_score(self.ZOO, rows=[41])
        with pytest.raises(ValueError, match="rows"):
            exact_pid_score(self.ZOO, rows=[])
        with pytest.raises(ValueError, match="rows"):
            exact_pid_score(self.ZOO, rows=[-1])
