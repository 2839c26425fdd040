// SPDX-License-Identifier: Apache-2.0
// Planted anomalies of every kind must get the highest scores, although each of their values is ordinary.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>

#include "model/state.h"
#include "pidforest/pidforest.h"
#include "schema/encode.h"

namespace pidforest {
namespace {

/// A table that is filled by column; `is_planted` says which rows are planted.
class PlantedTable {
 public:
  PlantedTable(std::size_t n_rows, std::size_t n_planted) : n_rows_(n_rows), step_(n_rows / n_planted) {}

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] bool is_planted(std::size_t row) const { return row % step_ == step_ / 2; }

  PlantedTable& texts(const std::string& name, const std::function<std::string(std::size_t)>& value) {
    auto& views = views_.emplace_back();
    for (std::size_t row = 0; row < n_rows_; ++row) views.emplace_back(texts_.emplace_back(value(row)));
    columns_.push_back(Column::of_texts(name, views.data()));
    return *this;
  }
  PlantedTable& numbers(const std::string& name, const std::function<double(std::size_t)>& value) {
    auto& numbers = numbers_.emplace_back();
    for (std::size_t row = 0; row < n_rows_; ++row) numbers.push_back(value(row));
    columns_.push_back({.name = name, .first = numbers.data()});
    return *this;
  }
  /// Adds ten columns of uniform numbers and ten of uniform levels, which are irrelevant.
  PlantedTable& irrelevant_columns(std::mt19937_64& random) {
    for (int j = 0; j < 10; ++j)
      numbers("number" + std::to_string(j), [&](std::size_t) { return std::generate_canonical<double, 53>(random); });
    for (int j = 0; j < 10; ++j)
      texts("level" + std::to_string(j),
            [&](std::size_t) { return std::string(1, static_cast<char>('a' + random() % 10)); });
    return *this;
  }

  [[nodiscard]] Table table() const { return {n_rows_, columns_}; }

 private:
  std::size_t n_rows_;
  std::size_t step_;
  std::vector<Column> columns_;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::string_view>> views_;
  std::deque<std::vector<double>> numbers_;
};

struct Quality {
  double auc = 0;
  double average_precision = 0;
};

/// Measures how well the scores rank the planted rows; among equal scores planted rows come last.
Quality quality_of(const PlantedTable& planted, const std::vector<double>& scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : planted.is_planted(a) < planted.is_planted(b);
  });
  double found = 0;
  double others = 0;
  double precision = 0;
  double pairs = 0;
  for (const std::size_t row : order) {
    if (!planted.is_planted(row)) {
      ++others;
      continue;
    }
    ++found;
    precision += found / (found + others);
    pairs += others;
  }
  return {1 - pairs / (found * others), precision / found};
}

// White elephants

const std::vector<std::string> species{"elephant", "horse", "bear", "rabbit", "cat", "swan"};
const std::vector<std::string> colours{"grey", "white", "brown", "black", "red", "spotted"};
constexpr std::size_t elephant = 0;
constexpr std::size_t white = 1;

/// An index below six: uniform, or with the first ones more likely.
std::size_t draw_place(std::mt19937_64& random, bool is_even) {
  if (is_even) return random() % 6;
  const std::vector<double> weights{30, 25, 17, 12, 9, 7};
  return static_cast<std::size_t>(std::discrete_distribution<int>(weights.begin(), weights.end())(random));
}

/// 100,000 animals, ten of them white elephants. Elephants are common, and so are white animals.
PlantedTable animals(bool is_even) {
  std::mt19937_64 random(1);
  PlantedTable table(100000, 10);
  std::vector<std::size_t> of_species;
  std::vector<std::size_t> of_colour;
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    std::size_t animal = elephant;
    std::size_t colour = white;
    while (!table.is_planted(row) && animal == elephant && colour == white) {
      animal = draw_place(random, is_even);
      colour = draw_place(random, is_even);
    }
    of_species.push_back(animal);
    of_colour.push_back(colour);
  }
  table.texts("species", [&](std::size_t row) { return species[of_species[row]]; });
  table.texts("colour", [&](std::size_t row) { return colours[of_colour[row]]; });
  return std::move(table.irrelevant_columns(random));
}

