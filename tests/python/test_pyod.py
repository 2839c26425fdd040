# SPDX-License-Identifier: Apache-2.0
"""The detector follows PyOD's contract, and its scores are those of the estimator."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyod.models.base import BaseDetector
from pyod.models.iforest import IForest
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tables import numbers, orders

from pidforest import PIDForest
from pidforest.pyod import PIDForestDetector

X = numbers()


def test_fit_sets_what_pyod_promises():
    detector = PIDForestDetector()
    assert detector.fit(X) is detector
    assert isinstance(detector, BaseDetector)
    assert np.array_equal(detector.decision_scores_, -PIDForest().fit(X).score_samples(X))
    assert detector.threshold_ == np.percentile(detector.decision_scores_, 90)
    assert np.array_equal(detector.labels_, detector.decision_scores_ > detector.threshold_)
    assert detector.labels_.sum() == 200
    assert detector.decision_scores_.argmax() == 7


def test_new_rows_are_scored_by_the_same_forest():
    detector = PIDForestDetector(contamination=0.02).fit(X)
    new = np.vstack([np.zeros(4), [0, 30, 0, 0]])
    assert np.array_equal(detector.decision_function(X), detector.decision_scores_)
    assert np.array_equal(detector.predict(X), detector.labels_)
    assert detector.predict(new).tolist() == [0, 1]
    labels, confidence = detector.predict(new, return_confidence=True)
    assert labels.tolist() == [0, 1]
    assert ((0 <= confidence) & (confidence <= 1)).all()
    for method in ("linear", "unify"):
        probabilities = detector.predict_proba(new, method=method)
        assert probabilities.shape == (2, 2)
        assert np.allclose(probabilities.sum(axis=1), 1)
        assert probabilities[0, 1] < probabilities[1, 1]


def test_it_has_the_attributes_that_detectors_of_pyod_have():
    ours, theirs = PIDForestDetector().fit(X), IForest(random_state=0).fit(X)
    for name in ("decision_scores_", "labels_", "threshold_"):
        assert np.shape(getattr(ours, name)) == np.shape(getattr(theirs, name))
        assert np.asarray(getattr(ours, name)).dtype == np.asarray(getattr(theirs, name)).dtype


def test_its_parameters_are_those_of_the_estimator():
    ours, theirs = PIDForestDetector().get_params(), PIDForest().get_params()
    assert {**ours, "contamination": None} == {**theirs, "contamination": None}
    assert ours["contamination"] == 0.1
    detector = PIDForestDetector(0.2, n_estimators=7, random_state=3).set_params(max_depth=5)
    assert (detector.contamination, detector.n_estimators, detector.max_depth) == (0.2, 7, 5)
    expected = PIDForest(n_estimators=7, random_state=3, max_depth=5).fit(X).score_samples(X)
    assert np.array_equal(detector.fit(X).decision_scores_, -expected)
    assert "n_estimators=7" in repr(detector)


@pytest.mark.parametrize("again", [clone, lambda detector: pickle.loads(pickle.dumps(detector))], ids=["clone", "pickle"])
def test_copies(again):
    detector = PIDForestDetector(0.05, n_estimators=20, schema={"columns": [{"name": "x1", "kind": "continuous"}]}).fit(X)
    other = again(detector)
    assert other.get_params() == detector.get_params()
    if again is clone:
        assert not hasattr(other, "decision_scores_")
        other.fit(X)
    assert np.array_equal(other.decision_scores_, detector.decision_scores_)
    assert np.array_equal(other.predict(X), detector.labels_)


def test_frames_of_mixed_columns_and_reasons():
    frame = orders()
    detector = PIDForestDetector(contamination=0.01).fit(frame)
    assert detector.decision_scores_.argmax() == 11
    assert "country = AQ" in str(detector.forest_.explain(frame)[11])
    assert detector.predict_proba(frame).shape == (2000, 2)


def test_in_a_pipeline():
    y = np.zeros(len(X))
    y[7] = 1
    pipeline = make_pipeline(StandardScaler(), PIDForestDetector()).fit(X)
    assert roc_auc_score(y, pipeline.decision_function(X)) == 1
    assert pipeline.predict(X)[7] == 1


@pytest.mark.parametrize("contamination", ["auto", None])
def test_thresholds_of_the_estimator_are_refused(contamination):
    with pytest.raises(ValueError, match=f"contamination must be a number.*as in PyOD; got {contamination!r}"):
        PIDForestDetector(contamination).fit(X)


def test_wrong_parameters_are_refused():
    with pytest.raises(ValueError, match="contamination must be in"):
        PIDForestDetector(0.7)
    with pytest.raises(TypeError, match="no parameter 'trees'"):
        PIDForestDetector(trees=7)
    with pytest.raises(ValueError, match="n_estimators must be"):
        PIDForestDetector(n_estimators=0).fit(X)
    with pytest.raises(ValueError, match="not fitted"):
        PIDForestDetector().decision_function(X)


def test_a_reader_is_read_once():
    table = pa.Table.from_pandas(pd.DataFrame(X, columns=list("abcd")))
    assert np.array_equal(PIDForestDetector().fit(table.to_reader()).decision_scores_, PIDForestDetector().fit(X).decision_scores_)


def test_only_this_module_needs_pyod():
    code = "import sys, pidforest; assert 'pyod' not in sys.modules; sys.modules['pyod'] = None; import pidforest.pyod"
    failed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert failed.stderr.endswith("ImportError: pidforest.pyod requires PyOD: pip install pyod. PIDForest itself does not require it.\n")
