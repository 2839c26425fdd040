// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/distributed.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "file/grown_sections.h"
#include "file/options_json.h"
#include "forest/chosen_rows.h"
#include "parts/part_file.h"
#include "parts/piece.h"
#include "parts/survey_state.h"
#include "pidforest/distributed.h"
#include "pidforest/error.h"
#include "schema/encoded_table.h"

namespace pidforest {

namespace {

using Found = model::AxisSurvey::Found;

constexpr std::string_view survey_kind = "survey";
/// Counts of rows are exact as doubles and as signed numbers.
constexpr std::uint64_t most_rows = std::uint64_t{1} << 53;

/// The drawn rows travel to one machine.
void check_draws(std::uint64_t n_rows, const Options& options) {
  constexpr std::uint64_t most_draws = std::uint64_t{1} << 24U;
  const auto n_trees = static_cast<std::uint64_t>(options.n_estimators);
  const std::uint64_t n_samples = std::min<std::uint64_t>(static_cast<std::uint64_t>(options.max_samples), n_rows);
  if (n_samples > most_draws / n_trees)
    throw InvalidOption(
        fmt::format("n_estimators times max_samples must be at most {} in a fit in parts, whose drawn rows travel to "
                    "one machine; got {} times {}.",
                    most_draws, n_trees, options.max_samples));
  const bool counts_some = options.count_rows > 0 && static_cast<std::uint64_t>(options.count_rows) < n_rows;
  if (counts_some && static_cast<std::uint64_t>(options.count_rows) > most_draws)
    throw InvalidOption(fmt::format(
        "count_rows must be all, sample or at most {} in a fit in parts, whose drawn rows travel to one machine; got "
        "{}.",
        most_draws, options.count_rows));
}

model::AxisSurvey new_survey(const Schema& schema, std::uint64_t n_rows, const Options& options) {
  if (n_rows == 0) throw InvalidInput("the table has no rows; fitting requires at least one.");
  if (n_rows > most_rows) throw InvalidInput(fmt::format("a table must have at most 2^53 rows; got {}.", n_rows));
  if (schema.columns.empty()) throw InvalidInput("the table has no columns; fitting requires at least one.");
  validate(schema);
  const std::vector<std::uint64_t> drawn = rows_to_draw(n_rows, options);
  return {schema::Encoder(schema), n_rows, options, {drawn.begin(), drawn.end()}};
}

/// All values of some vectors, and the size of each.
void add_vectors(file::SectionWriter& file, std::string_view sizes, std::string_view values,
                 const std::vector<std::vector<double>>& vectors) {
  std::vector<double> all;
  for (const std::vector<double>& one : vectors) all.insert(all.end(), one.begin(), one.end());
  file.add_array(sizes, vectors, [](const auto& one) { return static_cast<std::uint64_t>(one.size()); });
  file.add_array(values, all);
}

std::vector<std::vector<double>> take_vectors(file::SectionReader& file, std::string_view sizes,
                                              std::string_view values, std::size_t n) {
  const auto size = file.take_array<std::uint64_t>(sizes);
  const auto all = file.take_array<double>(values);
  std::vector<std::vector<double>> vectors;
  std::size_t next = 0;
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (size[i] > all.size() - next) throw BadFile(fmt::format("its section '{}' ends too early.", values));
    vectors.push_back(all.copy(next, next + size[i]));
    next += size[i];
  }
  if (vectors.size() != n || next != all.size())
    throw BadFile(fmt::format("its section '{}' must have the values of {} axes.", values, n));
  return vectors;
}

/// Whether a number can be a value of the axis.
bool is_value(const schema::AxisInfo& info, double x) {
  if (info.kind == geometry::AxisKind::category)
    return x >= 0 && x <= static_cast<double>(info.n_cells) && x == std::floor(x);
  if (info.kind == geometry::AxisKind::cyclic) return x >= 0 && x < info.period;
  return std::isfinite(x) && (info.n_cells == 0 || x - std::floor(x) == 0.5);
}

void check_range(const schema::AxisInfo& info, const table::ColumnRange& range, std::size_t n_added) {
  const bool is_empty = range.least == std::numeric_limits<double>::infinity() &&
                        range.largest == -std::numeric_limits<double>::infinity();
  const bool is_in_order = is_value(info, range.least) && is_value(info, range.largest) && range.least <= range.largest;
  if (range.n_missing > n_added || is_empty != (range.n_missing == n_added) || (!is_empty && !is_in_order))
    throw BadFile(fmt::format("the range of axis '{}' is not one of {} rows.", info.name, n_added));
}

/// Values of an axis lie in its range.
void check_values(const schema::AxisInfo& info, const table::ColumnRange& range, const std::vector<double>& values,
                  bool may_be_missing) {
  for (const double x : values)
    if (!(std::isnan(x) ? may_be_missing && range.n_missing > 0
                        : x >= range.least && x <= range.largest && is_value(info, x)))
      throw BadFile(fmt::format("a value of axis '{}' is not in the range of the axis.", info.name));
}

void check_numbers(const std::vector<std::size_t>& numbers, const std::vector<std::size_t>& wanted,
                   std::size_t n_added) {
  if (std::ranges::adjacent_find(numbers, std::ranges::greater_equal{}) != numbers.end() ||
      !std::ranges::includes(wanted, numbers) || numbers.size() > n_added)
    throw BadFile("its rows must be drawn rows with increasing numbers.");
}

void add_found(file::SectionWriter& file, const model::AxisSurvey& axes) {
  file.add_array("range.least", axes.ranges(), [](const table::ColumnRange& range) { return range.least; });
  file.add_array("range.largest", axes.ranges(), [](const table::ColumnRange& range) { return range.largest; });
  file.add_array("range.missing", axes.ranges(),
                 [](const table::ColumnRange& range) { return static_cast<std::uint64_t>(range.n_missing); });
  file.add_array("next.low", axes.next(), [](const table::NextValues& next) { return next.after_least; });
  file.add_array("next.high", axes.next(), [](const table::NextValues& next) { return next.before_largest; });
  std::vector<std::vector<double>> lowest(axes.ranges().size());
  std::vector<std::vector<double>> highest(axes.ranges().size());
  for (std::size_t axis = 0; axis < axes.outer().n_axes(); ++axis) {
    lowest[axis] = axes.outer().lowest(axis);
    highest[axis] = axes.outer().highest(axis);
  }
  add_vectors(file, "outer.n_low", "outer.low", lowest);
  add_vectors(file, "outer.n_high", "outer.high", highest);
  file.add_array("row.number", axes.copied().numbers,
                 [](std::size_t number) { return static_cast<std::uint64_t>(number); });
  add_vectors(file, "row.n_values", "row.values", axes.copied().values);
}

Found take_found(file::SectionReader& file, const model::AxisSurvey& axes) {
  const std::vector<schema::AxisInfo>& infos = axes.encoder().axes();
  const std::size_t n = infos.size();
  const auto least = file.take_array<double>("range.least");
  const auto largest = file.take_array<double>("range.largest");
  const auto n_missing = file.take_array<std::uint64_t>("range.missing");
  const auto low = file.take_array<double>("next.low");
  const auto high = file.take_array<double>("next.high");
  if (least.size() != n || largest.size() != n || n_missing.size() != n || low.size() != axes.next().size() ||
      high.size() != axes.next().size())
    throw BadFile("its arrays of axes have different lengths.");
  Found found{.n_added = parts::take_number<std::uint64_t>(file, "n_added")};
  if (found.n_added > axes.n_rows()) throw BadFile("it has more rows than the table.");
  for (std::size_t axis = 0; axis < n; ++axis) found.ranges.push_back({least[axis], largest[axis], n_missing[axis]});
  for (std::size_t axis = 0; axis < low.size(); ++axis) found.next.push_back({low[axis], high[axis]});
  found.lowest = take_vectors(file, "outer.n_low", "outer.low", n);
  found.highest = take_vectors(file, "outer.n_high", "outer.high", n);
  const auto numbers = file.take_array<std::uint64_t>("row.number");
  for (std::size_t i = 0; i < numbers.size(); ++i) found.copied.numbers.push_back(numbers[i]);
  found.copied.values = take_vectors(file, "row.n_values", "row.values", n);
  check_numbers(found.copied.numbers, axes.wanted(), found.n_added);
  for (std::size_t axis = 0; axis < n; ++axis) {
    const table::ColumnRange& range = found.ranges[axis];
    check_range(infos[axis], range, found.n_added);
    for (const std::vector<double>& some : {found.lowest[axis], found.highest[axis]})
      check_values(infos[axis], range, some, false);
    if (found.copied.values[axis].size() != found.copied.numbers.size())
      throw BadFile("its rows must have a value on every axis.");
    check_values(infos[axis], range, found.copied.values[axis], true);
    if (!found.next.empty() && range.n_missing < found.n_added)
      check_values(infos[axis], range, {found.next[axis].after_least, found.next[axis].before_largest}, false);
  }
  return found;
}

}  // namespace