TEST(WhiteElephants, are_at_the_very_top_where_species_and_colours_are_unevenly_common) {
  const PlantedTable table = animals(false);
  for (const std::int64_t seed : {0, 1, 2}) {
    const auto scores = Model::fit(table.table(), {.seed = seed}).score(table.table());
    EXPECT_GE(quality_of(table, scores).average_precision, 0.95) << "seed " << seed;
  }
}

TEST(WhiteElephants, are_found_where_all_species_and_colours_are_as_common) {
  const PlantedTable table = animals(true);
  for (const std::int64_t seed : {0, 1, 2}) {
    const auto scores = Model::fit(table.table(), {.seed = seed}).score(table.table());
    EXPECT_GE(quality_of(table, scores).auc, 0.97) << "seed " << seed;
    const auto more = Model::fit(table.table(), {.max_samples = 1024, .seed = seed}).score(table.table());
    EXPECT_GE(quality_of(table, more).average_precision, 0.95) << "seed " << seed;
  }
}

// Countries and continents

const std::vector<std::vector<std::string>> countries{{"Germany", "France", "Italy", "Spain", "Poland", "Greece"},
                                                      {"China", "India", "Japan", "Vietnam", "Korea"},
                                                      {"Brazil", "Argentina", "Chile", "Canada", "Mexico", "Peru"},
                                                      {"Nigeria", "Egypt", "Kenya", "Ghana"}};
const std::vector<std::string> continents{"Europe", "Asia", "Americas", "Africa"};
constexpr std::size_t americas = 2;

Schema country_schema() {
  ColumnSchema country{.name = "country", .kind = Kind::category};
  for (std::size_t c = 0; c < continents.size(); ++c) {
    for (const std::string& name : countries[c]) country.parents.emplace_back(name, continents[c]);
    country.parents.emplace_back(continents[c], "world");
  }
  return {{country, {.name = "amount"}}};
}

/// Returns the node that a level of the first column reaches as long as a tree cuts no other column.
std::uint32_t end_of_level(const forest::Tree& tree, double level) {
  std::uint32_t v = 0;
  while (!tree.nodes[v].is_leaf() && tree.nodes[v].axis == 0)
    v = tree.nodes[v].first_child + tree.fork(tree.nodes[v]).child_of(level);
  return v;
}

