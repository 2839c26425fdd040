# SPDX-License-Identifier: Apache-2.0
"""The estimator follows scikit-learn's contract, and its options are those of the library."""

import copy
import inspect
import pickle
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks
from tables import numbers, orders

from pidforest import PIDForest, _core
from pidforest.base import NotFittedError
from pidforest.settings import option_text

X = numbers()


@parametrize_with_checks([PIDForest(), PIDForest(contamination=0.05, n_jobs=2), PIDForest.preset("authors")])
def test_scikit_learn(estimator, check):
    check(estimator)


def documented_parameters():
    """Return the names and descriptions of the parameters in the docstring."""
    section = inspect.getdoc(PIDForest).partition("Parameters\n----------\n")[2].partition("Attributes\n")[0]
    entries = re.findall(r"^(\w+) : (.*)\n((?:    .*\n)+)", section, re.MULTILINE)
    return {name: (kind, " ".join(body.split())) for name, kind, body in entries}


def test_every_option_of_the_library_is_a_parameter_with_its_default_and_help():
    parameters = inspect.signature(PIDForest).parameters
    documented = documented_parameters()
    assert list(documented) == list(parameters)
    defaults = _core.preset("default")
    for spec in _core.option_specs():
        name = "random_state" if spec.name == "seed" else spec.name
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        default = parameters[name].default
        assert documented[name][1].startswith(spec.help), name
        assert documented[name][0].endswith(f"default={default!r}".replace("'", '"')), name
        if name == "random_state":
            assert default is None
        else:
            assert isinstance(default, {"integer": (int, str), "real": (float, str), "choice": (str, bool)}[spec.type])
            assert option_text(name, default) == defaults[spec.name] or float(default) == float(defaults[spec.name])
    assert {*parameters} - {spec.name for spec in _core.option_specs()} == {"schema", "random_state", "n_jobs", "verbose"}


@pytest.mark.parametrize(
    "parameters, words",
    [
        ({"n_estimators": 0}, "n_estimators must be a whole number between 1 and 1000000; got 0."),
        ({"n_estimators": 2.5}, "n_estimators must be a whole number.*; got 2.5."),
        ({"n_estimators": True}, "n_estimators must be.*; got True."),
        ({"cuts": "best"}, "cuts must be one of sampled, optimal; got best."),
        ({"contamination": 0.9}, "contamination must be a number between .* and 0.5, or auto, none; got 0.9."),
        ({"axis_power": float("nan")}, "axis_power must be .*; got nan."),
        ({"axis_gain": "relative"}, "axis_gain must be variance when cuts is sampled"),
        ({"random_state": -1}, "seed must be .*; got -1."),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"schema": {"columns": [{"name": "x0", "kind": "numberz"}]}}, "columns\\[0\\].*kind.*numberz"),
        ({"schema": "{"}, "line 1"),
    ],
)
def test_a_wrong_parameter_is_refused_by_fit(parameters, words):
    with pytest.raises(ValueError, match=words):
        PIDForest(**parameters).fit(X)


def test_a_schema_of_another_type_is_refused():
    with pytest.raises(TypeError, match="schema must be a dict, JSON"):
        PIDForest(schema=3).fit(X)


def test_words_of_options():
    forest = PIDForest(axis_power=np.inf, cuts="optimal", min_node_rows=4, count_rows="sample", epsilon=0.5, n_estimators=np.int64(5)).fit(X)
    assert forest._model.options["axis_power"] == "infinity"
    assert forest._model.options["count_rows"] == "sample"
    assert forest._model.options["epsilon"] == "0.5"
    assert forest._model.options["n_estimators"] == "5"


@pytest.mark.parametrize("name", ["default", "paper", "authors"])
def test_presets(name):
    options = {**PIDForest.preset(name).fit(X)._model.options}
    assert options == _core.preset(name)
    assert PIDForest.preset(name, n_estimators=7).n_estimators == 7
    with pytest.raises(ValueError, match="preset must be one of"):
        PIDForest.preset("fast")


