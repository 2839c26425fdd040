# SPDX-License-Identifier: Apache-2.0
"""The estimator works with scikit-learn's pipelines, searches and cross-validation."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone, is_outlier_detector
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import IsolationForest
from sklearn.inspection import permutation_importance
from sklearn.metrics import average_precision_score, f1_score, make_scorer, roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, cross_val_score, permutation_test_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from tables import numbers, orders

from pidforest import PIDForest

pytestmark = pytest.mark.filterwarnings("error")

N_PLANTED = 40
X = numbers()
X[:N_PLANTED, 2] += 7.0
y = np.where(np.arange(len(X)) < N_PLANTED, -1, 1)  # as in predict
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def encoded(transform_output="default"):
    """Return a transformer that scales numbers and has one column per country."""
    numeric, texts = make_column_selector(dtype_include="number"), make_column_selector(pattern="country")
    columns = ColumnTransformer([("scaled", StandardScaler(), numeric), ("country", OneHotEncoder(sparse_output=False), texts)])
    return columns.set_output(transform=transform_output)


def test_scaling_changes_no_rank():
    pipeline = make_pipeline(StandardScaler(), PIDForest()).fit(X)
    assert np.allclose(pipeline.score_samples(X), PIDForest().fit(X).score_samples(X))
    assert np.array_equal(pipeline.predict(X) == -1, pipeline.decision_function(X) < 0)
    assert is_outlier_detector(pipeline)


@pytest.mark.parametrize("transform_output, named", [("default", False), ("pandas", True), ("polars", True)])
def test_column_transformers_give_names_where_they_are_told_to(transform_output, named):
    frame = orders()
    pipeline = Pipeline([("columns", encoded(transform_output)), ("forest", PIDForest())]).fit(frame)
    forest = pipeline.named_steps["forest"]
    assert forest.n_features_in_ == 7
    assert hasattr(forest, "feature_names_in_") == named
    if named:
        assert list(forest.feature_names_in_)[:3] == ["scaled__amount", "scaled__items", "country__country_AQ"]
        assert list(forest.feature_names_in_) == list(pipeline[:-1].get_feature_names_out())
    unnamed = make_pipeline(encoded(), PIDForest()).fit(frame)
    assert np.array_equal(pipeline.score_samples(frame), unnamed.score_samples(frame))


@pytest.mark.parametrize("output, frame_type", [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_the_output_of_all_transformers_may_be_configured(output, frame_type):
    with sklearn.config_context(transform_output=output):
        pipeline = make_pipeline(StandardScaler(), FunctionTransformer(), PIDForest()).fit(X)
        assert isinstance(pipeline[:-1].transform(X), frame_type)
        assert pipeline.predict(X).shape == (len(X),)
        assert list(pipeline[-1].feature_names_in_) == ["x0", "x1", "x2", "x3"]


def test_columns_may_pass_through_unencoded():
    frame = orders()
    passed = ColumnTransformer([("scaled", StandardScaler(), ["amount"])], remainder="passthrough", verbose_feature_names_out=False)
    pipeline = make_pipeline(passed.set_output(transform="pandas"), PIDForest()).fit(frame)
    kinds = {column["name"]: column["kind"] for column in pipeline[-1].schema_["columns"]}
    assert kinds["country"] == "category"
    assert kinds["placed_at"] == "time"
    assert pipeline.score_samples(frame).argmin() == 11


def test_the_area_under_the_curve_has_the_sign_of_predict():
    """With 1 for normal and -1 for anomalies, as for scikit-learn's own detectors."""
    areas = cross_val_score(PIDForest(), X, y, scoring="roc_auc", cv=FOLDS)
    assert areas.min() > 0.95
    assert cross_val_score(IsolationForest(random_state=0), X, y, scoring="roc_auc", cv=FOLDS).min() > 0.95
    # Data sets use 1 for anomalies, which reverses the sign.
    assert np.allclose(cross_val_score(PIDForest(), X, y == -1, scoring="roc_auc", cv=FOLDS), 1 - areas)


