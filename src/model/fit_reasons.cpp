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
  std::vector<std::uint64_t> counts(found.cubes.size());
  reasons::Neighbours neighbours(found.parts, state.axis_order.size());
  const reasons::CubeCounter counter(*state.forest, *state.book, found);
  pass([&](const forest::Rows& rows, const Run& part) {
    counter.add(rows, counts, part);
    neighbours.add(rows, part);
  });
  found.counts = std::move(counts);
  found.neighbours = std::move(neighbours);
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

/// Some rows of a table, copied by axis.
forest::ChosenRows rows_at(const State& state, const schema::EncodedBatches& encoded, std::vector<std::size_t> numbers,
                           std::vector<std::vector<double>>& values, const Run& run) {
  values.resize(state.axis_order.size());
  std::size_t next = 0;
  encoded.for_each(run, [&](const Table& batch, std::size_t begin, const Run&) {
    const forest::Rows rows = in_order(batch, state.axis_order);
    for (; next < numbers.size() && numbers[next] < begin + rows.n; ++next)
      for (std::size_t axis = 0; axis < values.size(); ++axis)
        values[axis].push_back(rows.columns[axis][numbers[next] - begin]);
  });
  forest::ChosenRows chosen{.n_rows = encoded.n_rows(), .numbers = std::move(numbers)};
  chosen.rows.n = chosen.numbers.size();
  for (const std::vector<double>& some : values) chosen.rows.columns.push_back({some.data()});
  return chosen;
}

}  // namespace

std::shared_ptr<const Reasons> find_reasons(const State& state, const schema::EncodedBatches& encoded,
                                            const forest::ChosenRows& chosen, const Run& run) {
  const forest::CopiedRows sample(chosen.rows, chosen.places_of(reasons::reason_sample(chosen.n_rows)));
  return collected_and_counted(state, sample.rows(), chosen.n_rows, pass_over(state, encoded, run), run);
}

std::shared_ptr<const Reasons> find_reasons(const State& state, const forest::Rows& rows, const Run& run) {
  const forest::CopiedRows sample(rows, reasons::reason_sample(rows.n));
  return collected_and_counted(state, sample.rows(), rows.n, [&](const auto& visit) { visit(rows, run); }, run);
}

std::shared_ptr<const Reasons> count_reasons(const State& state, const schema::EncodedBatches& encoded,
                                             const Run& run) {
  if (state.reasons) return counted(*state.reasons, state, pass_over(state, encoded, run));
  std::vector<std::vector<double>> values;
  return find_reasons(state, encoded, rows_at(state, encoded, reasons::reason_sample(encoded.n_rows()), values, run),
                      run);
}

}  // namespace pidforest::model
