// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/distributed.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "file/axis_sections.h"
#include "file/crc32c.h"
#include "file/grown_sections.h"
#include "file/options_json.h"
#include "file/pair_sections.h"
#include "file/reasons_sections.h"
#include "file/tree_sections.h"
#include "model/check_reasons.h"
#include "model/growth.h"
#include "model/state.h"
#include "model/threshold.h"
#include "parts/marks_state.h"
#include "parts/part_file.h"
#include "parts/piece.h"
#include "parts/survey_state.h"
#include "pidforest/distributed.h"
#include "pidforest/error.h"
#include "schema/encoded_table.h"

namespace pidforest {

using model::Growth;
using reasons::Lines;
using reasons::StrongMarks;

namespace {

constexpr std::string_view forest_kind = "grown forest";

/// Sections of everything but marks and reasons.
void add_growth(file::SectionWriter& file, const Growth& growth) {
  const model::State& state = growth.state;
  const forest::Forest& forest = *state.forest;
  Counts none;
  for (const forest::Tree& tree : forest.trees) none.trees.emplace_back(tree.nodes.size());
  file.add("schema", to_json(state.encoder.schema()));
  file.add("options", file::to_json(state.options));
  parts::add_number<std::uint64_t>(file, "n_rows", growth.n_rows);
  file.add_array("axis.source", state.axis_order, [](std::size_t axis) { return static_cast<std::uint32_t>(axis); });
  file::add_roots(file, std::span(&forest.root, 1));
  file::add_trees(file, forest.trees, none);
  file::add_isolated(file, forest.isolated);
  file::add_relations(file, forest.relations);
  // Candidates have no bits yet, which sections of pairs must have.
  std::vector<pairs::RarePair> candidates = growth.candidates.all();
  for (pairs::RarePair& pair : candidates) pair.n_unrelated = pair.bits = 1;
  file::add_pairs(file, {std::move(candidates), growth.n_rows});
}

pairs::RarePairs take_candidates(file::SectionReader& file, const Growth& growth) {
  std::vector<pairs::RarePair> pairs = file::read_pairs(file, growth.state.forest->root).all();
  for (pairs::RarePair& pair : pairs) pair = {.first = pair.first, .second = pair.second};
  if (pairs.empty()) return {};
  if (growth.state.forest->relations.empty()) throw BadFile("it has candidates for rare pairs without relations.");
  return {std::move(pairs), growth.n_rows};
}

Growth take_growth(file::SectionReader& file) {
  Growth growth{.state = file::read_grown(file)};
  growth.n_rows = parts::take_number<std::uint64_t>(file, "n_rows");
  if (growth.n_rows == 0) throw BadFile("it must have rows.");
  if (!growth.state.forest->own_roots.empty()) throw BadFile("its trees must share a root cube.");
  growth.state.counts = {};
  growth.candidates = take_candidates(file, growth);
  return growth;
}

std::vector<std::uint32_t> marks_of(const Lines& lines) {
  std::vector<std::uint32_t> marks = lines.marks;
  marks.push_back(lines.of_missing);
  return marks;
}

void add_marks(file::SectionWriter& file, const StrongMarks& marks) {
  file.add_array("line.n_borders", marks.lines,
                 [](const Lines& lines) { return static_cast<std::uint32_t>(lines.borders.size()); });
  std::vector<double> borders;
  std::vector<std::uint32_t> of_lines;
  for (const Lines& lines : marks.lines) {
    std::ranges::copy(lines.borders, std::back_inserter(borders));
    std::ranges::copy(marks_of(lines), std::back_inserter(of_lines));
  }
  file.add_array("line.border", borders);
  file.add_array("line.mark", of_lines);
  file.add_array("mark.number", marks.bits | std::views::keys, [](std::uint32_t mark) { return mark; });
  file.add_array("mark.bits", marks.bits | std::views::values, [](double bits) { return bits; });
}

Lines take_lines(const std::vector<double>& borders, const std::vector<std::uint32_t>& marks, const StrongMarks& all) {
  const auto is_known = [&](std::uint32_t mark) { return mark == 0 || all.bits.contains(mark); };
  if (!std::ranges::all_of(borders, [](double border) { return std::isfinite(border); }) ||
      std::ranges::adjacent_find(borders, std::ranges::greater_equal{}) != borders.end() ||
      !std::ranges::all_of(marks, is_known))
    throw BadFile("the borders of its marks must increase, with known marks between them.");
  return {.borders = borders, .marks = {marks.begin(), marks.end() - 1}, .of_missing = marks.back()};
}

StrongMarks take_marks(file::SectionReader& file, std::size_t n_axes) {
  StrongMarks marks;
  const auto number = file.take_array<std::uint32_t>("mark.number");
  const auto bits = file.take_array<double>("mark.bits");
  if (bits.size() != number.size()) throw BadFile("its arrays of marks have different lengths.");
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] == 0 || !std::isfinite(bits[i]) || !marks.bits.emplace(number[i], bits[i]).second)
      throw BadFile("its marks must have different numbers and finite bits.");
  }
  const auto n_borders = file.take_array<std::uint32_t>("line.n_borders");
  const auto border = file.take_array<double>("line.border");
  const auto mark = file.take_array<std::uint32_t>("line.mark");
  std::size_t next = 0;
  if (n_borders.size() != n_axes) throw BadFile("every axis must have lines of marks.");
  for (std::size_t axis = 0; axis < n_axes; ++axis) {
    const std::size_t n = n_borders[axis];
    const std::size_t next_mark = next + 2 * axis;
    if (n > border.size() - next || next_mark + n + 2 > mark.size()) throw BadFile("its lines of marks end too early.");
    marks.lines.push_back(take_lines(border.copy(next, next + n), mark.copy(next_mark, next_mark + n + 2), marks));
    next += n;
  }
  if (next != border.size() || next + 2 * n_axes != mark.size()) throw BadFile("it has marks that belong to no axis.");
  return marks;
}

