// SPDX-License-Identifier: Apache-2.0
// Declared in report/shown_rows.h.
#include <algorithm>
#include <unordered_map>

#include "report/shown_rows.h"
#include "system/parallel.h"

namespace pidforest::report {

namespace {

/// One more than are shown: the row itself may be among them.
constexpr std::size_t most_looked_for = 6;

/// The witnesses of some rows, each once, and which is whose.
struct Distinct {
  std::vector<RowFilter> filters;
  /// As many as are looked for of those that each holds; none of one that holds its own row alone.
  std::vector<std::size_t> n_wanted;
  std::vector<std::size_t> of_row;
};

Distinct distinct_witnesses(const std::vector<ShownRow>& rows, const Schema& schema) {
  Distinct distinct;
  std::unordered_map<std::string, std::size_t> places;
  for (const ShownRow& row : rows) {
    const auto [place, is_new] = places.try_emplace(to_json(row.witness.conditions), distinct.filters.size());
    if (is_new) {
      const bool has_others = !row.witness.conditions.empty() && row.witness.n_inside > 1;
      distinct.filters.emplace_back(schema, row.witness.conditions);
      distinct.n_wanted.push_back(has_others ? std::min<std::size_t>(row.witness.n_inside, most_looked_for) : 0);
    }
    distinct.of_row.push_back(place->second);
  }
  return distinct;
}

using Numbers = std::vector<std::uint64_t>;

/// The first of the scored rows that each filter holds.
std::vector<Numbers> first_inside(const Distinct& witnesses, const Batches& scored, const Run& run) {
  constexpr std::size_t block = 16'384;  // most witnesses have all that is wanted of them long before the last row
  std::vector<Numbers> inside(witnesses.filters.size());
  std::uint64_t first = 0;
  scored.for_each([&](const Table& batch) {
    system::parallel_for(inside.size(), run, "finding impostors", [&](std::size_t i, unsigned) {
      const std::size_t n_wanted = witnesses.n_wanted[i];
      for (std::size_t begin = 0; begin < batch.n_rows() && inside[i].size() < n_wanted; begin += block) {
        const Table some = batch.rows(begin, std::min(begin + block, batch.n_rows()));
        const std::vector<bool> matches = witnesses.filters[i].matches(some);
        for (std::size_t row = 0; row < matches.size() && inside[i].size() < n_wanted; ++row)
          if (matches[row]) inside[i].push_back(first + begin + row);
      }
    });
    first += batch.n_rows();
  });
  return inside;
}

/// The first row of the table that has its score from each of some scored ones.
std::unordered_map<std::uint64_t, std::uint64_t> rows_of(const std::vector<Numbers>& scored, const ScoredTable& table) {
  std::unordered_map<std::uint64_t, std::uint64_t> rows;
  for (const Numbers& some : scored)
    for (const std::uint64_t number : some) rows[number] = table.scored_rows.empty() ? number : table.bits.size();
  for (std::size_t row = table.scored_rows.size(); row-- > 0;)
    if (const auto found = rows.find(table.scored_rows[row]); found != rows.end()) found->second = row;
  return rows;
}

}  // namespace

std::vector<Numbers> impostors_of(const std::vector<ShownRow>& rows, const Model& model, const ScoredTable& table,
                                  const Listing& listing, const Run& run) {
  const Distinct distinct = distinct_witnesses(rows, model.schema());
  const std::vector<Numbers> inside = first_inside(distinct, table.scored, run);
  const auto row_of = rows_of(inside, table);
  std::vector<Numbers> impostors(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].witness.conditions.empty()) continue;
    const FoundRow& found = listing.found[listing.shown[i]];
    for (const std::uint64_t number : inside[distinct.of_row[i]])
      if (number != found.scored && row_of.at(number) < table.bits.size() && impostors[i].size() + 1 < most_looked_for)
        impostors[i].push_back(row_of.at(number));
  }
  return impostors;
}

}  // namespace pidforest::report
