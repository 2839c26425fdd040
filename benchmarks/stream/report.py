# SPDX-License-Identifier: Apache-2.0
"""The figures of docs/streams.md. All judging sentences are derived from the figures."""

from collections import defaultdict
from statistics import fmean, median
from typing import NamedTuple

import numpy as np

import aws
from detectors import SLOW
from judge import MOST, RUN, TRANSITION, USUAL
from nab import TARGET, nab_score
from rates import Library, Rates
from streams import CHANGES, EVENTS, WINDOW

HEADING = "## Figures"  # the page above this heading is written by hand
TIMES_RRCF, TIMES_RIVER = 100, 10  # the required multiples of the peers' rates
LEAST_RATE = 50_000  # the required events per second of the library with 10 metrics
MOST_LATENCY = 1000  # microseconds, for 99 of 100 events
SERIES_NOT_BELOW = 3  # the number of series on which our AUC must not be below rrcf's
SOON = 100  # events within which a stream should adapt
PARTS = ("before", "during", "after", "whole")


class Measures(NamedTuple):
    library: list[Library]
    rates: list[Rates]
    long: Library | None
    series: dict[tuple[str, str], list[float]]  # AUC by stream and detector: one per seed
    drift: dict[tuple[str, str], list[dict[str, float]]]
    adapt: dict[tuple[str, str], list[float]]
    nab: dict[tuple[str, int], list[tuple[np.ndarray, np.ndarray]]]  # scores and labels of each series, by detector and seed
    are_peers_earlier: bool = False  # the figures of the peers are those of an earlier run


def table(head: list[str], rows: list[list]) -> list[str]:
    return ["", *(f"| {' | '.join(map(str, row))} |" for row in [head, ["---"] * len(head), *rows])]


def verdict(is_met: bool, what: str) -> str:
    return f"- {'met' if is_met else 'NOT met'}: {what}"


def names_in(found: dict[tuple[str, str], list], place: int) -> list[str]:
    return list(dict.fromkeys(key[place] for key in found))


def library_text(measures: Measures) -> list[str]:
    rows = [
        [one.metrics, f"{one.events_per_second:,.0f}", one.median_us, one.p99_us, one.p9999_us]
        for one in measures.library
    ]
    at_ten = next(one for one in measures.library if one.metrics == 10)
    lines = [
        "",
        "### The library: events per second and latency",
        "",
        f"`stream_rate`: events one by one on one core, scored and learned, with window {WINDOW} and default options:",
        f"{measures.library[0].events:,} events. Rates are of CPU time and include making the events; latencies are wall-clock times, so",
        "other programs affect them.",
        *table(["metrics", "events/s", "median µs", "99 % µs", "99.99 % µs"], rows),
        "",
        verdict(at_ten.events_per_second >= LEAST_RATE, f"{LEAST_RATE:,} events/s at 10 metrics, learning included."),
        verdict(at_ten.p99_us < MOST_LATENCY, "99 of 100 events take less than 1 ms at 10 metrics."),
    ]
    if measures.long is None:
        return lines
    long = measures.long
    return [
        *lines,
        "",
        f"Memory at {long.metrics} metrics: at most {long.mb_after_a_tenth} MB in the first tenth of {long.events:,} events,",
        f"at most {long.mb} MB in all of them, at {long.events_per_second:,.0f} events/s.",
    ]


def rates_text(measures: Measures) -> list[str]:
    ratios = [
        [rate / peer for rate in (one.one_by_one, one.update) for peer in (one.rrcf, one.river)] for one in measures.rates
    ]
    rows = [
        [one.metrics, *(f"{rate:,.0f}" for rate in one[1:]), *(f"{ratio:,.1f}" for ratio in some)]
        for one, some in zip(measures.rates, ratios)
    ]
    ways = ["one by one / rrcf", "one by one / river", "update / rrcf", "update / river"]
    asked = [TIMES_RRCF, TIMES_RIVER] * 2
    least = [min(some) for some in zip(*ratios)]
    return [
        "",
        "### Through Python, beside rrcf and river",
        "",
        "Events per second of CPU time, one thread; the best of a few rounds in which all detectors take turns on the",
        "same stream, after the warm-up. The peers get windows that are made before the measurement; pidforest makes its own.",
        "One by one is `score_one` and `learn_one`, as in river.",
        *table(["metrics", "one by one", "update_one", "update", "rrcf", "river", *ways], rows),
        "",
        "By the lowest ratio of the table:",
        "",
        *(verdict(one >= times, f"{way} at least {times}: {one:,.1f}.") for way, times, one in zip(ways, asked, least)),
    ]


