#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write examples/orders.csv: six weeks of a shop's orders with planted frauds.

People order in office hours, mostly on weekdays, and nobody between 3 and 5 in the morning. Each country has its
payment methods. A card has a country, the one that is ordered from; other payment methods have none. A fraud breaks one
of these habits: except for the hour, each of its values is common and only the combination is new. The column `fraud`
marks them. A seed always gives the same bytes.

    python3 scripts/make_orders.py [FILE]
"""

import csv
import datetime
import pathlib
import random
import sys

SEED = 2019
FIRST_DAY = datetime.date(2026, 3, 2)
DAYS = 45
ORDERS_ON_A_WEEKDAY = 85
ORDERS_ON_A_WEEKEND = 25
FRAUDS_OF_EACH_SORT = 3
OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "examples" / "orders.csv"

COLUMNS = ["order_id", "placed_at", "country", "payment", "amount", "gift", "card_country", "fraud"]

PAYMENTS = {
    "Germany": {"invoice": 6, "card": 3, "paypal": 3},
    "Austria": {"invoice": 4, "card": 3, "cash on delivery": 4},
    "Netherlands": {"ideal": 6, "card": 2, "paypal": 2},
    "Belgium": {"ideal": 4, "card": 4, "paypal": 2},
    "France": {"card": 6, "paypal": 4},
    "United Kingdom": {"card": 6, "paypal": 4},
    "United States": {"card": 6, "paypal": 4},
    "Canada": {"card": 6, "paypal": 4},
    "Japan": {"card": 4, "cash on delivery": 6},
}
"""How often each payment method is used in each country; other methods are never used there."""

COUNTRY_WEIGHTS = [15, 11, 12, 11, 10, 10, 10, 9, 12]
"""Chosen so that no country, and no payment method within one, is rare."""

HOUR_WEIGHTS = [8, 6, 4, 0, 0, 4, 8, 14, 20, 30, 36, 36, 30, 32, 36, 34, 30, 26, 22, 20, 18, 16, 14, 10]


def weighted(rng, weights):
    return rng.choices(list(weights), weights=list(weights.values()))[0]


def order(rng, day):
    """An honest order."""
    hour = rng.choices(range(24), weights=HOUR_WEIGHTS)[0]
    country = rng.choices(list(PAYMENTS), weights=COUNTRY_WEIGHTS)[0]
    payment = weighted(rng, PAYMENTS[country])
    return {
        "placed_at": datetime.datetime.combine(day, datetime.time(hour, rng.randrange(60))),
        "country": country,
        "payment": payment,
        "amount": rng.uniform(15, 150),
        "gift": rng.random() < 0.15,
        "card_country": country if payment == "card" else "",
        "fraud": 0,
    }


def foreign_payment(rng, row):
    """A payment method that the country does not have."""
    row["country"] = rng.choice(["France", "United States", "Canada"])
    row["payment"] = rng.choice(["ideal", "invoice", "cash on delivery"])
    row["card_country"] = ""


def dead_of_night(rng, row):
    """An hour at which nobody orders."""
    row["placed_at"] = row["placed_at"].replace(hour=rng.choice([3, 4]))


def foreign_card(rng, row):
    """The card is from the other end of the world."""
    row["country"] = rng.choice(["Germany", "Netherlands"])
    row["payment"] = "card"
    row["card_country"] = rng.choice(["Japan", "Canada"])


def card_without_country(rng, row):
    """A card without a country, which otherwise occurs only for other payments."""
    row["country"] = rng.choice(["United Kingdom", "Belgium"])
    row["payment"] = "card"
    row["card_country"] = ""


FRAUDS = [foreign_payment, dead_of_night, foreign_card, card_without_country]


def plant_frauds(rng, rows):
    chosen = iter(rng.sample(rows, FRAUDS_OF_EACH_SORT * len(FRAUDS)))
    for fraud in FRAUDS:
        for _ in range(FRAUDS_OF_EACH_SORT):
            row = next(chosen)
            fraud(rng, row)
            row["fraud"] = 1


def orders(seed):
    rng = random.Random(seed)
    rows = []
    for i in range(DAYS):
        day = FIRST_DAY + datetime.timedelta(days=i)
        n = ORDERS_ON_A_WEEKDAY if day.weekday() < 5 else ORDERS_ON_A_WEEKEND
        rows += [order(rng, day) for _ in range(n)]
    plant_frauds(rng, rows)
    rows.sort(key=lambda row: row["placed_at"])
    for i, row in enumerate(rows):
        row["order_id"] = f"A-{i + 10001}"
        if rng.random() < 0.03:
            row["gift"] = None
    return rows


def text_of(name, value):
    if value is None:
        return ""
    if name == "placed_at":
        return value.isoformat(" ", "minutes")
    if name == "gift":
        return "yes" if value else "no"
    return f"{value:.2f}" if name == "amount" else str(value)


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in orders(SEED):
            writer.writerow(text_of(name, row[name]) for name in COLUMNS)


if __name__ == "__main__":
    main()
