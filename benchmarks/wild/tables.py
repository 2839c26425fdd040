# SPDX-License-Identifier: Apache-2.0
"""Fourteen tables of our own making that look like real ones. A seed gives the same cells on every machine."""

import random
from datetime import timedelta
from typing import NamedTuple

from columns import Category, Cell, Column, Number, Time
from columns import bimodal, exponential, lognormal, normal, pareto, skewed, uniform


class Recipe(NamedTuple):
    rows: int
    columns: list[Column]


class Table(NamedTuple):
    columns: list[Column]
    cells: dict[str, list[Cell]]  # by column

    def n_rows(self) -> int:
        return len(self.cells[self.columns[0].name])


def lab_values() -> list[Column]:
    """35 values of one blood sample, of which many are skewed and some were not ordered, and five facts about it."""
    shapes = [normal(140, 3), lognormal(25, 0.5), normal(4.2, 0.4), lognormal(90, 0.25), lognormal(1, 0.9)]
    values = [
        Number(f"value_{i:02}", shapes[i % 5], i % 3, f"organ_{i % 6}", 0.7 if i % 2 else 0.3, 0.0, 0.3 if i % 7 == 0 else 0.02)
        for i in range(35)
    ]
    facts = [Number("age", skewed(18, 95, 0.8), 0), Number("weight", lognormal(76, 0.2), 1, "organ_1", 0.4)]
    return [Time("taken"), Category("sex", 2), Category("ward", 9), *facts, *values]


