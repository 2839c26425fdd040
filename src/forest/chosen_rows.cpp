// SPDX-License-Identifier: Apache-2.0
#include "forest/chosen_rows.h"

#include <algorithm>

#include "forest/random.h"

namespace pidforest::forest {

std::vector<std::size_t> ChosenRows::places_of(std::vector<std::size_t> wanted) const {
  if (numbers.empty()) return wanted;
  auto from = numbers.begin();
  for (std::size_t& row : wanted) {
    from = std::lower_bound(from, numbers.end(), row);
    row = static_cast<std::size_t>(from - numbers.begin());
  }
  return wanted;
}

std::vector<std::size_t> tree_sample(std::size_t n_rows, const Options& options, std::size_t tree) {
  return sample_without_replacement(n_rows, static_cast<std::size_t>(options.max_samples),
                                    static_cast<std::uint64_t>(options.seed),
                                    {.purpose = Purpose::sample_rows, .tree = static_cast<std::uint32_t>(tree)});
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

std::vector<std::size_t> rows_to_draw(std::size_t n_rows, const Options& options) {
  std::vector<std::size_t> rows;
  const auto add = [&](const std::vector<std::size_t>& more) { rows.insert(rows.end(), more.begin(), more.end()); };
  for (std::size_t tree = 0; tree < static_cast<std::size_t>(options.n_estimators); ++tree)
    add(tree_sample(n_rows, options, tree));
  if (!counts_all_rows(n_rows, options) && options.count_rows != Options::own_sample)
    add(count_sample(n_rows, options));
  if (options.contamination != Options::none) add(threshold_sample(n_rows, options));
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace pidforest::forest
