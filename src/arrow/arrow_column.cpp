// SPDX-License-Identifier: Apache-2.0
#include "arrow/arrow_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "arrow/array_meaning.h"
#include "arrow/arrow_part.h"
#include "pidforest/error.h"
#include "schema/levels.h"
#include "values/excerpt.h"

namespace pidforest::arrow {

namespace {

using Layout = ArrowType::Layout;

/// Checks that lengths and offsets are plausible and that all buffers are there. `what` names the array in messages: "a
/// record batch".
void check_shape(const ArrowArray& array, const std::string& what, std::int64_t n_buffers, bool or_more = false) {
  constexpr std::int64_t largest = std::int64_t{1} << 57;
  const auto check_size = [&](std::string_view name, std::int64_t size) {
    if (size < 0 || size > largest)
      throw InvalidInput(fmt::format("{} must have {} of at least 0 and at most 2^57; got {}.", what, name, size));
  };
  check_size("a length", array.length);
  check_size("an offset", array.offset);
  const std::int64_t n = array.buffers == nullptr ? 0 : array.n_buffers;
  if (or_more ? n < n_buffers : n != n_buffers)
    throw InvalidInput(
        fmt::format("{} must have {}{} buffers; got {}.", what, or_more ? "at least " : "", n_buffers, n));
}

/// True if a schema or array has all the children that it declares.
template <class Struct>
bool has_children(const Struct& parent) {
  if (parent.n_children <= 0) return parent.n_children == 0;
  return parent.children != nullptr && std::all_of(parent.children, parent.children + parent.n_children,
                                                   [](const Struct* child) { return child != nullptr; });
}

template <class T>
const T* buffer(const ArrowArray& array, std::size_t i, std::string_view column) {
  if (array.buffers[i] == nullptr)
    throw InvalidInput(fmt::format("column '{}': an Arrow array with rows must have its values; buffer {} is null.",
                                   values::excerpt(column), i));
  return static_cast<const T*>(array.buffers[i]);
}

/// Returns nullptr if every value is valid.
const std::uint8_t* validity_of(const ArrowArray& array) {
  return array.null_count == 0 ? nullptr : static_cast<const std::uint8_t*>(array.buffers[0]);
}

MissingRows missing_of(const ArrowArray& array, std::size_t first, const ArrowRows& rows) {
  MissingRows missing;
  if (const std::uint8_t* bits = validity_of(array)) missing.add_validity(bits, first, rows.n);
  if (rows.validity != nullptr) missing.add_validity(rows.validity, rows.first_bit, rows.n);
  return missing;
}

void check_rows(const ArrowArray& array, const ArrowRows& rows, std::string_view column) {
  if (rows.begin + rows.n > static_cast<std::size_t>(array.length))
    throw InvalidInput(fmt::format("column '{}': its Arrow array must have {} values, like its record batch; got {}.",
                                   values::excerpt(column), rows.begin + rows.n, array.length));
}

Elements elements_of(ElementType element, const std::byte* first, std::size_t begin) {
  const Elements elements{.element = element, .first = first, .stride = size_of(element)};
  return {.element = element, .first = elements.at(begin), .stride = elements.stride};
}

Ratio ratio_of_clock(TimeUnit unit) {
  constexpr double seconds_per_hour = 3600;
  return {.divisor = ratio_of_durations(unit).divisor * seconds_per_hour};
}

std::int64_t n_buffers_of(Layout layout) {
  switch (layout) {
    case Layout::null:
      return 0;
    case Layout::texts:
    case Layout::long_texts:
    case Layout::text_views:
      return 3;
    default:
      return 2;
  }
}

void check_array(const ArrowType& type, const ArrowArray& array, std::string_view column) {
  // Some producers add a bitmap, which is optional, to an array of nulls.
  const bool or_more = type.layout == Layout::text_views || type.layout == Layout::null;
  check_shape(array, fmt::format("column '{}': an Arrow array of its type", values::excerpt(column)),
              n_buffers_of(type.layout), or_more);
}

ArrayPart part_of_views(const ArrowArray& array, std::size_t first, const MissingRows& missing,
                        std::string_view column) {
  constexpr std::size_t n_others = 3;  // validity, views, sizes
  constexpr std::size_t view_size = 16;
  const auto n = static_cast<std::size_t>(array.n_buffers) - n_others;
  TextViews views{.first = buffer<std::byte>(array, 1, column) + first * view_size, .buffers = {array.buffers + 2, n}};
  if (n > 0) views.sizes = {buffer<std::int64_t>(array, 2 + n, column), n};
  return part_of_text_views(views, missing);
}

/// Returns the part for rows of a checked array; there must be at least one row.
ArrayPart part_of(const ArrowType& type, const ArrowArray& array, const ArrowRows& rows, std::string_view column) {
  if (type.layout == Layout::null) return part_of_nothing();
  const std::size_t first = static_cast<std::size_t>(array.offset) + rows.begin;
  const MissingRows missing = missing_of(array, first, rows);
  const auto elements = [&] { return elements_of(type.element, buffer<std::byte>(array, 1, column), first); };
  switch (type.layout) {
    case Layout::bits:
      return part_of_bits(buffer<std::uint8_t>(array, 1, column), first, missing);
    case Layout::decimals:
      return part_of_decimals({.first = buffer<std::byte>(array, 1, column) + first * type.n_bytes,
                               .n_bytes = type.n_bytes,
                               .scale = type.scale},
                              missing);
    case Layout::texts:
      return part_of_texts(buffer<std::int32_t>(array, 1, column) + first, static_cast<const char*>(array.buffers[2]),
                           missing);
    case Layout::long_texts:
      return part_of_texts(buffer<std::int64_t>(array, 1, column) + first, static_cast<const char*>(array.buffers[2]),
                           missing);
    case Layout::text_views:
      return part_of_views(array, first, missing, column);
    case Layout::times:
      return part_of_times(elements(), type.unit, missing, type.zone.empty());
    case Layout::clock:
      return part_of_scaled(elements(), ratio_of_clock(type.unit), missing);
    case Layout::durations:
      return part_of_scaled(elements(), ratio_of_durations(type.unit), missing);
    default:
      return part_of_numbers(elements(), missing);
  }
}

std::optional<ColumnSchema> meaning_of(const ArrowType& type, const std::string& name) {
  if (type.layout == Layout::clock) return meaning_of_clock(name);
  if (type.layout == Layout::durations) return meaning_of_durations(name);
  if (type.layout == Layout::times) return meaning_of_times(name, type.zone);
  return std::nullopt;
}

/// A part without rows.
ArrayPart empty_part(ColumnType type) {
  return {.type = type, .show = [](std::size_t, std::size_t, Scratch&, Column&) {}};
}

std::string_view format_of(const ArrowSchema& schema) { return schema.format == nullptr ? "" : schema.format; }

}  // namespace

ArrowColumn::ArrowColumn(std::string name, const ArrowSchema& schema)
    : type_(arrow_type_of(format_of(schema), name)), are_ordered_((schema.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0) {
  column_.name = std::move(name);
  if (schema.dictionary == nullptr) {
    column_.type = type_.column_type();
    column_.declared = meaning_of(type_, column_.name);
    return;
  }
  if (type_.layout != Layout::numbers || !is_integer(type_.element) || schema.dictionary->dictionary != nullptr)
    throw InvalidInput(fmt::format("column '{}': codes of levels must be integers, and the levels plain values.",
                                   values::excerpt(column_.name)));
  const ArrowType level_type = arrow_type_of(format_of(*schema.dictionary), column_.name);
  level_type_ = level_type;
  column_.type = level_type.column_type();
  const CodedLevels none{.values = std::make_shared<const ArrayPart>(empty_part(column_.type))};
  column_.declared = meaning_of_codes(column_.name, none, are_ordered_);
}

void ArrowColumn::append(const ArrowArray& array) { append(array, {.n = static_cast<std::size_t>(array.length)}); }

void ArrowColumn::append(const ArrowArray& array, const ArrowRows& rows) {
  check_array(type_, array, column_.name);
  check_rows(array, rows, column_.name);
  if (level_type_)
    append_codes(*level_type_, array, rows);
  else if (rows.n > 0)
    column_.append(part_of(type_, array, rows, column_.name), rows.n);
}

void ArrowColumn::append_codes(const ArrowType& level_type, const ArrowArray& array, const ArrowRows& rows) {
  if (array.dictionary == nullptr)
    throw InvalidInput(fmt::format("column '{}': an Arrow array of codes must have a dictionary of levels; got none.",
                                   values::excerpt(column_.name)));
  check_array(level_type, *array.dictionary, column_.name);
  CodedLevels levels{.n = static_cast<std::size_t>(array.dictionary->length)};
  levels.values = std::make_shared<const ArrayPart>(
      levels.n == 0 ? empty_part(column_.type) : part_of(level_type, *array.dictionary, {.n = levels.n}, column_.name));
  if (are_ordered_ && levels.n > 0) take_order(levels);
  if (rows.n == 0) return;
  const std::size_t first = static_cast<std::size_t>(array.offset) + rows.begin;
  const Elements codes = elements_of(type_.element, buffer<std::byte>(array, 1, column_.name), first);
  column_.append(part_of_codes(codes, levels, missing_of(array, first, rows)), rows.n);
}

void ArrowColumn::take_order(const CodedLevels& levels) {
  const auto declared = meaning_of_codes(column_.name, levels, true);
  if (!declared) return;
  if (!column_.declared || column_.declared->levels.empty()) {
    column_.declared = declared;
    return;
  }
  const std::vector<std::string>& before = column_.declared->levels;
  if (declared->levels != before)
    throw InvalidInput(
        fmt::format("column '{}': the order of its levels must be the same in all batches; got {} and {}.",
                    values::excerpt(column_.name), schema::list_of(before), schema::list_of(declared->levels)));
}

RecordBatches::RecordBatches(const ArrowSchema& schema) {
  if (format_of(schema) != "+s")
    throw InvalidInput(
        fmt::format("a table must come as Arrow record batches, which are structs of columns; got the "
                    "Arrow format '{}'.",
                    values::excerpt(format_of(schema))));
  if (!has_children(schema)) throw InvalidInput("an Arrow schema must have all its columns; some are null.");
  std::vector<Column> heads;
  for (std::int64_t j = 0; j < schema.n_children; ++j) {
    const ArrowSchema& child = *schema.children[j];
    columns_.emplace_back(child.name == nullptr ? "" : child.name, child);
    heads.push_back({.name = columns_.back().column().name});
  }
  (void)Table(0, std::move(heads));  // rejects names that are empty or repeated
}

void RecordBatches::append(TakenArray batch) {
  const ArrowArray& array = **batch;
  check_shape(array, "a record batch", 1);
  if (!has_children(array)) throw InvalidInput("a record batch must have all its columns; some are null.");
  if (array.n_children != static_cast<std::int64_t>(columns_.size()))
    throw InvalidInput(fmt::format("a record batch must have the {} columns of its schema; got {}.", columns_.size(),
                                   array.n_children));
  const auto first = static_cast<std::size_t>(array.offset);
  const auto n = static_cast<std::size_t>(array.length);
  for (std::size_t j = 0; j < columns_.size(); ++j)
    columns_[j].append(*array.children[j],
                       {.begin = first, .n = n, .validity = validity_of(array), .first_bit = first});
  n_rows_ += n;
  if (n > 0) kept_.push_back(std::move(batch));
}

ArrayColumns RecordBatches::taken(std::size_t first_row) && {
  ArrayColumns columns(n_rows_, first_row);
  for (TakenArray& batch : kept_) columns.keep(std::move(batch));
  for (ArrowColumn& column : columns_) columns.add(std::move(column).taken());
  return columns;
}

}  // namespace pidforest::arrow
