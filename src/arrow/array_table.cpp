// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/arrow.h.
#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <utility>

#include "arrow/array_columns.h"
#include "arrow/array_meaning.h"
#include "arrow/arrow_column.h"
#include "arrow/arrow_taken.h"
#include "pidforest/arrow.h"
#include "pidforest/error.h"
#include "values/excerpt.h"

namespace pidforest {

using arrow::ArrayColumn;
using arrow::ArrayColumns;
using arrow::ArrayPart;
using arrow::CodedLevels;
using arrow::Elements;
using arrow::MissingRows;

namespace {

constexpr std::size_t most_rows = 65'536;

Elements elements_of(ElementType element, const ArrayView& values) {
  return {.element = element, .first = static_cast<const std::byte*>(values.first), .stride = values.stride};
}

/// A view of all rows, if they are in memory; computed on first use.
struct Whole {
  std::once_flag once = {};
  std::optional<Table> table = {};
};

}  // namespace

struct ArrayTable::State {
  ArrayColumns columns;
  std::unique_ptr<Whole> whole = std::make_unique<Whole>();

  explicit State(ArrayColumns given) : columns(std::move(given)) {}

  void add(ArrayColumn column) {
    columns.add(std::move(column));
    whole = std::make_unique<Whole>();
  }
  void add(std::string name, ArrayPart part, std::size_t n_rows, std::optional<ColumnSchema> declared = {}) {
    ArrayColumn column{.name = std::move(name), .type = part.type, .declared = std::move(declared)};
    column.append(std::move(part), n_rows);
    add(std::move(column));
  }
  /// Keeps the levels alive, since `part_of(levels)` views them.
  template <class Level, class PartOf>
  void add_codes(std::string name, const Elements& codes, const MissingRows& missing, std::vector<Level> levels,
                 bool are_ordered, const PartOf& part_of) {
    if (!arrow::is_integer(codes.element))
      throw InvalidInput(fmt::format("column '{}': codes of levels must be integers.", values::excerpt(name)));
    const auto kept = std::make_shared<const std::vector<Level>>(std::move(levels));
    columns.keep(kept);
    const CodedLevels coded{
        .values = std::make_shared<const ArrayPart>(part_of(*kept)), .n = kept->size(), .negative_is_missing = true};
    auto declared = arrow::meaning_of_codes(name, coded, are_ordered);
    add(std::move(name), arrow::part_of_codes(codes, coded, missing), columns.n_rows(), std::move(declared));
  }
};

ArrayTable::ArrayTable(std::size_t n_rows) : state_(std::make_unique<State>(ArrayColumns(n_rows))) {}
ArrayTable::ArrayTable(std::unique_ptr<State> state) : state_(std::move(state)) {}
ArrayTable::~ArrayTable() = default;
ArrayTable::ArrayTable(ArrayTable&&) noexcept = default;
ArrayTable& ArrayTable::operator=(ArrayTable&&) noexcept = default;

void ArrayTable::add_numbers(std::string name, ElementType element, const ArrayView& values) {
  state_->add(std::move(name), arrow::part_of_numbers(elements_of(element, values), MissingRows(values.missing)),
              n_rows());
}

void ArrayTable::add_texts(std::string name, std::vector<std::string_view> texts) {
  const std::size_t n = texts.size();
  state_->add(std::move(name), arrow::part_of_texts(std::move(texts)), n);
}

void ArrayTable::add_times(std::string name, TimeUnit unit, const ArrayView& values, std::string zone) {
  const bool are_local = zone.empty();
  auto declared = arrow::meaning_of_times(name, std::move(zone));
  state_->add(
      std::move(name),
      arrow::part_of_times(elements_of(ElementType::int64, values), unit, MissingRows(values.missing), are_local),
      n_rows(), std::move(declared));
}

void ArrayTable::add_durations(std::string name, TimeUnit unit, const ArrayView& values) {
  auto declared = arrow::meaning_of_durations(name);
  state_->add(std::move(name),
              arrow::part_of_scaled(elements_of(ElementType::int64, values), arrow::ratio_of_durations(unit),
                                    MissingRows(values.missing)),
              n_rows(), std::move(declared));
}

void ArrayTable::add_codes(std::string name, ElementType codes, const ArrayView& values,
                           std::vector<std::string> levels, bool are_ordered) {
  state_->add_codes(
      std::move(name), elements_of(codes, values), MissingRows(values.missing), std::move(levels), are_ordered,
      [](const std::vector<std::string>& kept) { return arrow::part_of_texts({kept.begin(), kept.end()}); });
}

void ArrayTable::add_codes(std::string name, ElementType codes, const ArrayView& values, std::vector<double> levels,
                           bool are_ordered) {
  state_->add_codes(std::move(name), elements_of(codes, values), MissingRows(values.missing), std::move(levels),
                    are_ordered, [](const std::vector<double>& kept) {
                      const ArrayView array{.first = kept.data(), .stride = sizeof(double)};
                      return arrow::part_of_numbers(elements_of(ElementType::float64, array), {});
                    });
}

void ArrayTable::add_arrow(std::string name, ArrowArrayStream* stream) {
  arrow::ArrowStream source(stream);
  arrow::ArrowColumn column(std::move(name), source.schema());
  while (arrow::TakenArray array = source.next()) {
    column.append(**array);
    state_->columns.keep(std::move(array));
  }
  state_->add(std::move(column).taken());
}

void ArrayTable::add_arrow(std::string name, ArrowSchema* schema, ArrowArray* array) {
  const arrow::ArrowPair given(schema, array);
  arrow::ArrowColumn column(std::move(name), *given.schema);
  column.append(**given.array);
  state_->columns.keep(given.array);
  state_->add(std::move(column).taken());
}

ArrayTable ArrayTable::from_arrow(ArrowArrayStream* stream) {
  arrow::ArrowStream source(stream);
  arrow::RecordBatches batches(source.schema());
  while (arrow::TakenArray batch = source.next()) batches.append(std::move(batch));
  return ArrayTable(std::make_unique<State>(std::move(batches).taken()));
}

ArrayTable ArrayTable::from_arrow(ArrowSchema* schema, ArrowArray* array) {
  const arrow::ArrowPair given(schema, array);
  arrow::RecordBatches batches(*given.schema);
  batches.append(given.array);
  return ArrayTable(std::make_unique<State>(std::move(batches).taken()));
}

void for_each_batch(ArrowArrayStream* stream, const std::function<void(const ArrayTable& batch)>& visit) {
  arrow::ArrowStream source(stream);
  std::size_t n_before = 0;
  const auto visit_batch = [&](arrow::TakenArray array) {
    arrow::RecordBatches batches(source.schema());
    if (array) batches.append(std::move(array));
    const ArrayTable batch(std::make_unique<ArrayTable::State>(std::move(batches).taken(n_before)));
    visit(batch);
    n_before += batch.n_rows();
  };
  arrow::TakenArray array = source.next();
  do {
    visit_batch(std::move(array));
    array = source.next();
  } while (array);
}

std::size_t ArrayTable::n_rows() const { return state_->columns.n_rows(); }

Table ArrayTable::header() const {
  std::vector<Column> heads;
  for (const ArrayColumn& column : state_->columns.columns()) {
    heads.push_back({.name = column.name});
    heads.back().type = column.type;
  }
  return {0, std::move(heads)};
}

void ArrayTable::for_each(const std::function<void(const Table& batch)>& visit) const {
  state_->columns.for_each(most_rows, visit);
}

void ArrayTable::for_each_part(std::size_t column,
                               const std::function<void(const Column& part, std::size_t n_rows)>& visit) const {
  state_->columns.for_each_part(column, most_rows, visit);
}

const Table* ArrayTable::in_memory() const {
  Whole& whole = *state_->whole;
  std::call_once(whole.once, [&] {
    if (state_->columns.are_viewed()) for_each([&](const Table& table) { whole.table = table; });
  });
  return whole.table ? &*whole.table : nullptr;
}

Schema ArrayTable::declared() const {
  Schema schema;
  for (const ArrayColumn& column : state_->columns.columns())
    if (column.declared) schema.columns.push_back(*column.declared);
  return schema;
}

}  // namespace pidforest
