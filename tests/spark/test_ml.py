# SPDX-License-Identifier: Apache-2.0
"""The estimator and the model as stages of Spark ML: parameters, pipelines, tuning, saving and loading."""

import numpy as np
import pyarrow as pa
import pytest
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.ml.feature import SQLTransformer
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder
from pyspark.sql import functions as F

import pidforest
from pidforest import _core
from pidforest.spark import PIDForest, PIDForestModel


@pytest.fixture(scope="module")
def df(spark):
    rng = np.random.default_rng(1)
    x = rng.normal(size=400).round(3)
    x[::40] += 9
    table = pa.table({"x": x, "y": rng.integers(0, 5, 400), "fault": (np.arange(400) % 40 == 0).astype(float)})
    rows = spark.createDataFrame(table).persist()
    yield rows
    rows.unpersist()


def estimator(**params):
    return PIDForest(nEstimators=5, inputCols=["x", "y"], **params)


def test_every_option_is_a_parameter_with_the_default_of_the_library():
    params = {param.name: param for param in PIDForest().params}
    plain = pidforest.PIDForest().get_params()
    for spec in _core.option_specs():
        name = spec.name.split("_")[0] + "".join(word.title() for word in spec.name.split("_")[1:])
        assert spec.help in params[name].doc
        expected = 0 if spec.name == "seed" else plain[spec.name]  # random_state=None is the seed 0
        assert PIDForest().getOrDefault(name) == expected
    assert "maxDepth" in PIDForest().explainParams()


def test_parameters_are_checked_when_they_are_set():
    with pytest.raises(ValueError, match="max_depth must be a whole number between 1 and 64; got 99"):
        PIDForest(maxDepth=99)
    with pytest.raises(TypeError, match="PIDForest has no parameter 'depth'. It has .*maxDepth"):
        PIDForest(depth=3)
    forest = PIDForest(contamination=0.1)
    assert forest.setParams(contamination=None, seed=7) is forest
    assert forest.getOrDefault("contamination") is None
    assert forest.getOrDefault("seed") == 7


def test_a_model_has_the_parameters_and_the_uid_of_its_estimator(df):
    forest = estimator(scoreCol="bits", seed=4)
    model = forest.fit(df)
    assert (model.uid, model.getOrDefault("scoreCol"), model.getOrDefault("seed")) == (forest.uid, "bits", 4)
    extra = forest.fit(df, {forest.scoreCol: "other"})
    assert extra.transform(df).columns[-2:] == ["other", "prediction"]
    assert forest.getOrDefault("scoreCol") == "bits"


def test_what_is_saved_is_loaded(df, tmp_path):
    forest = estimator(contamination=None, axisPower=float("inf"), schema={"columns": [{"name": "x", "kind": "continuous"}]})
    forest.save(str(tmp_path / "forest"))
    loaded = PIDForest.load(str(tmp_path / "forest"))
    assert (loaded.uid, loaded._options(), loaded.getInputCols()) == (forest.uid, forest._options(), ["x", "y"])
    model = estimator(reasonCol="why").fit(df)
    model.write().save(str(tmp_path / "model"))
    again = PIDForestModel.load(str(tmp_path / "model"))
    assert again._bytes == model._bytes
    assert again.transform(df).collect() == model.transform(df).collect()


def test_a_folder_is_overwritten_only_if_asked(df, tmp_path):
    path = str(tmp_path / "model")
    first, second = estimator(seed=1).fit(df), estimator(seed=2).fit(df)
    first.save(path)
    with pytest.raises(Exception, match="PATH_ALREADY_EXISTS"):
        second.save(path)
    assert PIDForestModel.load(path)._bytes == first._bytes
    second.write().overwrite().save(path)
    assert PIDForestModel.load(path)._bytes == second._bytes


def test_another_class_is_refused(df, tmp_path):
    estimator().save(str(tmp_path / "forest"))
    with pytest.raises(ValueError, match=r"has a pidforest\.spark\.estimator\.PIDForest; load it with that class"):
        PIDForestModel.load(str(tmp_path / "forest"))


def test_a_pipeline_is_fitted_saved_and_loaded(df, tmp_path):
    pipeline = Pipeline(stages=[SQLTransformer(statement="SELECT *, x * 2 AS z FROM __THIS__"), PIDForest(nEstimators=5, inputCols=["z", "y"])])
    model = pipeline.fit(df)
    model.write().overwrite().save(str(tmp_path / "pipeline"))
    loaded = PipelineModel.load(str(tmp_path / "pipeline"))
    assert loaded.transform(df).collect() == model.transform(df).collect()
    pipeline.save(str(tmp_path / "stages"))
    assert Pipeline.load(str(tmp_path / "stages")).fit(df).stages[1]._bytes == model.stages[1]._bytes


def test_parameters_are_tuned(df):
    forest = estimator()
    grid = ParamGridBuilder().addGrid(forest.maxSamples, [32, 64]).addGrid(forest.contamination, ["auto"]).build()
    evaluator = BinaryClassificationEvaluator(rawPredictionCol="score", labelCol="fault")
    tuned = CrossValidator(estimator=forest, estimatorParamMaps=grid, evaluator=evaluator, numFolds=2, seed=0, parallelism=2).fit(df.persist())
    assert len(tuned.avgMetrics) == 2
    assert min(tuned.avgMetrics) > 0.9
    assert isinstance(tuned.bestModel, PIDForestModel)
    assert tuned.bestModel.getOrDefault("maxSamples") in (32, 64)


def test_predictions_suit_the_evaluators_of_spark(df):
    scored = estimator(contamination=0.025).fit(df).transform(df)
    assert scored.where(F.col("prediction") == F.col("fault")).count() > 390