void parts::check_same_fit(std::string_view part, const Options& options, const schema::Encoder& encoder,
                           std::size_t n_rows, const model::AxisSurvey& survey) {
  const std::string_view differs = !(options == survey.options())                     ? "options"
                                   : n_rows != survey.n_rows()                        ? "number of rows"
                                   : !(encoder.schema() == survey.encoder().schema()) ? "schema"
                                                                                      : "";
  if (!differs.empty())
    throw InvalidInput(fmt::format("the {} is a part of another fit: its {} differs.", part, differs));
}

std::vector<std::uint64_t> rows_to_draw(std::uint64_t n_rows, const Options& options) {
  validate(options);
  check_draws(n_rows, options);
  const std::vector<std::size_t> kept = model::rows_to_keep(n_rows, options, {});
  if (options.contamination == Options::none) return {kept.begin(), kept.end()};
  std::vector<std::uint64_t> all;
  std::ranges::set_union(kept, forest::threshold_sample(n_rows, options), std::back_inserter(all));
  return all;
}

Survey::Survey(std::unique_ptr<State> state) : state_(std::move(state)) {}
Survey::Survey(const Schema& schema, std::uint64_t n_rows, const Options& options)
    : state_(std::make_unique<State>(State{new_survey(schema, n_rows, options)})) {}