RECIPES = {
    "web_latency": Recipe(20_000, [
        Time("at"), Category("route", 15, "load", 0.4), Category("method", 4), Category("region", 5),
        Number("status", lambda score: 200 if score < 1.6 else 404 if score < 2.3 else 500, 0, "load", 0.3),
        Number("total_ms", lognormal(85, 0.9), 1, "load", 0.9), Number("db_ms", lognormal(30, 1.1), 1, "load", 0.85, 0.1),
        Number("bytes", lognormal(9_000, 1.3), 0, "size", 0.8), Number("queue", exponential(0, 3), 0, "load", 0.7),
        Number("cpu", skewed(1, 100, 1.7), 1, "load", 0.6, 0.0, 0.01),
    ]),
    "orders": Recipe(10_000, [
        Time("placed"), Category("country", 20), Category("payment", 5), Category("device", 3, "worth", 0.3),
        Category("gift", 2), Number("items", exponential(1, 1.6), 0, "worth", 0.6),
        Number("amount", lognormal(48, 0.8), 2, "worth", 0.95), Number("discount", skewed(1, 40, 3), 2, "worth", 0.2, 0.7),
        Number("shipping", bimodal(4.9, 12.9, 0.6), 2), Number("weight_kg", lognormal(1.8, 0.7), 3, "worth", 0.7),
        Number("customer_age", skewed(18, 90, 1.5), 0, "", 0.0, 0.0, 0.08), Number("past_orders", pareto(1, 1.8), 0),
    ]),
    "sensors": Recipe(50_000, [
        Time("at", timedelta(minutes=1)), Category("machine", 6), Number("temperature", normal(61, 4), 2, "heat", 0.95),
        Number("pressure", normal(5.5, 0.3), 3, "heat", 0.8), Number("vibration", lognormal(0.8, 0.5), 3, "heat", 0.4),
        Number("current", bimodal(3.2, 11.5, 0.5), 2), Number("humidity", skewed(15, 95, 0.7), 1, "", 0.0, 0.0, 0.02),
        Number("rpm", normal(2_950, 35), 0, "heat", -0.5),
    ]),
    "census": Recipe(30_000, [
        Number("age", skewed(17, 90, 1.4), 0, "life", 0.5), Category("work_class", 8), Category("education", 16, "class", 0.6),
        Number("school_years", normal(10.5, 2.4), 0, "class", 0.8), Category("marital", 7, "life", 0.6), Category("sex", 2),
        Category("occupation", 14, "class", 0.5, 0.05), Category("relationship", 6, "life", 0.5), Category("origin", 30),
        Number("weight", lognormal(178_000, 0.5), 0), Number("capital_gain", lognormal(6_000, 1.1), 0, "class", 0.3, 0.92),
        Number("capital_loss", normal(1_870, 380), 0, "", 0.0, 0.95), Number("hours", normal(40, 11), 0, "class", 0.2),
        Number("income", lognormal(31_000, 0.7), 0, "class", 0.7),
    ]),
    "weather": Recipe(26_000, [
        Time("hour", timedelta(hours=1)), Category("station", 3), Category("sky", 6, "damp", 0.6),
        Number("temperature", bimodal(46, 68, 9), 1, "season", 0.9), Number("dew_point", normal(41, 17), 1, "season", 0.85),
        Number("humidity", skewed(12, 100, 0.6), 1, "damp", 0.8), Number("wind_speed", lognormal(9, 0.45), 1),
        Number("wind_gust", lognormal(21, 0.3), 1, "", 0.0, 0.0, 0.6), Number("wind_direction", uniform(0, 359.4), 0),
        Number("pressure", normal(1_017, 7), 1, "damp", -0.6), Number("rain", lognormal(0.03, 1.1), 3, "damp", 0.4, 0.9),
        Number("visibility", skewed(0.1, 10, 0.25), 2, "damp", -0.5),
    ]),
    "claims": Recipe(8_000, [
        Time("reported"), Category("cover", 6), Category("region", 12), Category("brand", 25), Category("garage", 2),
        Number("driver_age", skewed(18, 88, 1.2), 0), Number("car_age", exponential(0, 6), 0),
        Number("power", lognormal(82, 0.35), 0, "car", 0.7), Number("car_value", lognormal(14_500, 0.6), 0, "car", 0.9),
        Number("premium", lognormal(640, 0.4), 2, "car", 0.8), Number("paid", pareto(180, 1.6), 2, "harm", 0.9),
        Number("reserve", pareto(120, 1.9), 2, "harm", 0.8, 0.3), Number("injured", exponential(0, 0.35), 0, "harm", 0.5),
        Number("delay_days", exponential(0, 9), 0), Number("bonus", skewed(50, 230, 4), 0),
        Number("distance_km", lognormal(12_000, 0.5), 0, "", 0.0, 0.0, 0.15),
    ]),
    "diamonds": Recipe(50_000, [
        Category("cut", 5), Category("colour", 7), Category("clarity", 8, "size", 0.3),
        Number("carat", lognormal(0.7, 0.58), 2, "size", 0.99), Number("depth", normal(61.7, 1.4), 1),
        Number("table_width", normal(57.5, 2.2), 0), Number("price", lognormal(2_400, 1.0), 0, "size", 0.95),
        Number("x", lognormal(5.6, 0.195), 2, "size", 0.995), Number("y", lognormal(5.6, 0.195), 2, "size", 0.995),
        Number("z", lognormal(3.45, 0.195), 2, "size", 0.99),
    ]),
    "flows": Recipe(40_000, [
        Category("protocol", 3), Category("service", 30, "volume", 0.5), Category("flag", 8),
        Number("duration", lognormal(2, 1.8), 3, "volume", 0.4, 0.5), Number("source_bytes", lognormal(900, 1.6), 0, "volume", 0.9),
        Number("target_bytes", pareto(40, 1.2), 0, "volume", 0.8, 0.2), Number("packets", pareto(1, 1.5), 0, "volume", 0.8),
        *(Number(f"count_{i}", exponential(0, 4 + 9 * i), 0, "burst", 0.7, 0.15) for i in range(8)),
        *(Number(f"rate_{i}", skewed(0, 1, 3 if i % 2 else 0.4), 2, "burst", 0.5, 0.4) for i in range(7)),
        Number("time_to_live", bimodal(63, 127, 0.6), 0), Number("window", bimodal(8_192, 64_000, 500), 0),
    ]),
    "lab": Recipe(5_000, lab_values()),
    "meters": Recipe(17_520, [
        Time("read_at", timedelta(minutes=30)), Category("tariff", 3), Category("building", 4),
        Number("active_kw", lognormal(22, 0.55), 2, "use", 0.97), Number("reactive_kvar", lognormal(8, 0.5), 2, "use", 0.8),
        Number("voltage", normal(231.5, 1.9), 1, "use", -0.6), Number("frequency", normal(50, 0.02), 3),
        Number("solar_kw", lognormal(4, 0.8), 2, "", 0.0, 0.5), Number("outdoor", normal(11, 8), 1, "use", -0.4, 0.0, 0.03),
    ]),
    "houses": Recipe(2_000, [
        Category("kind", 5), Category("heating", 4), Category("quarter", 18, "worth", 0.5), Category("garage", 2),
        Number("built", skewed(1880, 2023, 0.5), 0, "worth", 0.3), Number("rooms", normal(5.2, 1.4), 0, "size", 0.85),
        Number("baths", exponential(1, 0.7), 0, "size", 0.6), Number("area", lognormal(118, 0.38), 1, "size", 0.95),
        Number("plot", lognormal(420, 0.8), 0, "size", 0.5, 0.0, 0.1), Number("floor", exponential(0, 1.5), 0),
        Number("basement", normal(52, 14), 1, "size", 0.6, 0.45), Number("price", lognormal(330_000, 0.55), 0, "worth", 0.85),
        Number("tax", lognormal(2_800, 0.5), 0, "worth", 0.9), Number("rent", lognormal(1_150, 0.4), 0, "worth", 0.8),
        Number("to_centre_km", exponential(0.2, 5.5), 1, "worth", -0.5), Number("to_school_km", lognormal(0.9, 0.6), 2),
        Number("energy", normal(138, 41), 0, "worth", -0.3), Number("noise_db", normal(52, 6), 1),
        Number("days_listed", lognormal(38, 0.9), 0), Number("views", pareto(30, 2.2), 0),
    ]),
    "trips": Recipe(25_000, [
        Time("picked_up"), Category("vendor", 2), Category("payment", 4), Category("zone", 40),
        Number("passengers", exponential(1, 0.6), 0), Number("distance", lognormal(1.9, 0.8), 2, "way", 0.97),
        Number("minutes", lognormal(11, 0.65), 1, "way", 0.9), Number("fare", lognormal(10.5, 0.55), 1, "way", 0.95),
        Number("tip", lognormal(2.3, 0.5), 2, "way", 0.5, 0.4), Number("tolls", bimodal(5.5, 11.5, 0.3), 2, "", 0.0, 0.94),
        Number("total", lognormal(14, 0.5), 2, "way", 0.95),
    ]),
    "loans": Recipe(12_000, [
        Time("issued"), Category("purpose", 12), Category("grade", 7, "risk", 0.8), Category("home", 4), Category("verified", 3),
        Number("amount", skewed(1_000, 35_000, 1.6), 0, "means", 0.6), Number("rate", normal(13.2, 3.4), 2, "risk", 0.9),
        Number("income", lognormal(64_000, 0.55), 0, "means", 0.8), Number("debt_share", skewed(0, 40, 1.2), 2, "risk", 0.4),
        Number("instalment", lognormal(380, 0.5), 2, "means", 0.6), Number("open_lines", normal(11, 3), 0, "means", 0.3),
        Number("balance", lognormal(11_000, 0.9), 0, "means", 0.5), Number("used_share", skewed(0, 100, 0.8), 1, "risk", 0.5),
        Number("late_payments", exponential(0, 0.5), 0, "risk", 0.3), Number("score", normal(705, 32), 0, "risk", -0.8),
        Number("employed_years", skewed(0, 10.4, 1.1), 0, "", 0.0, 0.0, 0.06), Number("inquiries", exponential(0, 1), 0),
        Number("collections", lognormal(350, 1.2), 0, "risk", 0.2, 0.97),
    ]),
    "gauge": Recipe(3_000, [
        Time("at", timedelta(hours=6)), Number("level_cm", lognormal(215, 0.3), 0, "rain", 0.95),
        Number("flow", lognormal(62, 0.75), 1, "rain", 0.9), Number("temperature", bimodal(5, 17, 2.2), 1),
    ]),
}  # fmt: skip


def make_table(name: str, seed: int, rows: int | None = None) -> Table:
    """With `rows`, the table has at most this number of rows."""
    recipe = RECIPES[name]
    rng = random.Random(f"{name} {seed}")
    n = min(rows or recipe.rows, recipe.rows)
    names = sorted({column.factor for column in recipe.columns if not isinstance(column, Time) and column.factor})
    factors = [{factor: rng.gauss(0, 1) for factor in names} for _ in range(n)]
    return Table(recipe.columns, {column.name: column.cells(rng, factors) for column in recipe.columns})
