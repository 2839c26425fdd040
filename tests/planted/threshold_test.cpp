// SPDX-License-Identifier: Apache-2.0
// The automatic threshold: it flags next to nothing in regular data, as docs/threshold.md promises, and it flags rows
// planted far from the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "pidforest/pidforest.h"

namespace pidforest {
namespace {

using Random = std::mt19937_64;

double even(Random& random) { return std::generate_canonical<double, 53>(random); }
double normal(Random& random) { return std::normal_distribution<double>()(random); }

struct Shape {
  std::size_t n_rows;
  std::size_t n_columns;
};

const std::vector<Shape> shapes{{1000, 1}, {1000, 2}, {1000, 10}, {10000, 2}, {10000, 5}, {100000, 3}};

/// Makes a row-major table; `value` returns one value after the other.
std::vector<double> table_of(const Shape& shape, const std::function<double(std::size_t column)>& value) {
  std::vector<double> values;
  for (std::size_t row = 0; row < shape.n_rows; ++row)
    for (std::size_t column = 0; column < shape.n_columns; ++column) values.push_back(value(column));
  return values;
}

std::vector<bool> flags_of(const Model& model, const Table& table) {
  std::vector<bool> flags;
  for (const double bits : model.score(table)) flags.push_back(bits > *model.threshold());
  return flags;
}

std::vector<bool> flagged(const std::vector<double>& values, std::size_t n_columns, const Options& options) {
  const Table table = Table::row_major(values, n_columns);
  return flags_of(Model::fit(table, options), table);
}

double share_of(const std::vector<bool>& flags) {
  return static_cast<double>(std::count(flags.begin(), flags.end(), true)) / static_cast<double>(flags.size());
}

double share_flagged(const std::vector<double>& values, std::size_t n_columns, const Options& options) {
  return share_of(flagged(values, n_columns, options));
}

double share_flagged(const std::vector<double>& values, const Schema& schema, const Options& options) {
  const Table table = Table::row_major(values, schema.columns.size());
  return share_of(flags_of(Model::fit(table, schema, options), table));
}

/// Expects that less than one in a hundred rows is flagged, for every shape and seed.
void expect_next_to_none(const std::function<std::vector<double>(const Shape&, Random&)>& make) {
  for (const Shape& shape : shapes)
    for (const std::int64_t seed : {0, 1, 2}) {
      Random random(static_cast<std::uint64_t>(seed));
      EXPECT_LT(share_flagged(make(shape, random), shape.n_columns, {.seed = seed}), 0.01)
          << shape.n_rows << " rows, " << shape.n_columns << " columns, seed " << seed;
    }
}

TEST(RegularData, of_even_noise_next_to_nothing_is_flagged) {
  expect_next_to_none(
      [](const Shape& shape, Random& random) { return table_of(shape, [&](std::size_t) { return even(random); }); });
}

TEST(RegularData, of_one_gaussian_next_to_nothing_is_flagged) {
  expect_next_to_none(
      [](const Shape& shape, Random& random) { return table_of(shape, [&](std::size_t) { return normal(random); }); });
}

TEST(RegularData, of_a_straight_line_next_to_nothing_is_flagged) {
  expect_next_to_none([](const Shape& shape, Random& random) {
    double x = 0;
    return table_of(shape, [&, x](std::size_t column) mutable { return column == 0 ? x = even(random) : x; });
  });
}

TEST(RegularData, of_a_constant_table_nothing_is_flagged) {
  for (const Shape& shape : shapes)
    EXPECT_EQ(share_flagged(table_of(shape, [](std::size_t) { return 3.0; }), shape.n_columns, {}), 0);
}

TEST(RegularData, of_three_clusters_next_to_nothing_is_flagged) {
  expect_next_to_none([](const Shape& shape, Random& random) {
    double centre = 0;
    return table_of(shape, [&, centre](std::size_t column) mutable {
      if (column == 0) centre = 20 * static_cast<double>(random() % 3);
      return centre + normal(random);
    });
  });
}

/// One kind of regular data, and the promise of docs/threshold.md for it.
struct RegularKind {
  std::string name;
  /// At most this share of the rows is flagged, on average over tables.
  double promised;
  std::function<std::vector<double>(const Shape&, Random&)> make;
  /// Every second column has numbers of categories.
  bool has_categories = false;
};

/// A kind whose columns are independent.
RegularKind independent(std::string name, double promised, std::function<double(Random&, std::size_t column)> value) {
  return {std::move(name), promised, [value = std::move(value)](const Shape& shape, Random& random) {
            return table_of(shape, [&](std::size_t column) { return value(random, column); });
          }};
}

/// Columns with a correlation of 0.81. `scale` is drawn once per row and multiplies all its columns.
RegularKind correlated(std::string name, double promised, const std::function<double(Random&)>& scale) {
  return {std::move(name), promised, [scale](const Shape& shape, Random& random) {
            double common = 0;
            double factor = 1;
            return table_of(shape, [&](std::size_t column) {
              if (column == 0) common = normal(random);
              if (column == 0) factor = scale(random);
              return factor * (0.9 * common + std::sqrt(0.19) * normal(random));
            });
          }};
}

/// A value that is multiplied by Gaussians to get Student's t with three degrees of freedom.
double scale_of_t3(Random& random) { return std::sqrt(3 / std::chi_squared_distribution<double>(3)(random)); }

std::vector<RegularKind> regular_kinds() {
  constexpr double none = 0.0005;
  constexpr double short_tails = 0.005;
  constexpr double long_tails = 0.01;
  const auto poisson = [](Random& random, std::size_t column) {
    constexpr std::array rates{0.5, 2.0, 8.0, 30.0};
    return static_cast<double>(std::poisson_distribution<int>(rates[column % rates.size()])(random));
  };
  const auto category = [](Random& random) { return std::min(std::geometric_distribution<int>(0.3)(random), 12); };
  std::vector<RegularKind> kinds{
      independent("uniform", none, [](Random& random, std::size_t) { return even(random); }),
      independent("Gaussian", short_tails, [](Random& random, std::size_t) { return normal(random); }),
      independent("exponential", long_tails, [](Random& random, std::size_t) { return -std::log1p(-even(random)); }),
      independent("Poisson", long_tails, poisson),
      correlated("correlated Gaussian", short_tails, [](Random&) { return 1.0; }),
      independent("log-normal", long_tails, [](Random& random, std::size_t) { return std::exp(normal(random)); }),
      independent("t", long_tails, [](Random& random, std::size_t) { return scale_of_t3(random) * normal(random); }),
      correlated("correlated t", long_tails, scale_of_t3),
      independent("Cauchy", long_tails,
                  [](Random& random, std::size_t) { return std::cauchy_distribution<double>()(random); }),
      independent("mixed", short_tails, [=](Random& random, std::size_t column) {
        return column % 2 == 0 ? -std::log1p(-even(random)) : category(random);
      })};
  kinds.back().has_categories = true;
  return kinds;
}

Schema schema_of(const RegularKind& kind, const Shape& shape) {
  Schema schema;
  for (std::size_t column = 0; column < shape.n_columns; ++column) {
    const bool is_category = kind.has_categories && column % 2 == 1;
    schema.columns.push_back(
        {.name = "x" + std::to_string(column), .kind = is_category ? Kind::category : Kind::continuous});
  }
  return schema;
}

TEST(RegularData, of_each_kind_no_more_is_flagged_than_promised) {
  constexpr double most_of_a_table = 0.03;
  for (const RegularKind& kind : regular_kinds()) {
    double sum = 0;
    std::size_t n_tables = 0;
    for (const Shape& shape : {Shape{1000, 1}, Shape{1000, 3}, Shape{1000, 10}, Shape{5000, 5}, Shape{2000, 30}})
      for (const std::int64_t seed : {31, 32, 33}) {
        Random random(static_cast<std::uint64_t>(seed));
        const auto values = kind.make(shape, random);
        const double share = share_flagged(values, schema_of(kind, shape), {.seed = seed});
        EXPECT_LE(share, most_of_a_table) << kind.name << ", " << shape.n_rows << " x " << shape.n_columns;
        sum += share;
        ++n_tables;
      }
    EXPECT_LE(sum / static_cast<double>(n_tables), kind.promised) << kind.name;
  }
}

TEST(RegularData, by_other_presets_and_aggregates_next_to_nothing_is_flagged_too) {
  std::vector<Options> all{preset("paper"), preset("authors")};
  for (const auto aggregate : {Aggregate::quantile, Aggregate::max, Aggregate::top, Aggregate::vote, Aggregate::odds})
    all.push_back({.aggregate = aggregate});
  for (const Options& options : all)
    for (const bool is_even : {true, false}) {
      Random random(1);
      const auto values = table_of({2000, 4}, [&](std::size_t) { return is_even ? even(random) : normal(random); });
      EXPECT_LT(share_flagged(values, 4, options), 0.01) << "aggregate " << static_cast<int>(options.aggregate);
    }
}

/// Moves one in `every` rows by `distance` in the first `n_moved` columns; returns which rows were moved.
std::vector<bool> plant(std::vector<double>& values, const Shape& shape, std::size_t every, double distance,
                        std::size_t n_moved, Random& random) {
  std::vector<bool> planted(shape.n_rows);
  for (std::size_t row = every / 2; row < shape.n_rows; row += every) {
    planted[row] = true;
    for (std::size_t column = 0; column < n_moved; ++column)
      values[row * shape.n_columns + column] = (random() % 2 == 0 ? distance : -distance) * (1 + 0.3 * even(random));
  }
  return planted;
}

struct Found {
  double of_planted = 0;
  double of_others = 0;
};

Found found_by(const std::vector<bool>& flags, const std::vector<bool>& planted) {
  std::vector<std::size_t> n(4);
  for (std::size_t row = 0; row < flags.size(); ++row) ++n[(planted[row] ? 2U : 0U) + (flags[row] ? 1U : 0U)];
  return {static_cast<double>(n[3]) / static_cast<double>(n[2] + n[3]),
          static_cast<double>(n[1]) / static_cast<double>(n[0] + n[1])};
}

struct Planting {
  Shape shape;
  /// One in this many rows is planted.
  std::size_t every;
  /// Distance from the centre, in standard deviations.
  double distance;
  std::size_t n_moved;
};

TEST(PlantedRows, far_from_a_gaussian_are_flagged) {
  const std::vector<Planting> plantings{
      {{1000, 2}, 1000, 10, 1}, {{1000, 2}, 200, 8, 2},    {{10000, 2}, 1000, 8, 1},
      {{10000, 5}, 500, 8, 3},  {{10000, 10}, 1000, 8, 5}, {{50000, 3}, 2500, 10, 1},
      {{1000, 2}, 20, 8, 2},    {{10000, 5}, 10, 8, 5},    {{10000, 5}, 50, 8, 5},
  };
  for (const auto& [shape, every, distance, n_moved] : plantings)
    for (const std::int64_t seed : {0, 1, 2}) {
      Random random(static_cast<std::uint64_t>(seed));
      auto values = table_of(shape, [&](std::size_t) { return normal(random); });
      const auto planted = plant(values, shape, every, distance, n_moved, random);
      const Found found = found_by(flagged(values, shape.n_columns, {.seed = seed}), planted);
      const std::string what = std::to_string(shape.n_rows) + " x " + std::to_string(shape.n_columns) + ", one in " +
                               std::to_string(every) + ", seed " + std::to_string(seed);
      EXPECT_GE(found.of_planted, 0.9) << what;
      EXPECT_LT(found.of_others, 0.01) << what;
    }
}

TEST(PlantedRows, off_the_line_are_flagged_where_each_value_is_common) {
  for (const std::int64_t seed : {0, 1, 2}) {
    Random random(static_cast<std::uint64_t>(seed));
    const Shape shape{5000, 2};
    double x = 0;
    auto values = table_of(shape, [&](std::size_t column) {
      if (column == 0) x = (random() % 2 == 0 ? 0 : 20) + normal(random);
      return x;
    });
    std::vector<bool> planted(shape.n_rows);
    for (std::size_t row = 250; row < shape.n_rows; row += 500) {
      planted[row] = true;
      values[row * 2] = 20 - values[row * 2];
    }
    const Found found = found_by(flagged(values, 2, {.seed = seed}), planted);
    EXPECT_GE(found.of_planted, 0.9) << "seed " << seed;
    EXPECT_LT(found.of_others, 0.01) << "seed " << seed;
  }
}

}  // namespace
}  // namespace pidforest
