// SPDX-License-Identifier: Apache-2.0
// Measures how far the sparsest cube of a forest is from the sparsest of all cubes, row by row, on small tables.
//   exact_gap [FOLDER]   the generated tables, then some rows and columns of the public data sets in FOLDER
// The cubes of a forest are those of all its nodes, each with the true number of rows inside. Prints a line of Markdown
// per table: the number of settled rows, their bits, and for each preset the bits that its forest misses (mean / median
// / mean of the 10 rarest).
#include <fmt/format.h>
#include <pidforest/exact.h>
#include <pidforest/pidforest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "geometry/part.h"
#include "model/state.h"
#include "reasons/node_parts.h"
#include "schema/encoded_table.h"

namespace pidforest {
namespace {

constexpr std::array presets{"default", "paper", "authors"};
constexpr int n_seeds = 3;
constexpr double seconds_per_table = 120;
constexpr std::size_t n_rarest = 10;

struct Example {
  std::string name;
  std::size_t n_columns;
  std::vector<double> values;
  Kind kind = Kind::continuous;

  [[nodiscard]] std::size_t n_rows() const { return values.size() / n_columns; }
  [[nodiscard]] Table table() const { return Table::row_major(values, n_columns); }
  [[nodiscard]] Schema schema() const {
    Schema schema;
    const Table all = table();
    for (const Column& column : all.columns()) schema.columns.push_back({.name = column.name, .kind = kind});
    return schema;
  }
};

/// A standard normal number, the same on every machine.
double normal(std::mt19937_64& random) {
  const auto even = [&] { return (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53; };
  return std::sqrt(-2 * std::log(even())) * std::cos(2 * std::numbers::pi * even());
}

Example even_rows(std::size_t n, std::size_t d) {
  std::mt19937_64 random(1);
  Example example{fmt::format("even spread, {} x {}", n, d), d, {}};
  for (std::size_t i = 0; i < n * d; ++i) example.values.push_back(static_cast<double>(random() >> 11U) * 0x1p-53);
  return example;
}

Example normal_rows(std::size_t n, std::size_t d) {
  std::mt19937_64 random(2);
  Example example{fmt::format("normal, {} x {}", n, d), d, {}};
  for (std::size_t i = 0; i < n * d; ++i) example.values.push_back(normal(random));
  return example;
}

/// Two groups along a diagonal of the first two columns, one row off the diagonal, and columns of noise.
Example planted_rows(std::size_t n, std::size_t d) {
  std::mt19937_64 random(3);
  Example example{fmt::format("two groups and a row between, {} x {}", n, d), d, {}};
  for (std::size_t i = 0; i < n; ++i) {
    const double side = i == 0 ? 0 : i % 2 == 0 ? 4 : -4;
    example.values.push_back(side + normal(random));
    example.values.push_back((i == 0 ? 4 : side) + normal(random));
    for (std::size_t j = 2; j < d; ++j) example.values.push_back(normal(random));
  }
  return example;
}

/// A smaller version of the paper's masking experiment: corners of the cube, and rows in its middle that mask each
/// other.
Example masked_rows(std::size_t n, std::size_t d) {
  std::mt19937_64 random(4);
  Example example{fmt::format("masking, {} x {}", n, d), d, {}};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) example.values.push_back(i < n * 3 / 100 ? 0 : random() % 2 == 0 ? -1 : 1);
  return example;
}

/// Booleans, each true in an eighth of the rows.
Example boolean_rows(std::size_t n, std::size_t d) {
  std::mt19937_64 random(5);
  Example example{fmt::format("booleans, {} x {}", n, d), d, {}, Kind::boolean};
  for (std::size_t i = 0; i < n * d; ++i) example.values.push_back(random() % 8 == 0 ? 1 : 0);
  return example;
}

/// Evenly spaced rows of a public data set, and its first columns.
Example public_rows(const std::string& folder, const std::string& name, std::size_t n, std::size_t d) {
  std::ifstream file(folder + "/" + name + ".csv");
  if (!file) throw std::runtime_error("cannot open " + folder + "/" + name + ".csv");
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    rows.emplace_back();
    std::size_t begin = 0;
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t end = line.find(',', begin);
      rows.back().push_back(std::stod(line.substr(begin, end - begin)));
      begin = end + 1;
    }
  }
  Example example{fmt::format("{}, {} x {}", name, n, d), d, {}};
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<double>& row = rows[i * rows.size() / n];
    example.values.insert(example.values.end(), row.begin(), row.end());
  }
  return example;
}

