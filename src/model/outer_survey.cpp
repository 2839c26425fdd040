// SPDX-License-Identifier: Apache-2.0
#include "model/outer_survey.h"

#include <algorithm>

#include "system/parallel.h"

namespace pidforest::model {

void LargestValues::keep_largest() {
  std::ranges::nth_element(values_, values_.begin() + static_cast<std::ptrdiff_t>(n_ - 1), std::ranges::greater{});
  values_.resize(n_);
  bar_ = values_.back();
}

std::vector<double> LargestValues::sorted() const {
  std::vector<double> sorted = values_;
  std::ranges::sort(sorted, std::ranges::greater{});
  sorted.resize(std::min(sorted.size(), n_));
  for (double& x : sorted) x += 0.0;  // turns -0 into 0
  return sorted;
}

OuterSurvey::OuterSurvey(std::span<const schema::AxisInfo> infos, std::size_t n_outer) : n_outer_(n_outer) {
  for (std::size_t axis = 0; axis < infos.size(); ++axis)
    if (infos[axis].kind == geometry::AxisKind::ordered)
      ends_.push_back({axis, LargestValues(n_outer), LargestValues(n_outer)});
}

bool OuterSurvey::Ends::may_need(const table::ColumnRange& range) const {
  return range.largest > highest.bar() || -range.least > lowest.bar();
}

void OuterSurvey::Ends::add(const Column& column, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) {
    const double x = column.number(row);
    if (x > highest.bar()) highest.add(x);
    if (-x > lowest.bar()) lowest.add(-x);
  }
}

std::vector<table::ColumnRange> OuterSurvey::add(const Table& encoded, const Run& run) {
  constexpr std::size_t stretch = 16;  // few enough for the rows to stay in the cache
  constexpr std::size_t task_rows = 16'384;
  const std::size_t n_tasks = (encoded.n_rows() + task_rows - 1) / task_rows;
  const std::vector<table::ColumnRange> no_rows(encoded.n_columns());
  std::vector<Found> by_worker(std::max(system::threads_for(run, n_tasks), 1U), Found{no_rows, empty_ends()});
  by_worker[0].ends = std::move(ends_);
  system::parallel_for(n_tasks, run, "reading columns", [&](std::size_t task, unsigned worker) {
    const std::size_t task_end = std::min((task + 1) * task_rows, encoded.n_rows());
    std::vector<table::ColumnRange> ranges;
    for (std::size_t begin = task * task_rows; begin < task_end; begin += stretch) {
      const std::size_t end = std::min(begin + stretch, task_end);
      ranges = no_rows;
      table::widen_ranges(encoded, begin, end, ranges);
      for (std::size_t axis = 0; axis < ranges.size(); ++axis) by_worker[worker].ranges[axis].merge(ranges[axis]);
      for (Ends& ends : by_worker[worker].ends)
        if (ends.may_need(ranges[ends.axis])) ends.add(encoded.columns()[ends.axis], begin, end);
    }
  });
  ends_ = std::move(by_worker[0].ends);
  for (const Found& own : std::span(by_worker).subspan(1)) {
    for (std::size_t axis = 0; axis < own.ranges.size(); ++axis) by_worker[0].ranges[axis].merge(own.ranges[axis]);
    for (std::size_t i = 0; i < own.ends.size(); ++i) {
      ends_[i].highest.merge(own.ends[i].highest);
      ends_[i].lowest.merge(own.ends[i].lowest);
    }
  }
  return std::move(by_worker[0].ranges);
}

std::vector<OuterSurvey::Ends> OuterSurvey::empty_ends() const {
  std::vector<Ends> empty;
  for (const Ends& ends : ends_) empty.push_back({ends.axis, LargestValues(n_outer_), LargestValues(n_outer_)});
  return empty;
}

const OuterSurvey::Ends* OuterSurvey::ends_of(std::size_t axis) const {
  const auto found = std::ranges::find(ends_, axis, &Ends::axis);
  return found == ends_.end() ? nullptr : &*found;
}

std::vector<double> OuterSurvey::lowest(std::size_t axis) const {
  const Ends* ends = ends_of(axis);
  std::vector<double> values = ends == nullptr ? std::vector<double>() : ends->lowest.sorted();
  for (double& x : values) x = 0.0 - x;
  return values;
}

std::vector<double> OuterSurvey::highest(std::size_t axis) const {
  const Ends* ends = ends_of(axis);
  return ends == nullptr ? std::vector<double>() : ends->highest.sorted();
}

}  // namespace pidforest::model