/// Returns the set of levels that most often ends in one node together with `level`, over the trees whose root cuts the
/// first column.
std::vector<std::string> named_most_often(const Model& model, std::string_view level) {
  const auto& levels = model.schema().columns[0].levels;
  const auto code = static_cast<double>(std::find(levels.begin(), levels.end(), level) - levels.begin());
  std::map<std::vector<std::string>, int> times;
  for (const forest::Tree& tree : model::state_of(model).forest->trees) {
    if (end_of_level(tree, code) == 0) continue;
    std::vector<std::string> together;
    for (std::size_t other = 0; other < levels.size(); ++other)
      if (end_of_level(tree, static_cast<double>(other)) == end_of_level(tree, code)) together.push_back(levels[other]);
    std::sort(together.begin(), together.end());
    ++times[together];
  }
  return std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

PlantedTable trade(const std::function<std::string(std::mt19937_64&)>& ordinary,
                   const std::function<std::string(std::mt19937_64&)>& planted) {
  std::mt19937_64 random(2);
  PlantedTable table(50000, 10);
  table.texts("country", [&](std::size_t row) { return table.is_planted(row) ? planted(random) : ordinary(random); });
  table.numbers("amount", [&](std::size_t) { return std::generate_canonical<double, 53>(random); });
  return table;
}

template <class Items>
const auto& any_of(const Items& items, std::mt19937_64& random) {
  return items[random() % items.size()];
}

TEST(Hierarchy, a_country_that_is_rare_inside_its_continent_is_named_by_itself) {
  const PlantedTable table = trade(
      [](auto& random) {
        std::string name = "Brazil";
        while (name == "Brazil") name = any_of(any_of(countries, random), random);
        return name;
      },
      [](auto&) { return "Brazil"; });
  const Model model = Model::fit(table.table(), country_schema());
  EXPECT_GE(quality_of(table, model.score(table.table())).average_precision, 0.95);
  EXPECT_EQ(named_most_often(model, "Brazil"), std::vector<std::string>{"Brazil"});
}

TEST(Hierarchy, a_continent_that_is_rare_as_a_whole_is_named_as_a_whole) {
  const PlantedTable table = trade(
      [](auto& random) {
        std::size_t continent = americas;
        while (continent == americas) continent = random() % continents.size();
        return any_of(countries[continent], random);
      },
      [](auto& random) { return any_of(countries[americas], random); });
  const Model model = Model::fit(table.table(), country_schema());
  EXPECT_GE(quality_of(table, model.score(table.table())).average_precision, 0.95);
  std::vector<std::string> all_of_them = countries[americas];
  std::sort(all_of_them.begin(), all_of_them.end());
  EXPECT_EQ(named_most_often(model, "Brazil"), all_of_them);
}

// Circles

/// The share of trees in which the cells of `arc` end in one node, apart from all other cells.
double share_of_trees_with_arc(const Model& model, int n_cells, const std::vector<int>& arc) {
  int n = 0;
  for (const forest::Tree& tree : model::state_of(model).forest->trees) {
    std::vector<int> together;
    for (int cell = 0; cell < n_cells; ++cell)
      if (end_of_level(tree, cell + 0.5) == end_of_level(tree, arc.front() + 0.5)) together.push_back(cell);
    n += together == arc ? 1 : 0;
  }
  return static_cast<double>(n) / static_cast<double>(model::state_of(model).forest->trees.size());
}

TEST(Circles, activity_between_three_and_four_is_found_as_one_hour) {
  std::mt19937_64 random(3);
  PlantedTable table(50000, 10);
  table.numbers("hour", [&](std::size_t row) {
    if (table.is_planted(row)) return 3.0;
    const auto hour = static_cast<double>(random() % 23);
    return hour < 3 ? hour : hour + 1;
  });
  const Schema schema{{{.name = "hour", .kind = Kind::cyclic, .period = 24, .step = 1}}};
  const Model model = Model::fit(table.table(), schema);
  EXPECT_GE(quality_of(table, model.score(table.table())).average_precision, 0.95);
  EXPECT_GT(share_of_trees_with_arc(model, 24, {3}), 0.9);
}

TEST(Circles, november_to_february_is_found_as_one_arc) {
  std::mt19937_64 random(3);
  PlantedTable table(50000, 12);
  table.numbers("month", [&](std::size_t row) {
    const std::vector<double> winter{10, 11, 0, 1};
    return table.is_planted(row) ? any_of(winter, random) : 2 + static_cast<double>(random() % 8);
  });
  const Schema schema{{{.name = "month", .kind = Kind::cyclic, .period = 12, .step = 1}}};
  const Model model = Model::fit(table.table(), schema);
  EXPECT_GE(quality_of(table, model.score(table.table())).average_precision, 0.95);
  EXPECT_GT(share_of_trees_with_arc(model, 12, {0, 1, 10, 11}), 0.9);
}

// Missing values

TEST(Missing, a_value_that_lacks_only_where_it_never_does_otherwise_is_found) {
  std::mt19937_64 random(4);
  PlantedTable table(50000, 10);
  std::vector<bool> is_online;
  for (std::size_t row = 0; row < table.n_rows(); ++row)
    is_online.push_back(table.is_planted(row) || random() % 2 == 0);
  // Shop sales have no delivery time; online sales always do, except for the planted ones.
  table.texts("channel", [&](std::size_t row) { return is_online[row] ? "online" : "shop"; });
  table.numbers("delivery_days", [&](std::size_t row) {
    const double days = 1 + 4 * std::generate_canonical<double, 53>(random);
    return is_online[row] && !table.is_planted(row) ? days : std::numeric_limits<double>::quiet_NaN();
  });
  table.numbers("amount", [&](std::size_t) { return std::generate_canonical<double, 53>(random); });
  for (const std::int64_t seed : {0, 1, 2}) {
    const auto scores = Model::fit(table.table(), {.seed = seed}).score(table.table());
    EXPECT_GE(quality_of(table, scores).average_precision, 0.95) << "seed " << seed;
  }
}

}  // namespace
}  // namespace pidforest