/// Returns the bits of the sparsest node of the forest that contains each row. Volumes are relative to `root`.
std::vector<double> best_of_forest(const Model& model, const Table& table,
                                   const std::vector<geometry::Interval>& root) {
  const schema::EncodedTable encoded(model::state_of(model).encoder, table, {});
  const std::vector<std::size_t>& order = model::state_of(model).axis_order;
  std::vector<double> best(table.n_rows(), -std::numeric_limits<double>::infinity());
  for (const forest::Tree& tree : model::state_of(model).forest->trees)
    for (const geometry::Parts& cube : reasons::node_parts(tree)) {
      std::vector<std::size_t> inside;
      for (std::size_t row = 0; row < table.n_rows(); ++row)
        if (std::ranges::all_of(cube, [&](const geometry::Part& part) {
              return part.holds(encoded.table().columns()[order[part.axis]].number(row));
            }))
          inside.push_back(row);
      const double bits = geometry::bits_of(geometry::log2_volume(cube, root), inside.size(), table.n_rows());
      for (const std::size_t row : inside) best[row] = std::max(best[row], bits);
    }
  return best;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Returns the settled rows, ordered by decreasing bits.
std::vector<std::size_t> settled_rows(const std::vector<ExactScore>& exact) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < exact.size(); ++row)
    if (exact[row].is_optimal) rows.push_back(row);
  std::ranges::stable_sort(rows, std::greater(), [&](std::size_t row) { return exact[row].bits; });
  return rows;
}

/// Returns "2.31 / 2.30 / 3.18": the mean and median gap of all settled rows, and the mean gap of the rarest rows.
std::string gaps_of(const Example& example, const char* preset_name, const std::vector<ExactScore>& exact,
                    const std::vector<geometry::Interval>& root) {
  const std::vector<std::size_t> settled = settled_rows(exact);
  std::vector<double> gaps;
  std::vector<double> gaps_of_rarest;
  for (int seed = 0; seed < n_seeds; ++seed) {
    Options options = preset(preset_name);
    options.seed = seed;
    const Table table = example.table();
    const auto best = best_of_forest(Model::fit(table, example.schema(), options), table, root);
    for (std::size_t i = 0; i < settled.size(); ++i) {
      gaps.push_back(exact[settled[i]].bits - best[settled[i]]);
      if (i < n_rarest) gaps_of_rarest.push_back(gaps.back());
    }
  }
  if (std::ranges::min(gaps) < -1e-9) throw std::logic_error("a forest has a sparser cube than the sparsest");
  return fmt::format("{:.2f} / {:.2f} / {:.2f}", mean(gaps), median(gaps), mean(gaps_of_rarest));
}

void measure(const Example& example) {
  const Table table = example.table();
  const auto exact = exact_scores(table, example.schema(), {}, {.seconds = seconds_per_table}).rows;
  std::vector<double> optima;
  for (const std::size_t row : settled_rows(exact)) optima.push_back(exact[row].bits);
  if (optima.empty()) return;
  const Model model = Model::fit(table, example.schema());
  const auto root = model::state_of(model).forest->root;
  fmt::print("| {} | {} | {:.2f} / {:.2f} |", example.name, optima.size(), median(optima), optima.front());
  for (const char* name : presets) fmt::print(" {} |", gaps_of(example, name, exact, root));
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace pidforest

int main(int argc, char** argv) {
  using namespace pidforest;
  fmt::print(
      "| table | rows settled | sparsest: median / most | default | paper | authors |\n|---|---|---|---|---|---|\n");
  for (const Example& example : {even_rows(200, 2), even_rows(200, 4), normal_rows(200, 2), normal_rows(200, 4),
                                 normal_rows(200, 8), planted_rows(300, 4), masked_rows(300, 6), boolean_rows(300, 10)})
    measure(example);
  if (argc < 2) return 0;
  measure(public_rows(argv[1], "thyroid", 300, 4));
  measure(public_rows(argv[1], "mammography", 300, 6));
  measure(public_rows(argv[1], "vowels", 300, 4));
  measure(public_rows(argv[1], "smtp", 500, 3));
  measure(public_rows(argv[1], "seismic", 300, 7));
}