def test_scores_decisions_and_predictions_agree():
    forest = PIDForest().fit(X)
    scores = forest.score_samples(X)
    assert scores.argmin() == 7
    assert np.array_equal(forest.decision_function(X), scores - forest.offset_)
    assert np.array_equal(forest.predict(X) == -1, forest.decision_function(X) < 0)
    assert np.array_equal(PIDForest().fit_predict(X), forest.predict(X))


def test_contamination():
    assert (PIDForest(contamination=0.01).fit_predict(X) == -1).sum() == 20
    forest = PIDForest(contamination=None).fit(X)
    assert forest.offset_ == 0
    assert np.array_equal(forest.decision_function(X), forest.score_samples(X))
    assert forest.explain(X)[7].is_anomaly is None
    assert forest.explain(X)[7].normal_if() is None
    with pytest.raises(ValueError, match="contamination=None"):
        forest.predict(X)


def test_seeds():
    first = PIDForest(random_state=0).fit(X)._model
    assert PIDForest().fit(X)._model == first
    assert PIDForest(random_state=1).fit(X)._model != first
    for make in (np.random.RandomState, np.random.default_rng):
        assert PIDForest(random_state=make(5)).fit(X)._model == PIDForest(random_state=make(5)).fit(X)._model
        generator = make(5)
        assert PIDForest(random_state=generator).fit(X)._model != PIDForest(random_state=generator).fit(X)._model


def test_threads_change_nothing():
    models = [PIDForest(n_jobs=n_jobs).fit(X) for n_jobs in (1, 2, 7, -1, -2, None)]
    assert all(forest._model.to_bytes() == models[0]._model.to_bytes() for forest in models)
    assert all(np.array_equal(forest.score_samples(X), models[0].score_samples(X)) for forest in models)


@pytest.mark.parametrize(
    "again",
    [lambda forest: pickle.loads(pickle.dumps(forest)), copy.copy, copy.deepcopy],
    ids=["pickle", "copy", "deepcopy"],
)
def test_copies_are_the_same_model(again):
    frame = orders()
    forest = PIDForest(n_estimators=20).fit(frame)
    other = again(forest)
    assert other._model == forest._model
    assert other.get_params() == forest.get_params()
    assert list(other.feature_names_in_) == list(forest.feature_names_in_)
    assert np.array_equal(other.score_samples(frame), forest.score_samples(frame))


def test_save_and_load(tmp_path):
    frame = orders()
    forest = PIDForest.preset("authors", n_estimators=20, random_state=3, contamination=None).fit(frame)
    forest.save(tmp_path / "model.pidf")
    again = PIDForest.load(str(tmp_path / "model.pidf"))
    assert again._model == forest._model
    assert again.get_params() == forest.get_params()
    assert list(again.feature_names_in_) == list(frame.columns)
    assert again.n_features_in_ == 5
    assert again.schema_ == forest.schema_
    assert np.array_equal(again.score_samples(frame), forest.score_samples(frame))


def test_a_loaded_model_may_have_unused_and_unnamed_columns(tmp_path):
    PIDForest(schema={"columns": [{"name": "x2", "kind": "continuous"}]}).fit(X).save(tmp_path / "x.pidf")
    again = PIDForest.load(tmp_path / "x.pidf")
    assert again.n_features_in_ == 4
    assert again.score_samples(X).shape == (2000,)
    assert not hasattr(again, "feature_names_in_")


def test_bad_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="no.pidf"):
        PIDForest.load(tmp_path / "no.pidf")
    with pytest.raises(IsADirectoryError, match=tmp_path.name):
        PIDForest().fit(X).save(tmp_path)
    with pytest.raises(FileNotFoundError, match="folder"):
        PIDForest().fit(X).save(tmp_path / "folder" / "m.pidf")
    path = tmp_path / "bad.pidf"
    PIDForest(n_estimators=2).fit(X).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(ValueError, match="bad.pidf"):
        PIDForest.load(path)
    path.write_bytes(pickle.dumps(X))
    with pytest.raises(ValueError, match="not a pidforest model"):
        PIDForest.load(path)


