// SPDX-License-Identifier: Apache-2.0
#include "model/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "forest/count.h"
#include "model/check_forest.h"
#include "model/roots.h"
#include "pairs/find_pairs.h"
#include "pidforest/error.h"

namespace pidforest::model {

namespace {

/// The pairs of a sample of the rows that may be rare in all `n_rows`.
pairs::RarePairs candidates_of(const State& state, const forest::Rows& sample, std::size_t n_rows) {
  const std::vector<forest::Relation>& relations = state.forest->relations;
  if (!state.options.rare_pairs || relations.empty()) return {};
  std::vector<pairs::GroupedAxis> axes;
  for (std::size_t axis = 0; axis < state.axis_order.size(); ++axis) {
    const schema::AxisInfo& info = state.encoder.axes()[state.axis_order[axis]];
    const geometry::AxisKind kind = kind_of(info, state.forest->root[axis]);
    axes.push_back({kind, kind != geometry::AxisKind::category && info.n_cells > 0});
  }
  return pairs::candidate_pairs(sample, axes, relations, n_rows);
}

/// A number that is larger for a larger double.
std::int64_t rank_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}
double of_rank(std::int64_t rank) {
  return std::bit_cast<double>(rank < 0 ? rank ^ std::numeric_limits<std::int64_t>::max() : rank);
}

/// Counts blocks of rows in trees and in cubes, on one thread.
struct BlockCounter {
  std::optional<forest::TreeCounter> trees = {};
  std::optional<reasons::CubeCounter::Block> cubes = {};

  void add(const forest::RowBlock& block, const forest::Rows& rows, std::size_t begin) {
    if (trees) trees->add(block, rows, begin);
    if (cubes) cubes->add(block, rows, begin);
  }
};

/// The run of one of `n_steps` parts of the work on some rows.
Run run_of_step(const Run& run, std::size_t step, std::size_t n_steps) {
  Run part = run;
  if (run.on_progress)
    part.on_progress = [&run, step, n_steps](const Progress& p) {
      run.on_progress({"counting", step * p.total + p.done, n_steps * p.total});
    };
  return part;
}

}  // namespace

Growth grow(const AxisSurvey& survey, const Run& run) {
  const Options& options = survey.options();
  const forest::SortedSample all_axes = survey.sample(run);
  Roots roots = make_roots(survey.encoder().axes(), survey.ranges(), survey.next(), survey.n_rows(),
                           survey.isolated(all_axes.view()));
  Growth growth{.state = {.options = options, .encoder = survey.encoder()}, .n_rows = survey.n_rows()};
  State& state = growth.state;
  const forest::ChosenRows chosen = survey.chosen(roots.axis_order);
  state.axis_order = std::move(roots.axis_order);
  const forest::SortedRows sample = all_axes.view().in_order(state.axis_order);
  forest::Ground ground{roots.axes, std::move(roots.intervals), std::move(roots.isolated),
                        views_of(state.encoder, state.axis_order)};
  state.forest =
      std::make_shared<const forest::Forest>(forest::grow_forest(chosen, sample, std::move(ground), options, run));
  state.book = std::make_shared<const forest::CodeBook>(*state.forest);
  growth.candidates = candidates_of(state, sample.rows, survey.n_rows());
  return growth;
}

ReasonSearch::ReasonSearch(const Growth& growth, const AxisSurvey& survey, const Run& run)
    : n_rows_(growth.n_rows),
      sample_([&] {
        const forest::ChosenRows chosen = survey.chosen(growth.state.axis_order);
        return forest::CopiedRows(chosen.rows, chosen.places_of(reasons::reason_sample(chosen.n_rows)));
      }()),
      search_(*growth.state.forest, *growth.state.book, sample_.rows(), run) {}

std::shared_ptr<const reasons::Reasons> ReasonSearch::collect(const reasons::MarkSets& sets) {
  reasons::Reasons reasons = search_.collect(n_rows_, sets);
  reasons.neighbours = reasons::Neighbours(reasons.parts, reasons.lines.size());
  return std::make_shared<const reasons::Reasons>(std::move(reasons));
}

RowCounts::RowCounts(const Growth& growth)
    : growth_(growth),
      are_trees_counted_(forest::counts_all_rows(growth.n_rows, growth.state.options)),
      pairs_(growth.candidates.all().size()) {
  if (are_trees_counted_)
    for (const forest::Tree& tree : growth.state.forest->trees) trees_.trees.emplace_back(tree.nodes.size());
  if (!growth.state.reasons) return;
  found_.counts.resize(growth.state.reasons->cubes.size());
  found_.neighbours = growth.state.reasons->neighbours;
}

std::size_t RowCounts::n_steps() const { return (counts_blocks() ? 1U : 0U) + (pairs_.empty() ? 0U : 1U); }

void RowCounts::add(const forest::Rows& rows, const Run& run) {
  n_rows_ += rows.n;
  if (counts_blocks()) add_blocks(rows, run_of_step(run, 0, n_steps()));
  if (!pairs_.empty()) growth_.candidates.count(rows, pairs_, run_of_step(run, n_steps() - 1, n_steps()));
}