def series_text(measures: Measures) -> list[str]:
    series, detectors = (names_in(measures.series, place) for place in (0, 1))
    if not series:
        return ["", "### AUC on the four series", "", "Not measured: PIDFOREST_DATA has no series."]
    auc = {key: fmean(some) for key, some in measures.series.items()}
    lines = [
        "",
        "### AUC on the four series",
        "",
        f"Windows of {WINDOW} samples: the score of the window that ends at a sample, and the label of that sample. All are judged",
        "on the same samples, beginning with the first that every detector has scored. `pidforest batch` is not a stream: it is",
        "fitted to the whole series, including the future, before it scores any sample.",
        *table(["series", *detectors], [[name, *(f"{auc[name, one]:.3f}" for one in detectors)] for name in series]),
        "",
    ]
    if "rrcf" in detectors:
        not_below = [name for name in series if auc[name, "pidforest"] >= auc[name, "rrcf"]]
        demand = f"AUC not below rrcf's on {SERIES_NOT_BELOW} of {len(series)} series"
        lines.append(verdict(len(not_below) >= SERIES_NOT_BELOW, f"{demand}: so on {', '.join(not_below) or 'none'}."))
    better = [name for name in series if auc[name, "pidforest batch"] > auc[name, "pidforest"]]
    lines.append(f"- The batch beats the stream on {', '.join(better) or 'none'}.")
    return [*lines, *nab_text(measures)]


def nab_text(measures: Measures) -> list[str]:
    found = defaultdict(list)
    for (name, _), some in measures.nab.items():
        found[name].append(nab_score(some))
    scores = {name: fmean(some) for name, some in found.items()}
    n_series = len(next(iter(measures.nab.values())))
    return [
        "",
        "### NAB's own score",
        "",
        f"The score of the Numenta Anomaly Benchmark (standard profile, benchmarks/stream/nab.py) on the same {n_series} series, with one",
        "threshold per detector for all of them: 0 for a detector that finds nothing, 100 for a perfect one. The benchmark has 58",
        "series; put more files of the same form into PIDFOREST_DATA to measure them.",
        *table(["detector", "score"], [[name, f"{score:.1f}"] for name, score in scores.items()]),
        "",
        verdict(scores["pidforest"] >= TARGET, f"a score of at least {TARGET}: {scores['pidforest']:.1f}."),
    ]


def events_text(times: list[float]) -> str:
    middle = median(times)
    return "never" if np.isinf(middle) else f"{middle:,.0f}"


def drift_text(measures: Measures) -> list[str]:
    detectors = names_in(measures.drift, 1)
    rows = []
    for name in CHANGES:
        for one in detectors:
            found = measures.drift[name, one]
            parts = [f"{fmean(some[part] for some in found):.3f}" for part in PARTS]
            rows.append([name, one, *parts, events_text(measures.adapt[name, one]) if one != "pidforest batch" else ""])
    return [
        "",
        "### Generated streams that change",
        "",
        f"A noisy swing of {EVENTS:,} events that changes in the middle (benchmarks/stream/streams.py), with jumps of one or",
        "five events planted all over. AUC of the planted events against the events whose window holds none: before the",
        f"change, during it (the first {TRANSITION:,} events), and after. To adapt: the events from the end of the change to the",
        f"first run of {RUN} normal events of which at most {100 * MOST:.0f} % score higher than {100 * (1 - USUAL):.0f} % of the normal",
        "events did before it; the median over the seeds. A slow drift takes half of the remaining events, the other changes are sudden.",
        *table(["change", "who", *(f"AUC {part}" for part in PARTS), "events to adapt"], rows),
        *drift_verdicts(measures),
    ]


def drift_verdicts(measures: Measures) -> list[str]:
    mean = {key: fmean(some["whole"] for some in found) for key, found in measures.drift.items()}
    times = [time for (_, who), some in measures.adapt.items() if who == "pidforest" for time in some]
    lines = ["", verdict(median(times) <= SOON, f"adapts within {SOON} events in the median: {events_text(times)}.")]
    if ("level shift", "rrcf") not in mean:
        return lines
    not_below = [name for name in CHANGES if round(mean[name, "pidforest"], 3) >= round(mean[name, "rrcf"], 3)]
    what = f"AUC of the whole stream not below rrcf's for all changes: so for {', '.join(not_below) or 'none'}."
    return [*lines, verdict(len(not_below) == len(CHANGES), what)]


def document(measures: Measures) -> str:
    seeds = max(len(some) for some in measures.drift.values())
    over = f"Seeds 0 to {seeds - 1}, each for data and detector: means" if seeds > 1 else "Seed 0"
    lines = [
        HEADING,
        "",
        "Written by `make stream-bench` (`.venv/bin/python benchmarks/stream/bench.py`); do not edit below this line.",
        f"Peers: {', '.join(SLOW.values())}; rrcf with 40 trees of 256 points, as its documentation shows, river's",
        f"`MinMaxScaler` and `HalfSpaceTrees` with their defaults; {aws.NAME}, {aws.VERSION} with its defaults, where Java is. pidforest has",
        "its defaults, and the times of the four series.",
        f"{over}." + (" The AUC of rrcf and river on the four series are those of an earlier run." if measures.are_peers_earlier else ""),
        *library_text(measures),
        *rates_text(measures),
        *series_text(measures),
        *drift_text(measures),
    ]
    return "\n".join(lines) + "\n"