Survey::~Survey() = default;
Survey::Survey(const Survey& other) : state_(std::make_unique<State>(*other.state_)) {}
Survey& Survey::operator=(const Survey& other) {
  state_ = std::make_unique<State>(*other.state_);
  return *this;
}
Survey::Survey(Survey&&) noexcept = default;
Survey& Survey::operator=(Survey&&) noexcept = default;

void Survey::add(const Batches& rows, std::uint64_t first_row, const Run& run) {
  model::AxisSurvey& axes = state_->axes;
  const std::uint64_t n = rows.n_rows();
  if (n == 0) return;
  if (first_row > axes.n_rows() || n > axes.n_rows() - first_row)
    throw InvalidInput(
        fmt::format("the table has {} rows; got rows {} to {}.", axes.n_rows(), first_row + 1, first_row + n));
  const parts::TablePiece piece(rows, first_row);
  schema::EncodedBatches(axes.encoder(), piece)
      .for_each(run, [&](const Table& batch, std::size_t begin, const Run& part) {
        axes.add(batch, first_row + begin, part);
      });
}

void Survey::merge(const Survey& other) {
  const model::AxisSurvey& more = other.state_->axes;
  parts::check_same_fit("survey", more.options(), more.encoder(), more.n_rows(), state_->axes);
  state_->axes.merge(more);
}

std::uint64_t Survey::n_added() const { return state_->axes.n_added(); }

std::string Survey::to_bytes() const {
  const model::AxisSurvey& axes = state_->axes;
  file::SectionWriter file = parts::part_file(survey_kind);
  file.add("schema", to_json(axes.encoder().schema()));
  file.add("options", file::to_json(axes.options()));
  parts::add_number<std::uint64_t>(file, "n_rows", axes.n_rows());
  parts::add_number<std::uint64_t>(file, "n_added", axes.n_added());
  add_found(file, axes);
  return file.finish(file::current_format);
}

Survey Survey::from_bytes(std::string_view bytes) {
  return parts::read_part(bytes, survey_kind, [](file::SectionReader& file) {
    const Options options = file::read_options(file);
    Survey survey(parse_schema(file.take("schema")), parts::take_number<std::uint64_t>(file, "n_rows"), options);
    survey.state_->axes.add(take_found(file, survey.state_->axes));
    return survey;
  });
}

}  // namespace pidforest