def test_folds_give_what_fits_by_hand_give():
    by_hand = [roc_auc_score(y[test], PIDForest().fit(X[train]).decision_function(X[test])) for train, test in FOLDS.split(X, y)]
    assert cross_val_score(PIDForest(), X, y, scoring="roc_auc", cv=FOLDS).tolist() == by_hand
    predicted = cross_val_predict(PIDForest(), X, y, cv=FOLDS)
    for train, test in FOLDS.split(X, y):
        assert np.array_equal(predicted[test], PIDForest().fit(X[train]).predict(X[test]))


def test_labels_that_are_shuffled_score_like_chance():
    area, by_chance, p_value = permutation_test_score(PIDForest(), X, y, scoring="roc_auc", cv=FOLDS, n_permutations=20, random_state=0)
    assert area > by_chance.max()
    assert abs(by_chance.mean() - 0.5) < 0.1
    assert p_value < 0.05


def test_processes_change_no_score():
    alone = cross_val_score(PIDForest(), X, y, scoring="roc_auc", cv=FOLDS)
    assert np.array_equal(cross_val_score(PIDForest(n_jobs=1), X, y, scoring="roc_auc", cv=FOLDS, n_jobs=2), alone)


def test_a_search_over_options():
    search = GridSearchCV(PIDForest(), {"max_samples": [16, 256]}, scoring="roc_auc", cv=FOLDS).fit(X, y)
    expected = [cross_val_score(PIDForest(max_samples=m), X, y, scoring="roc_auc", cv=FOLDS).mean() for m in (16, 256)]
    assert search.cv_results_["mean_test_score"].tolist() == expected
    assert search.best_params_ == {"max_samples": (16, 256)[int(np.argmax(expected))]}
    assert search.predict(X).shape == (len(X),)


def test_a_search_within_a_pipeline():
    pipeline = Pipeline([("scaled", StandardScaler()), ("forest", PIDForest())])
    search = GridSearchCV(pipeline, {"forest__aggregate": ["mean", "top"]}, scoring="average_precision", cv=3).fit(X, y == 1)
    assert set(search.best_params_) == {"forest__aggregate"}


def test_scorers():
    flagged = make_scorer(f1_score, pos_label=-1)
    assert cross_val_score(PIDForest(contamination=0.02), X, y, scoring=flagged, cv=FOLDS).min() > 0.5
    # A scorer that treats anomalies as positive needs the score with the opposite sign.
    precision = make_scorer(lambda truth, scores: average_precision_score(truth == -1, -scores), response_method="decision_function")
    assert cross_val_score(PIDForest(), X, y, scoring=precision, cv=FOLDS).min() > 0.5


def test_clones_have_the_parameters_and_no_model():
    generator = np.random.RandomState(3)
    forest = PIDForest(n_estimators=7, schema={"columns": [{"name": "x1", "kind": "continuous"}]}, contamination=0.1)
    other = clone(forest.fit(X))
    assert other.get_params() == forest.get_params()
    assert not hasattr(other, "n_features_in_")
    assert clone(PIDForest(random_state=generator)).random_state is not generator
    assert np.array_equal(other.fit(X).score_samples(X), forest.score_samples(X))


def test_weights_reach_the_forest_through_a_pipeline():
    weights = np.random.default_rng(2).integers(0, 3, len(X))
    pipeline = Pipeline([("same", FunctionTransformer()), ("pidforest", PIDForest())])
    weighted = pipeline.fit(X, pidforest__sample_weight=weights).score_samples(X)
    assert np.array_equal(weighted, PIDForest().fit(np.repeat(X, weights, axis=0)).score_samples(X))
    labels = make_pipeline(PIDForest()).fit_predict(X, pidforest__sample_weight=weights)
    assert np.array_equal(labels, PIDForest().fit(X, sample_weight=weights).predict(X))


def test_weights_are_routed_where_routing_is_on():
    weights = np.random.default_rng(2).integers(0, 3, len(X))
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(PIDForest().set_fit_request(sample_weight=True)).fit(X, sample_weight=weights)
    assert np.array_equal(pipeline.score_samples(X), PIDForest().fit(X, sample_weight=weights).score_samples(X))


def test_importance_by_permutation_finds_the_planted_column():
    importance = permutation_importance(PIDForest().fit(X), X, y, scoring="roc_auc", n_repeats=3, random_state=0)
    assert importance.importances_mean.argmax() == 2
