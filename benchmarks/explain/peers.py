# SPDX-License-Identifier: Apache-2.0
"""The peers' explanations: SHAP values of scikit-learn's IsolationForest, and the z-score of one column.

Both name as many columns as were planted: they are told the number, which our tool must find out.
"""

import csv
import math
import time
from collections import Counter
from datetime import datetime
from pathlib import Path
from statistics import fmean, pstdev

from base_columns import TIME
from judge import Answer, top_rows
from planted import Planted

Feature = tuple[str, list[float]]  # the column of the table that it comes from, and its values


def ranked_answer(places: tuple[bool, bool], bits: dict[str, float], count: int) -> Answer:
    """Name the columns with the most bits, or another measure of rarity."""
    named = sorted(bits, key=lambda column: -bits[column])[:count]
    return Answer(*places, named, {}, named[0])


def read_columns(path: Path) -> dict[str, list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, map(list, zip(*rows))))


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def hour_and_day(texts: list[str]) -> list[list[float]]:
    times = [datetime.fromisoformat(text) for text in texts]
    return [[time.hour + time.minute / 60 for time in times], [float(time.weekday()) for time in times]]


def features(path: Path) -> list[Feature]:
    """Encode a category as one 0/1 feature per level, and a time as the hour and the day of the week."""
    found: list[Feature] = []
    for name, texts in read_columns(path).items():
        if name == TIME:
            found += [(name, values) for values in hour_and_day(texts)]
        elif is_number(texts[0]):
            found.append((name, [float(text) for text in texts]))
        else:
            found += [(name, [float(text == level) for text in texts]) for level in sorted(set(texts))]
    return found


def fitted_forest(path: Path, seed: int):
    """Return the forest, its input rows, and the column that each feature comes from."""
    import numpy
    import sklearn.ensemble

    columns, values = zip(*features(path))
    rows = numpy.array(values, dtype="float32").T
    return sklearn.ensemble.IsolationForest(random_state=seed, n_jobs=1).fit(rows), rows, columns


def shap_answers(path: Path, truth: list[Planted], seed: int) -> list[Answer]:
    """A SHAP value is a share of a row's normality, so the columns with the lowest sums over their features are
    named. This favours SHAP compared with taking the largest absolute values."""
    import shap

    forest, rows, columns = fitted_forest(path, seed)
    top = top_rows((-forest.score_samples(rows)).tolist())
    answers = []
    for one, values in zip(truth, shap.TreeExplainer(forest).shap_values(rows[[one.row - 1 for one in truth]])):
        blame = dict.fromkeys(columns, 0.0)
        for column, value in zip(columns, values.tolist()):
            blame[column] -= value
        answers.append(ranked_answer(top.places(one.row), blame, len(one.columns)))
    return answers


def shap_seconds_per_row(path: Path, n_rows: int) -> float:
    """Return the shortest of three runs, without the fit."""
    import shap

    forest, rows, _ = fitted_forest(path, seed=0)
    explainer = shap.TreeExplainer(forest)
    runs = []
    for _ in range(3):
        start = time.perf_counter()
        explainer.shap_values(rows[:n_rows])
        runs.append(time.perf_counter() - start)
    return min(runs) / n_rows


def z_bits(values: list[float]) -> list[float]:
    """Return the rarity of each value, assuming a Gaussian: -log2 of the share that is at least as many deviations
    away."""
    mean, deviation = fmean(values), pstdev(values)
    tails = (math.erfc(abs(value - mean) / deviation / math.sqrt(2)) for value in values)
    return [-math.log2(max(tail, 1e-300)) for tail in tails]


def level_bits(texts: list[str]) -> list[float]:
    counts = Counter(texts)
    return [math.log2(len(texts) / counts[text]) for text in texts]


def column_bits(name: str, texts: list[str]) -> list[float]:
    if name == TIME:
        return [max(bits) for bits in zip(*map(z_bits, hour_and_day(texts)))]
    return z_bits([float(text) for text in texts]) if is_number(texts[0]) else level_bits(texts)


def z_answers(path: Path, truth: list[Planted]) -> list[Answer]:
    """A row is as rare as its rarest value."""
    bits = {name: column_bits(name, texts) for name, texts in read_columns(path).items()}
    top = top_rows([max(of_row) for of_row in zip(*bits.values())])
    answers = []
    for one in truth:
        of_row = {name: of_column[one.row - 1] for name, of_column in bits.items()}
        answers.append(ranked_answer(top.places(one.row), of_row, len(one.columns)))
    return answers
