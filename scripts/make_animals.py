#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write examples/animals.csv: many elephants, many white animals, and one white elephant.

    python3 scripts/make_animals.py

Where an animal lives, whether it is female and whether it is tagged are irrelevant. The random generator is defined
here, so that every version of Python makes the same file.
"""

from pathlib import Path

OUTPUT = Path(__file__).resolve().parents[1] / "examples" / "animals.csv"
COLOURS = {
    "elephant": ["grey", "grey", "brown"],
    "rhino": ["grey", "brown"],
    "bear": ["white", "brown", "black"],
    "swan": ["white", "white", "black"],
    "goose": ["white", "grey"],
    "horse": ["white", "brown", "black"],
}
PARKS = ["north", "east", "south", "west"]
N_ROWS, WHITE_ELEPHANT = 480, 311


def draws(state: int):
    """Yield whole numbers below 2^31 forever."""
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


def main():
    draw = draws(2019)

    def one_of(choices):
        return choices[next(draw) % len(choices)]

    lines = ["species,colour,park,female,tagged"]
    for row in range(1, N_ROWS + 1):
        species = one_of(list(COLOURS))
        colour = one_of(COLOURS[species])
        if row == WHITE_ELEPHANT:
            species, colour = "elephant", "white"
        lines.append(f"{species},{colour},{one_of(PARKS)},{one_of(['yes', 'no'])},{one_of(['yes', 'no'])}")
    OUTPUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
