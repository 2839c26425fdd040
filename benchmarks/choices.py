# SPDX-License-Identifier: Apache-2.0
"""A flag that takes a comma-separated list of words or numbers from a given set."""

import argparse
from collections.abc import Callable, Sequence


def list_of(parse: Callable[[str], object], allowed: Sequence) -> Callable[[str], list]:
    def parse_all(text: str) -> list:
        words = [parse(word) for word in text.split(",")]
        wrong = [word for word in words if word not in allowed]
        if wrong:
            raise argparse.ArgumentTypeError(f"must be some of {', '.join(map(str, allowed))}; got '{wrong[0]}'.")
        return words

    return parse_all