/// Reads reasons without counts.
std::shared_ptr<const reasons::Reasons> take_reasons(file::SectionReader& file, const model::State& state) {
  std::vector<schema::AxisInfo> infos;
  for (const std::size_t axis : state.axis_order) infos.push_back(state.encoder.axes()[axis]);
  reasons::Reasons reasons = file::read_reasons(file, *state.forest);
  std::ranges::fill(reasons.counts, 0);
  if (!reasons.counts.empty()) reasons.counts[0] = 1;  // a root cube must have rows
  model::check_reasons(reasons, *state.forest, infos);
  reasons.counts[0] = 0;
  reasons.neighbours = reasons::Neighbours(reasons.parts, reasons.lines.size());
  return std::make_shared<const reasons::Reasons>(std::move(reasons));
}

}  // namespace

struct GrownForest::State {
  Growth growth;
  /// Set if the forest needs marks.
  StrongMarks marks = {};
  std::unique_ptr<const reasons::MarkFinder> finder = nullptr;
  /// The checksum of the growth without reasons.
  std::uint32_t checksum = 0;

  State(Growth grown, StrongMarks strong) : growth(std::move(grown)), marks(std::move(strong)) {
    if (marks.can_meet()) finder = std::make_unique<reasons::MarkFinder>(marks, growth.state.forest->root);
    file::SectionWriter file;
    add_growth(file, growth);
    checksum = file::crc32c(file.finish());
  }

  /// Throws InvalidInput if the survey belongs to another fit.
  void check(const Survey::State& survey) const {
    parts::check_same_fit("survey", growth.state.options, growth.state.encoder, growth.n_rows, survey.axes);
  }
};

GrownForest::GrownForest(std::shared_ptr<const State> state) : state_(std::move(state)) {}

GrownForest GrownForest::grow(const Survey& survey, const Run& run) {
  const model::AxisSurvey& axes = survey.state_->axes;
  axes.check_complete();
  Growth growth = model::grow(axes, run);
  StrongMarks marks;
  if (growth.state.options.reasons) {
    model::ReasonSearch search(growth, axes, run);
    marks = search.strong_marks();
    if (!marks.can_meet()) growth.state.reasons = search.collect({});
  }
  return GrownForest(std::make_shared<const State>(std::move(growth), std::move(marks)));
}

const Schema& GrownForest::schema() const { return state_->growth.state.encoder.schema(); }

bool GrownForest::needs_marks() const {
  return state_->growth.state.options.reasons && state_->growth.state.reasons == nullptr;
}

Marks GrownForest::marks(const Batches& rows, std::uint64_t first_row, const Run& run) const {
  if (!needs_marks()) throw InvalidInput("the forest needs no marks; its rows can be counted.");
  const model::State& state = state_->growth.state;
  auto marks = std::make_unique<Marks::State>(Marks::State{.forest = state_->checksum});
  const parts::TablePiece piece(rows, first_row);
  schema::EncodedBatches(state.encoder, piece).for_each(run, [&](const Table& batch, std::size_t begin, const Run&) {
    state_->finder->add(model::in_order(batch, state.axis_order), first_row + begin, marks->sets);
  });
  return Marks(std::move(marks));
}