@pytest.mark.parametrize("method", ["predict", "score_samples", "decision_function", "explain"])
def test_an_unfitted_model_says_so(method):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(PIDForest(), method)(X)
    with pytest.raises(NotFittedError):
        PIDForest().save("x.pidf")
    assert not hasattr(PIDForest(), "schema_")


def test_integer_weights_are_duplicates():
    frame = orders(500)
    weights = np.random.default_rng(1).integers(0, 4, len(frame))
    weighted = PIDForest().fit(frame, sample_weight=weights)
    repeated = PIDForest().fit(frame.loc[frame.index.repeat(weights)])
    assert weighted._model.to_bytes() == repeated._model.to_bytes()
    for same in (weights.tolist(), weights.astype(float), pd.Series(weights), weights.astype(np.uint8)):
        assert PIDForest().fit(frame, sample_weight=same)._model == weighted._model
    assert PIDForest().fit(frame, sample_weight=np.ones(500))._model == PIDForest().fit(frame)._model


@pytest.mark.parametrize(
    "weights, words",
    [
        (np.ones(3), "shape \\(2000,\\); got \\(3,\\)"),
        (np.ones((2000, 2)), "one number per row"),
        (np.r_[np.ones(1999), 0.5], "whole numbers, as weights count rows; row 2000 has 0.5"),
        (np.r_[-1, np.ones(1999)], "row 1 has -1"),
        (np.r_[np.nan, np.ones(1999)], "row 1 has nan"),
        (np.zeros(2000), "zero for every row"),
    ],
)
def test_wrong_weights_are_refused(weights, words):
    with pytest.raises(ValueError, match=words):
        PIDForest().fit(X, sample_weight=weights)


def test_a_failed_fit_changes_nothing():
    forest = PIDForest().fit(X)
    model = forest._model
    with pytest.raises(ValueError):
        forest.fit(np.zeros((0, 2)))
    assert forest._model is model
    assert forest.n_features_in_ == 4


def test_a_new_fit_forgets_the_names():
    forest = PIDForest().fit(orders())
    forest.fit(X)
    assert not hasattr(forest, "feature_names_in_")
    assert forest.n_features_in_ == 4


WITHOUT_SCIKIT_LEARN = """
import sys
sys.modules["sklearn"] = sys.modules["pandas"] = sys.modules["pyarrow"] = None
import pickle
import numpy as np
from pidforest import PIDForest
X = np.random.default_rng(0).normal(size=(500, 3))
forest = PIDForest(n_estimators=50, axis_power=float("inf"))
print(forest)
forest.set_params(n_estimators=20).fit(X)
assert forest.get_params()["n_estimators"] == 20
assert (pickle.loads(pickle.dumps(forest)).predict(X) == forest.predict(X)).all()
assert "<table" in forest._repr_html_()
try:
    forest.set_params(trees=3)
except ValueError as error:
    print(error)
try:
    forest.explain(X).to_frame()
except ImportError as error:
    print(error)
"""


def test_it_works_without_scikit_learn_and_pandas():
    code = WITHOUT_SCIKIT_LEARN.replace('sys.modules["pyarrow"]', 'sys.modules["pyarrow"] = sys.modules["polars"]')
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.startswith("PIDForest(axis_power=inf, n_estimators=50)\nInvalid parameter 'trees' for estimator PIDForest(")
    assert printed.endswith("to_frame requires pandas or polars; to_dict returns the same columns as lists.\n")


def test_reprs():
    forest = PIDForest(n_estimators=7, contamination=0.1)
    assert repr(forest) == "PIDForest(contamination=0.1, n_estimators=7)"
    assert "PIDForest" in forest._repr_html_()
