// SPDX-License-Identifier: Apache-2.0
#include "model/fit_reasons.h"

#include <functional>
#include <utility>
#include <vector>

namespace pidforest::model {

using reasons::Reasons;

namespace {

/// Visits all rows, some at a time, each time with the run of that part.
using Pass = std::function<void(const std::function<void(const forest::Rows& rows, const Run& part)>& visit)>;

Pass pass_over(const State& state, const schema::EncodedBatches& encoded, const Run& run) {
  return [&state, &encoded, run](const auto& visit) {
    encoded.for_each(
        run, [&](const Table& batch, std::size_t, const Run& part) { visit(in_order(batch, state.axis_order), part); });
  };
}

/// Replaces the counts and neighbours by those of all rows.
std::shared_ptr<const Reasons> counted(Reasons found, const State& state, const Pass& pass) {
  const reasons::CubeCounter counter(*state.forest, *state.book, found);
  reasons::CubeCounter::Found of_rows = counter.none();
  pass([&](const forest::Rows& rows, const Run& part) { counter.add(rows, of_rows, part); });
  found.counts = std::move(of_rows.counts);
  found.neighbours = std::move(of_rows.neighbours);
  return std::make_shared<const Reasons>(std::move(found));
}

/// `sample` is a sample of the `n_rows` rows of the pass.
std::shared_ptr<const Reasons> collected_and_counted(const State& state, const forest::Rows& sample, std::size_t n_rows,
                                                     const Pass& pass, const Run& run) {
  const reasons::RowSource all_rows = [&](const std::function<void(const forest::Rows&)>& visit) {
    pass([&](const forest::Rows& rows, const Run&) { visit(rows); });
  };
  return counted(reasons::collect_reasons(*state.forest, *state.book, sample, n_rows, all_rows, run), state, pass);
}

/// Some rows of a table, given by increasing numbers, copied to `values` by axis.
forest::Rows rows_at(const State& state, const schema::EncodedBatches& encoded, const std::vector<std::size_t>& numbers,
                     std::vector<std::vector<double>>& values, const Run& run) {
  values.resize(state.axis_order.size());
  std::size_t next = 0;
  encoded.for_each(run, [&](const Table& batch, std::size_t begin, const Run&) {
    const forest::Rows rows = in_order(batch, state.axis_order);
    for (; next < numbers.size() && numbers[next] < begin + rows.n; ++next)
      for (std::size_t axis = 0; axis < values.size(); ++axis)
        values[axis].push_back(rows.columns[axis][numbers[next] - begin]);
  });
  forest::Rows copied{.n = numbers.size(), .columns = {}};
  for (const std::vector<double>& some : values) copied.columns.push_back({some.data()});
  return copied;
}

}  // namespace

std::shared_ptr<const Reasons> find_reasons(const State& state, const forest::Rows& rows, const Run& run) {
  const forest::CopiedRows sample(rows, reasons::reason_sample(rows.n));
  return collected_and_counted(state, sample.rows(), rows.n, [&](const auto& visit) { visit(rows, run); }, run);
}

std::shared_ptr<const Reasons> count_reasons(const State& state, const schema::EncodedBatches& encoded,
                                             const Run& run) {
  if (state.reasons) return counted(*state.reasons, state, pass_over(state, encoded, run));
  std::vector<std::vector<double>> values;
  const forest::Rows sample = rows_at(state, encoded, reasons::reason_sample(encoded.n_rows()), values, run);
  return collected_and_counted(state, sample, encoded.n_rows(), pass_over(state, encoded, run), run);
}

}  // namespace pidforest::model
