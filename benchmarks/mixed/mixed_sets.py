# SPDX-License-Identifier: Apache-2.0
"""The generated data sets of the mixed benchmark: every value is common, and the anomalies are rare combinations.

Only the standard library is needed, so that the tests can make them too.
"""

import csv
import random
from pathlib import Path
from typing import NamedTuple

# The number of levels of each of the 22 columns of UCI's mushrooms, with 2 instead of 1.
MUSHROOM_LEVELS = (6, 4, 10, 2, 9, 2, 2, 2, 12, 2, 5, 4, 4, 9, 9, 2, 4, 3, 5, 9, 6, 7)
SPECIES = 20
MUSHROOM_ROWS = 8000
ANOMALIES_PER_ROW = 0.01
SHARES = {1: (1.0,), 2: (0.7, 0.3), 3: (0.5, 0.3, 0.2)}  # of a species' levels in one column

ANIMAL_ROWS = 100_000
WHITE_ELEPHANTS = 10
NOISE_COLUMNS = 10  # of numbers, and the same number of categories
NOISE_LEVELS = 10

Levels = tuple[str, ...]
Species = list[Levels]  # by column: its levels, the most frequent first


class DataSet(NamedTuple):
    header: list[str]
    rows: list[list[str | float]]
    labels: list[int]  # 1 is an anomaly


class Animals(NamedTuple):
    """The distributions of species and colours."""

    levels: int
    is_even: bool

    def weights(self) -> list[float]:
        return [1.0 if self.is_even else 1 / (i + 1) for i in range(self.levels)]

    def name(self) -> str:
        return f"{self.levels} {'even' if self.is_even else 'uneven'} levels"


ANIMALS = (Animals(6, False), Animals(6, True), Animals(10, True))


def write_csv(data: DataSet, path: Path) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*data.header, "label"])
        writer.writerows([*row, label] for row, label in zip(data.rows, data.labels))
    return path


def deal(rng: random.Random, count: int) -> list[Levels]:
    """Return the levels of one column by species. Levels are dealt like cards, so that each has about as many
    species."""
    names = [chr(ord("a") + i) for i in range(count)]
    deck: list[str] = []
    hands = []
    for _ in range(SPECIES):
        hand: list[str] = []
        for _ in range(rng.choice((1, 1, 2) if count < 5 else (1, 2, 3))):
            if not set(deck) - set(hand):
                deck += rng.sample(names, count)
            hand.append(next(card for card in deck if card not in hand))
            deck.remove(hand[-1])
        hands.append(tuple(hand))
    return hands


def draw(rng: random.Random, levels: Levels) -> str:
    return rng.choices(levels, SHARES[len(levels)])[0]


def mixture(rng: random.Random, species: list[Species], mixed: int) -> list[str]:
    """Return a row of one species in which `mixed` columns have values of another species that the first never has."""
    while True:
        host, guest = rng.sample(species, 2)
        row, other = ([draw(rng, levels) for levels in one] for one in (host, guest))
        foreign = [i for i, value in enumerate(other) if value not in host[i]]
        if len(foreign) >= mixed:
            for i in rng.sample(foreign, mixed):
                row[i] = other[i]
            return row


def mushrooms(mixed: int, seed: int, n: int = MUSHROOM_ROWS) -> DataSet:
    """Return rows of 20 species, with one in a hundred a mixture of two. The species depend only on the seed."""
    rng = random.Random(seed)
    species = [list(one) for one in zip(*(deal(rng, count) for count in MUSHROOM_LEVELS))]
    weights = [rng.uniform(1, 3) for _ in species]
    labels = [1] * round(n * ANOMALIES_PER_ROW)
    labels += [0] * (n - len(labels))
    rng.shuffle(labels)
    normal = iter(rng.choices(species, weights, k=n))
    rows = [
        mixture(rng, species, mixed) if label else [draw(rng, levels) for levels in next(normal)] for label in labels
    ]
    return DataSet([f"c{i:02}" for i in range(len(MUSHROOM_LEVELS))], rows, labels)


def animals(spread: Animals, seed: int, n: int = ANIMAL_ROWS) -> DataSet:
    """Draw species and colours independently; no elephant (the second species) is white (the second colour) except
    ten."""
    rng = random.Random(seed)
    weights = spread.weights()
    names = [[f"{what}{i}" for i in range(spread.levels)] for what in ("species", "colour")]
    rare = [name[1] for name in names]
    pairs = [[a, b] for a in names[0] for b in names[1] if [a, b] != rare]
    chances = [weights[names[0].index(a)] * weights[names[1].index(b)] for a, b in pairs]
    drawn = rng.choices(pairs, chances, k=n - WHITE_ELEPHANTS) + [rare] * WHITE_ELEPHANTS
    rng.shuffle(drawn)
    kinds = [f"k{i}" for i in range(NOISE_LEVELS)]
    rows = [
        [*pair, *(round(rng.random(), 6) for _ in range(NOISE_COLUMNS)), *rng.choices(kinds, k=NOISE_COLUMNS)]
        for pair in drawn
    ]
    header = ["species", "colour"] + [f"{kind}{i}" for kind in ("number", "kind") for i in range(NOISE_COLUMNS)]
    return DataSet(header, rows, [int(pair == rare) for pair in drawn])
