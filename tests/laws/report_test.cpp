// SPDX-License-Identifier: Apache-2.0
// The laws of reports: a report shows what a direct computation on the rows gives, independent of batches.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pidforest/table.h"
#include "random_table.h"
#include "report/report_data.h"

namespace pidforest {
namespace {

using report::ReportData;
using report::to_html;

/// A model and its scores of the rows on which it was fitted.
struct Reported {
  OwnedTable owned = any_table();
  Model model = owned.fit(any_options());
  std::vector<double> bits = model.score(owned.table());
  ReportOptions options = {.min_bits = threshold()};

  /// Chosen so that usually some rows are anomalies.
  [[nodiscard]] double threshold() const {
    std::vector<double> sorted = bits;
    std::ranges::sort(sorted);
    return sorted[sorted.size() * 3 / 4];
  }
  [[nodiscard]] ReportData describe(const Batches& rows, unsigned threads = 0) const {
    Explainer explainer(model, rows);
    return report::describe(explainer, Scores{.rows = rows, .scored = rows, .bits = bits}, options,
                            {.threads = threads});
  }
  [[nodiscard]] ReportData describe() const {
    const Table table = owned.table();
    return describe(table);
  }
};

std::uint64_t sum_of(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

RC_GTEST_PROP(Report, every_row_is_in_one_bar_of_each_axis_or_lacks_it, ()) {
  const Reported reported;
  const ReportData data = reported.describe();
  for (const ReportData::Axis& axis : data.axes) {
    RC_ASSERT(sum_of(axis.bars) + axis.n_missing == reported.owned.n_rows());
    RC_ASSERT(axis.levels.empty() || axis.levels.size() == axis.bars.size());
    for (const ReportData::Tick& tick : axis.ticks) RC_ASSERT(tick.at >= 0 && tick.at <= 1);
  }
  RC_ASSERT(sum_of(data.scores.axis.bars) == reported.owned.n_rows());
}

RC_GTEST_PROP(Report, a_row_lies_where_its_conditions_are_shaded, ()) {
  const Reported reported;
  const ReportData data = reported.describe();
  RC_ASSERT(!data.rows.empty());
  for (const ReportData::Row& row : data.rows)
    for (const ReportData::Condition& condition : row.conditions) {
      constexpr double slack = 1e-9;
      const bool is_shaded = std::ranges::any_of(condition.spans, [&](const auto& span) {
        return condition.at && *condition.at >= span.first - slack && *condition.at <= span.second + slack;
      });
      RC_ASSERT((condition.holds_missing ? !condition.at.has_value() : is_shaded));
    }
}

RC_GTEST_PROP(Report, its_anomalies_are_the_rows_beyond_the_threshold_rarest_first, ()) {
  const Reported reported;
  const ReportData data = reported.describe();
  const auto is_beyond = [&](double bits) { return bits >= *reported.options.min_bits; };
  const auto n = static_cast<std::uint64_t>(std::ranges::count_if(reported.bits, is_beyond));
  RC_ASSERT(data.n_anomalies == n);
  std::uint64_t n_in_incidents = 0;
  for (const ReportData::Incident& incident : data.incidents) n_in_incidents += incident.n_anomalies;
  RC_ASSERT(n_in_incidents == n);
  RC_ASSERT(std::ranges::is_sorted(data.rows, std::ranges::greater{}, &ReportData::Row::bits));
  for (const ReportData::Row& row : data.rows) {
    RC_ASSERT(row.bits == reported.bits[row.row - 1]);
    RC_ASSERT(row.is_anomaly == is_beyond(row.bits));
    RC_ASSERT((row.incident != ReportData::none) == row.is_anomaly);
  }
}

RC_GTEST_PROP(Report, impostors_are_other_rows_that_meet_the_conditions, ()) {
  const Reported reported;
  const ReportData data = reported.describe();
  const Table table = reported.owned.table();
  Explainer explainer(reported.model, table);
  const Explanations explained = explainer.explain(table);
  for (const ReportData::Row& row : data.rows) {
    const Witness& witness = explained.witnesses[explained.witness_of[row.row - 1]];
    if (witness.conditions.empty()) continue;
    const std::vector<bool> inside = RowFilter(reported.model.schema(), witness.conditions).matches(table);
    RC_ASSERT(row.n_impostors + 1 == static_cast<std::uint64_t>(std::ranges::count(inside, true)));
    RC_ASSERT(row.impostors.size() == std::min<std::size_t>(5, row.n_impostors));
    for (const std::uint64_t impostor : row.impostors) RC_ASSERT(impostor != row.row && inside[impostor - 1]);
  }
}

RC_GTEST_PROP(Report, pairs_hold_every_row_that_has_both, ()) {
  const Reported reported;
  const ReportData data = reported.describe();
  for (const ReportData::Pair& pair : data.pairs) {
    RC_ASSERT(pair.x_axis < pair.y_axis);
    RC_ASSERT(pair.points.size() + pair.n_missing == reported.owned.n_rows());
  }
  for (const ReportData::Row& row : data.rows) {
    if (row.pair == ReportData::none) continue;
    const ReportData::Pair& pair = data.pairs[row.pair];
    for (const std::size_t axis : {pair.x_axis, pair.y_axis})
      RC_ASSERT(std::ranges::find(row.conditions, axis, &ReportData::Condition::axis) != row.conditions.end());
  }
}

RC_GTEST_PROP(Report, says_so_if_pairs_are_left_out, ()) {
  Reported reported;
  const std::size_t n_pairs = reported.describe().pairs.size();
  reported.options.most_pairs = 1;
  const ReportData data = reported.describe();
  RC_ASSERT(data.pairs.size() == std::min<std::size_t>(n_pairs, 1));
  const auto is_said = [](const std::string& note) { return note.find("Only the first 1 pairs") != std::string::npos; };
  RC_ASSERT(std::ranges::any_of(data.notes, is_said) == (n_pairs > 1));
}

RC_GTEST_PROP(Report, is_the_same_page_for_any_threads_and_batches, ()) {
  const Reported reported;
  const Table table = reported.owned.table();
  TableStore store({.batch_rows = 7});
  for (std::size_t row = 0; row < table.n_rows(); row += 3)
    store.append(table.rows(row, std::min(row + 3, table.n_rows())));
  RC_ASSERT(to_html(reported.describe(table, 1)) == to_html(reported.describe(store, 3)));
}

}  // namespace
}  // namespace pidforest
