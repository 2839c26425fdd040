// SPDX-License-Identifier: Apache-2.0
// The metrics that columns are made of, and times of incidents as text.
// Declared in pidforest/incidents.h.
#include <algorithm>
#include <string>

#include "pidforest/incidents.h"
#include "schema/times.h"
#include "values/time.h"
#include "values/time_text.h"

namespace pidforest {

namespace {

/// Whether a column of windows that begins with the name of a metric, or of its difference from the usual, is made of
/// it.
bool is_of_metric(std::string_view column, std::string_view metric) {
  for (const std::string_view form : {"mean of ", "deviation of ", "rise of "})
    if (column.starts_with(form)) {
      column.remove_prefix(form.size());
      break;
    }
  return column.starts_with(metric) && (column.size() == metric.size() || column[metric.size()] == ' ');
}

}  // namespace

std::string metric_of(std::string_view column, std::span<const std::string> metrics) {
  const std::string* longest = nullptr;
  for (const std::string& metric : metrics) {
    if (column == metric) return metric;
    if (is_of_metric(column, metric) && (longest == nullptr || metric.size() > longest->size())) longest = &metric;
  }
  return longest != nullptr ? *longest : std::string(column);
}

std::vector<Blame> blame_of(std::span<const ColumnBits> columns, const Schema& schema,
                            std::span<const std::string> metrics) {
  std::vector<Blame> blame;
  for (const ColumnBits& one : columns) {
    const std::string metric = metric_of(schema.columns[one.column].name, metrics);
    const auto found = std::ranges::find(blame, metric, &Blame::metric);
    if (found == blame.end())
      blame.push_back({.metric = metric, .bits = one.bits});
    else
      found->bits = std::max(found->bits, one.bits);
  }
  return blame;
}

std::string time_in_words(std::int64_t time, const ColumnSchema& column) {
  return values::date_time_text(schema::TimeReader(column).local(time), ' ', values::Fractions::exact);
}

std::string time_in_utc(std::int64_t time) {
  std::string text = values::date_time_text(time, 'T', values::Fractions::exact);
  constexpr std::size_t length_to_minutes = 16;
  if (text.size() == length_to_minutes) text += ":00";
  return text + 'Z';
}

}  // namespace pidforest