/// Trees and cubes are counted together, because encoding a block takes as long as counting.
void RowCounts::add_blocks(const forest::Rows& rows, const Run& run) {
  using forest::RowBlock;
  const State& state = growth_.state;
  if (state.reasons && !cube_counter_)
    cube_counter_ = std::make_shared<const reasons::CubeCounter>(*state.forest, *state.book, *state.reasons);
  BlockCounter none;
  if (are_trees_counted_) none.trees.emplace(*state.forest, *state.book, state.forest->trees.size());
  if (cube_counter_) none.cubes.emplace(*cube_counter_);
  const RowBlock block(*state.book, *state.forest,
                       cube_counter_ ? RowBlock::Codes::of_all_axes : RowBlock::Codes::of_categories);
  for (const BlockCounter& own : forest::count_blocks(block, none, rows, run, "counting")) {
    if (own.trees) trees_ += own.trees->counts();
    if (own.cubes) own.cubes->add_to(found_);
  }
}

State RowCounts::finish(const forest::ChosenRows& chosen, const Run& run) const {
  State state = growth_.state;
  state.counts =
      are_trees_counted_ ? trees_ : forest::count_chosen(*state.forest, *state.book, chosen, state.options, run);
  state.tables = forest::score_tables(*state.forest, state.counts);
  if (!growth_.candidates.empty())
    state.pairs = pairs::rare_pairs(growth_.candidates, pairs_, state.forest->relations.size());
  if (!state.reasons) return state;
  reasons::Reasons reasons = *state.reasons;
  reasons.counts = found_.counts;
  reasons.neighbours = found_.neighbours;
  state.reasons = std::make_shared<const reasons::Reasons>(std::move(reasons));
  state.profile = std::make_shared<const Profile>(profile_of(chosen, state.encoder.axes(), state.axis_order));
  return state;
}

template <class Own, class Visit>
void RowCounts::for_each_sum(Own& own, const Visit& visit) {
  visit(own.n_rows_);
  for (auto& of_tree : own.trees_.trees)
    for (auto& count : of_tree) visit(count);
  for (auto& pair : own.pairs_) {
    visit(pair.first);
    visit(pair.second);
    visit(pair.both);
  }
  for (auto& count : own.found_.counts) visit(count);
}

std::size_t RowCounts::n_sums() const {
  std::size_t n = 0;
  for_each_sum(*this, [&](std::uint64_t) { ++n; });
  return n;
}

std::size_t RowCounts::n_numbers() const {
  std::size_t n = n_sums();
  for (const reasons::Neighbours::Axis& axis : found_.neighbours.axes()) n += 2 * axis.cells.size() + 1;
  return n;
}

std::vector<std::int64_t> RowCounts::numbers() const {
  std::vector<std::int64_t> numbers;
  for_each_sum(*this, [&](std::uint64_t count) { numbers.push_back(static_cast<std::int64_t>(count)); });
  for (const reasons::Neighbours::Axis& axis : found_.neighbours.axes()) {
    for (const reasons::Neighbours::Cell& cell : axis.cells) {
      numbers.push_back(rank_of(-cell.least));
      numbers.push_back(rank_of(cell.largest));
    }
    numbers.push_back(axis.has_missing ? 1 : 0);
  }
  return numbers;
}

void RowCounts::set(const std::vector<std::int64_t>& numbers) {
  if (numbers.size() != n_numbers())
    throw InvalidInput(
        fmt::format("the counts of this forest must have {} numbers; got {}.", n_numbers(), numbers.size()));
  auto next = numbers.begin();
  for_each_sum(*this, [&](std::uint64_t& count) {
    if (*next < 0) throw InvalidInput(fmt::format("counts must not be negative; got {}.", *next));
    count = static_cast<std::uint64_t>(*next++);
  });
  for (reasons::Neighbours::Axis& axis : found_.neighbours.axes()) {
    for (reasons::Neighbours::Cell& cell : axis.cells) {
      cell.least = 0.0 - of_rank(*next++);
      cell.largest = of_rank(*next++) + 0.0;
    }
    axis.has_missing = *next++ == 1;
  }
  check();
}

void RowCounts::check() const {
  if (n_rows_ != growth_.n_rows)
    throw InvalidInput(
        fmt::format("the counts must be those of all {} rows; got {} rows. The rows may have changed "
                    "since the trees were grown.",
                    growth_.n_rows, n_rows_));
  if (are_trees_counted_) check_counts(*growth_.state.forest, trees_);
  for (const std::vector<std::uint64_t>& of_tree : trees_.trees)
    if (of_tree[0] != n_rows_) throw InvalidInput("the counts of a tree must begin with the number of rows.");
  for (const pairs::RarePairs::Count& pair : pairs_)
    if (pair.both > std::min(pair.first, pair.second) || std::max(pair.first, pair.second) > n_rows_)
      throw InvalidInput("the counts of a pair must be at most those of its two groups.");
}

void append_scores(const State& state, const forest::Rows& rows, std::span<const std::size_t> places, const Run& run,
                   std::vector<double>& scores) {
  constexpr std::size_t most_values = std::size_t{1} << 22;
  constexpr std::size_t fewest_rows = 1024;
  const std::size_t step = std::max(most_values / std::max<std::size_t>(rows.columns.size(), 1), fewest_rows);
  for (std::size_t first = 0; first < places.size(); first += step) {
    const forest::CopiedRows some(rows, places.subspan(first, std::min(step, places.size() - first)));
    scores.resize(scores.size() + some.rows().n);
    score_rows(state, some.rows(), std::span(scores).last(some.rows().n), run);
  }
}

}  // namespace pidforest::model
