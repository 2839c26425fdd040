// SPDX-License-Identifier: Apache-2.0
#include "forest/chosen_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "forest/random.h"
#include "geometry/outermost.h"
#include "pidforest/error.h"
#include "system/parallel.h"

namespace pidforest::forest {

namespace {

/// The union of samples. Memory is proportional to the number of different rows, whatever the size of the table.
class DrawnRows {
 public:
  explicit DrawnRows(std::size_t n_rows) : n_rows_(n_rows) {}

  void add(const std::vector<std::size_t>& rows) {
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    if (rows_.size() >= 2 * n_different_ + fewest_to_sort) drop_repeats();
  }
  [[nodiscard]] bool are_all() const { return n_different_ == n_rows_; }
  [[nodiscard]] std::vector<std::size_t> sorted() {
    drop_repeats();
    return std::move(rows_);
  }

 private:
  static constexpr std::size_t fewest_to_sort = 65'536;

  void drop_repeats() {
    std::ranges::sort(rows_);
    rows_.erase(std::ranges::unique(rows_).begin(), rows_.end());
    n_different_ = rows_.size();
  }

  std::size_t n_rows_;
  std::vector<std::size_t> rows_;
  /// The number of different rows when repeats were last dropped.
  std::size_t n_different_ = 0;
};

}  // namespace

std::vector<std::size_t> ChosenRows::places_of(std::vector<std::size_t> wanted) const {
  if (numbers.empty()) return wanted;
  auto from = numbers.begin();
  for (std::size_t& row : wanted) {
    from = std::lower_bound(from, numbers.end(), row);
    row = static_cast<std::size_t>(from - numbers.begin());
  }
  return wanted;
}

CopiedRows::CopiedRows(const Rows& rows, std::span<const std::size_t> chosen)
    : values_(std::make_unique_for_overwrite<double[]>(rows.columns.size() * chosen.size())), rows_{chosen.size(), {}} {
  constexpr std::size_t most_columns = 8;  // their values in a row are in one or two lines of memory as a rule
  for (std::size_t axis = 0; axis < rows.columns.size(); ++axis)
    rows_.columns.push_back({values_.get() + axis * chosen.size(), 1});
  for (std::size_t first = 0; first < rows.columns.size(); first += most_columns) {
    const std::size_t end = std::min(first + most_columns, rows.columns.size());
    for (std::size_t i = 0; i < chosen.size(); ++i)
      for (std::size_t axis = first; axis < end; ++axis)
        values_[axis * chosen.size() + i] = rows.columns[axis][chosen[i]];
  }
}

SortedRows SortedRows::in_order(std::span<const std::size_t> columns) const {
  SortedRows ordered{.rows = {.n = rows.n, .columns = {}}};
  for (const std::size_t column : columns) {
    ordered.rows.columns.push_back(rows.columns[column]);
    ordered.sorted.push_back(sorted[column]);
  }
  return ordered;
}

SortedSample::SortedSample(const Rows& rows, std::span<const std::size_t> chosen, const Run& run)
    : copied_(rows, chosen), sorted_(rows.columns.size()), view_{.rows = copied_.rows()} {
  system::parallel_for(sorted_.size(), run, "sorting columns", [&](std::size_t column, unsigned) {
    const double* values = copied_.rows().columns[column].first;
    std::copy_if(values, values + chosen.size(), std::back_inserter(sorted_[column]),
                 [](double x) { return !std::isnan(x); });
    geometry::sort_up(sorted_[column]);
  });
  for (const std::vector<double>& values : sorted_) view_.sorted.emplace_back(values);
}

std::vector<std::size_t> tree_sample(std::size_t n_rows, const Options& options, std::size_t tree) {
  return sample_without_replacement(n_rows, static_cast<std::size_t>(options.max_samples),
                                    static_cast<std::uint64_t>(options.seed),
                                    {.purpose = Purpose::sample_rows, .tree = static_cast<std::uint32_t>(tree)});
}

std::vector<std::size_t> first_samples(std::size_t n_rows, const Options& options) {
  constexpr std::int64_t most_trees = 8;
  std::vector<std::size_t> rows;
  for (std::int64_t tree = 0; tree < std::min(options.n_estimators, most_trees); ++tree) {
    const auto sample = tree_sample(n_rows, options, static_cast<std::size_t>(tree));
    rows.insert(rows.end(), sample.begin(), sample.end());
  }
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  return rows;
}

std::vector<std::size_t> count_sample(std::size_t n_rows, const Options& options) {
  return sample_without_replacement(n_rows, static_cast<std::size_t>(options.count_rows),
                                    static_cast<std::uint64_t>(options.seed), {.purpose = Purpose::count_rows});
}

bool counts_all_rows(std::size_t n_rows, const Options& options) {
  if (options.count_rows == Options::own_sample) return false;
  return options.count_rows == Options::all_rows || static_cast<std::size_t>(options.count_rows) >= n_rows;
}

std::vector<std::size_t> threshold_sample(std::size_t n_rows, const Options& options) {
  constexpr std::size_t most = std::size_t{1} << 16U;
  return sample_without_replacement(n_rows, most, static_cast<std::uint64_t>(options.seed),
                                    {.purpose = Purpose::threshold_rows});
}

std::vector<std::size_t> rows_to_draw(std::size_t n_rows, const Options& options, const Run& run) {
  DrawnRows drawn(n_rows);
  if (!counts_all_rows(n_rows, options) && options.count_rows != Options::own_sample)
    drawn.add(count_sample(n_rows, options));
  for (std::size_t tree = 0; tree < static_cast<std::size_t>(options.n_estimators) && !drawn.are_all(); ++tree) {
    if (run.cancel != nullptr && run.cancel->load()) throw Cancelled();
    drawn.add(tree_sample(n_rows, options, tree));
  }
  return drawn.sorted();
}

}  // namespace pidforest::forest
