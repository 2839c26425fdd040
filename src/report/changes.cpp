// SPDX-License-Identifier: Apache-2.0
#include "report/changes.h"

#include "values/excerpt.h"

namespace pidforest::report {

ReportData::Changes changes_of(const TableComparison& comparison) {
  constexpr std::size_t most_changes = 100;
  constexpr std::size_t longest_words = 300;
  ReportData::Changes changes{.n_then = comparison.n_then,
                              .n_now = comparison.n_now,
                              .n_columns = comparison.columns.size(),
                              .n_changed = comparison.n_changed(),
                              .anomalies_now = comparison.anomalies_now};
  for (const ColumnChange& one : comparison.columns)
    if (one.is_changed && changes.columns.size() < most_changes)
      changes.columns.push_back({.name = values::excerpt(one.column),
                                 .words = values::excerpt(one.words, longest_words),
                                 .missing_then = one.missing_then,
                                 .missing_now = one.missing_now,
                                 .p = one.p});
  return changes;
}

}  // namespace pidforest::report
