# SPDX-License-Identifier: Apache-2.0
"""NAB's score as its description says: its anchors, what early and late detections are worth, and the best threshold."""

import sys
import unittest
from pathlib import Path

try:
    import numpy as np
except ModuleNotFoundError:
    print("nab_test: left out: there is no numpy; `scripts/bootstrap python` installs it.")
    sys.exit(0)

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks" / "stream"))
from nab import FALSE, nab_score, places_of, probation, sigmoid, windows_of  # noqa: E402


def labels(n=1000, *windows):
    found = np.zeros(n, int)
    for begin, end in windows:
        found[begin : end + 1] = 1
    return found


def peaks(n, **places):
    scores = np.zeros(n)
    for place, score in places.items():
        scores[int(place[2:])] = score
    return scores


class Nab(unittest.TestCase):
    def test_windows_are_runs_of_labels(self):
        self.assertEqual(windows_of(labels(10, (0, 2), (5, 5), (8, 9))), [(0, 2), (5, 5), (8, 9)])

    def test_the_first_events_are_for_learning(self):
        self.assertEqual([probation(n) for n in (100, 5000, 100_000)], [15, 750, 750])

    def test_a_detection_is_worth_the_more_the_earlier_and_the_nearer_it_is(self):
        places = places_of(labels(1000, (400, 499)))
        self.assertEqual(places[149], None)
        self.assertAlmostEqual(places[200].worth, -FALSE)
        self.assertAlmostEqual(places[400].worth, 1)
        self.assertAlmostEqual(places[499].worth, sigmoid(-0.01) / sigmoid(-1))
        self.assertTrue(-FALSE < places[510].worth < 0)
        self.assertAlmostEqual(places[900].worth, -FALSE)

    def test_nothing_has_0_and_perfection_100(self):
        two = [labels(1000, (400, 499), (700, 799)), labels(1000, (300, 309))]
        perfect = [(peaks(1000, at400=1, at700=1), two[0]), (peaks(1000, at300=1), two[1])]
        self.assertAlmostEqual(nab_score(perfect), 100)
        self.assertAlmostEqual(nab_score([(np.full(1000, np.nan), some) for some in two]), 0)
        self.assertAlmostEqual(nab_score([(peaks(1000, at200=1), two[0])]), 0)  # better to find nothing

    def test_one_threshold_is_chosen_for_all_series_and_the_first_detection_of_a_window_counts(self):
        one = labels(1000, (400, 499))
        late = nab_score([(peaks(1000, at450=2), one)])
        self.assertAlmostEqual(nab_score([(peaks(1000, at450=2, at400=1, at200=1), one)]), 100 * (2 - FALSE) / 2)
        self.assertTrue(50 < late < 100)
        self.assertAlmostEqual(nab_score([(peaks(1000, at450=2, at200=1), one)]), late)

    def test_equal_scores_are_detected_together(self):
        one = labels(1000, (400, 499))
        self.assertAlmostEqual(nab_score([(peaks(1000, at400=1, at200=1), one)]), 100 * (2 - FALSE) / 2)


if __name__ == "__main__":
    unittest.main()