GrownForest GrownForest::with_marks(const Marks& marks, const Survey& survey, const Run& run) const {
  if (marks.state_->forest != state_->checksum)
    throw InvalidInput("the marks are a part of another fit: their forest differs.");
  state_->check(*survey.state_);
  if (!needs_marks()) return *this;
  const auto is_known = [&](std::uint32_t mark) { return state_->marks.bits.contains(mark); };
  for (const auto& [set, row] : marks.state_->sets.sets())
    if (!std::ranges::all_of(set, is_known)) throw InvalidInput("the marks must be those of the forest.");
  Growth growth = state_->growth;
  model::ReasonSearch search(growth, survey.state_->axes, run);
  if (!(search.strong_marks() == state_->marks))
    throw InvalidInput("the survey must be the one that the forest was grown on; its rows differ.");
  growth.state.reasons = search.collect(marks.state_->sets);
  return GrownForest(std::make_shared<const State>(std::move(growth), StrongMarks()));
}

std::size_t GrownForest::n_counts() const { return model::RowCounts(state_->growth).n_numbers(); }
std::size_t GrownForest::n_sums() const { return model::RowCounts(state_->growth).n_sums(); }

PartCounts GrownForest::count(const Batches& rows, const Run& run) const {
  if (needs_marks()) throw InvalidInput("the forest needs marks before its rows can be counted.");
  const model::State& state = state_->growth.state;
  model::RowCounts counts(state_->growth);
  schema::EncodedBatches(state.encoder, rows).for_each(run, [&](const Table& batch, std::size_t, const Run& part) {
    counts.add(model::in_order(batch, state.axis_order), part);
  });
  return {.n_sums = counts.n_sums(), .numbers = counts.numbers()};
}

Model GrownForest::finish(const PartCounts& counts, const Survey& survey, const Run& run) const {
  if (needs_marks()) throw InvalidInput("the forest needs marks before its rows can be counted.");
  state_->check(*survey.state_);
  const model::AxisSurvey& axes = survey.state_->axes;
  axes.check_complete();
  model::RowCounts all(state_->growth);
  if (counts.n_sums != all.n_sums())
    throw InvalidInput(fmt::format("the counts must have {} sums; got {}.", all.n_sums(), counts.n_sums));
  all.set(counts.numbers);
  const forest::ChosenRows chosen = axes.chosen(state_->growth.state.axis_order);
  model::State state = all.finish(chosen, run);
  if (state.reasons) {
    std::vector<schema::AxisInfo> infos;
    for (const std::size_t axis : state.axis_order) infos.push_back(state.encoder.axes()[axis]);
    model::check_reasons(*state.reasons, *state.forest, infos);
  }
  if (state.options.contamination != Options::none) {
    std::vector<double> scores;
    model::append_scores(state, chosen.rows, chosen.places_of(forest::threshold_sample(axes.n_rows(), state.options)),
                         run, scores);
    state.threshold = model::threshold_for(std::move(scores), state.options);
  }
  return model::Access::made_of(std::move(state));
}

std::string GrownForest::to_bytes() const {
  file::SectionWriter file = parts::part_file(forest_kind);
  add_growth(file, state_->growth);
  if (needs_marks()) add_marks(file, state_->marks);
  if (state_->growth.state.reasons)
    file::add_reasons(file, *state_->growth.state.reasons, *state_->growth.state.forest);
  return file.finish(file::current_format);
}

GrownForest GrownForest::from_bytes(std::string_view bytes) {
  return parts::read_part(bytes, forest_kind, [](file::SectionReader& file) {
    Growth growth = take_growth(file);
    StrongMarks marks;
    if (file.has("cube.count")) {
      if (!growth.state.options.reasons) throw BadFile("it has reasons, although its option reasons is off.");
      growth.state.reasons = take_reasons(file, growth.state);
    } else if (growth.state.options.reasons) {
      marks = take_marks(file, growth.state.axis_order.size());
      if (!marks.can_meet()) throw BadFile("it must have marks on two axes, or reasons.");
    }
    return GrownForest(std::make_shared<const State>(std::move(growth), std::move(marks)));
  });
}

PartCounts& PartCounts::operator+=(const PartCounts& other) {
  if (other.n_sums != n_sums || other.numbers.size() != numbers.size())
    throw InvalidInput(fmt::format("the counts belong to another forest: they have {} numbers instead of {}.",
                                   other.numbers.size(), numbers.size()));
  std::vector<std::int64_t> merged = numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i >= n_sums)
      merged[i] = std::max(numbers[i], other.numbers[i]);
    else if (__builtin_add_overflow(numbers[i], other.numbers[i], &merged[i]))
      throw InvalidInput(
          fmt::format("the sum of counts must be below 2^63; got {} and {}.", numbers[i], other.numbers[i]));
  }
  numbers = std::move(merged);
  return *this;
}

}  // namespace pidforest
