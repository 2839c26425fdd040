// SPDX-License-Identifier: Apache-2.0
#include "explain/impostors.h"

#include <algorithm>
#include <unordered_map>

#include "system/parallel.h"

namespace pidforest::explain {

namespace {

using Numbers = std::vector<std::uint64_t>;

/// The first rows of a table that each witness holds, at most `most`.
std::vector<Numbers> first_inside(const Schema& schema, const Batches& rows, const std::vector<Witness>& witnesses,
                                  std::size_t most, const Run& run) {
  constexpr std::size_t block = 16'384;  // most witnesses have all their impostors long before the last row
  std::vector<RowFilter> filters;
  for (const Witness& witness : witnesses) filters.emplace_back(schema, witness.conditions);
  std::vector<Numbers> inside(witnesses.size());
  std::uint64_t first = 0;
  rows.for_each([&](const Table& batch) {
    system::parallel_for(inside.size(), run, "finding impostors", [&](std::size_t i, unsigned) {
      for (std::size_t begin = 0; begin < batch.n_rows() && inside[i].size() < most; begin += block) {
        const std::vector<bool> matches =
            filters[i].matches(batch.rows(begin, std::min(begin + block, batch.n_rows())));
        for (std::size_t row = 0; row < matches.size() && inside[i].size() < most; ++row)
          if (matches[row]) inside[i].push_back(first + begin + row);
      }
    });
    first += batch.n_rows();
  });
  return inside;
}

/// The first row that takes its score from each of some windows; windows that give no row a score are left out.
std::unordered_map<std::uint64_t, std::uint64_t> rows_of(const std::vector<Numbers>& windows, const Scores& scores) {
  std::unordered_map<std::uint64_t, std::uint64_t> rows;
  for (const Numbers& some : windows)
    for (const std::uint64_t window : some) rows[window] = scores.bits.size();
  for (std::size_t row = scores.windows.size(); row-- > 0;)
    if (const auto found = rows.find(scores.windows[row]); found != rows.end()) found->second = row;
  std::erase_if(rows, [&](const auto& one) { return one.second == scores.bits.size(); });
  return rows;
}

}  // namespace

void find_impostors(const Explainer& explainer, const Scores& scores, std::size_t most, Findings& found,
                    const Run& run) {
  const Batches& rows = explainer.reference() != nullptr ? *explainer.reference() : scores.scored;
  const bool is_own_table = &rows == &scores.scored;
  const bool are_windows = is_own_table && !scores.windows.empty();
  // One more, as the row itself may be among them.
  const std::vector<Numbers> inside =
      first_inside(explainer.model().schema(), rows, found.witnesses, most + (is_own_table ? 1 : 0), run);
  const auto row_of_window = are_windows ? rows_of(inside, scores) : std::unordered_map<std::uint64_t, std::uint64_t>{};
  for (Finding& finding : found.rows) {
    Numbers& impostors = finding.impostors.emplace();
    for (const std::uint64_t number : inside[finding.witness]) {
      if (impostors.size() == most) break;
      if (is_own_table && number == scores.scored_row(finding.row)) continue;
      if (!are_windows)
        impostors.push_back(number);
      else if (const auto row = row_of_window.find(number); row != row_of_window.end())
        impostors.push_back(row->second);
    }
  }
}

}  // namespace pidforest::explain
