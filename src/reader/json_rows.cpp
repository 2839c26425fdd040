// SPDX-License-Identifier: Apache-2.0
#include "reader/json_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/read_text.h"

namespace pidforest::reader {

namespace {

constexpr std::string_view demand_for_lines = "a line must be one JSON object";

/// A value as written in a line.
struct JsonValue {
  enum class Type : std::uint8_t { null, number, text };

  Type type = Type::null;
  /// Set for numbers too.
  std::string_view text = {};
};

/// An error in a line; `place` is the number of bytes before it.
struct LineError {
  std::size_t place = 0;
  std::string key = {};
  std::string words = {};
};

/// Passes the members of a line's object to `take(key, value)`, which returns an error message or an empty text. Stops
/// at the first error; a nested value is one.
template <class Take>
class LineParser {
 public:
  explicit LineParser(Take& take) : take_(take) {}

  std::optional<LineError> parse(std::string_view line) {
    error_.reset();
    key_.clear();
    is_open_ = false;
    const std::size_t nul = line.find('\0');  // the parser would take it for the end
    if (nul != std::string_view::npos)
      return LineError{.place = nul,
                       .words = "a line must be text without NUL bytes; got one. Save the file as UTF-8."};
    nlohmann::json::sax_parse(line.begin(), line.end(), this);
    return std::move(error_);
  }

  bool null() { return add({}); }
  bool boolean(bool value) { return add({JsonValue::Type::text, value ? "true" : "false"}); }
  bool number_integer(std::int64_t value) { return add({JsonValue::Type::number, fmt::to_string(value)}); }
  bool number_unsigned(std::uint64_t value) { return add({JsonValue::Type::number, fmt::to_string(value)}); }
  bool number_float(double /*value*/, const std::string& text) { return add({JsonValue::Type::number, text}); }
  bool string(std::string& value) { return add({JsonValue::Type::text, value}); }
  static bool binary(nlohmann::json::binary_t& /*value*/) { return false; }

  bool start_object(std::size_t /*n_members*/) {
    if (is_open_) return refuse("must be a number, a string, true, false or null; got an object. Flatten it.");
    is_open_ = true;
    return true;
  }
  bool start_array(std::size_t /*n_items*/) {
    if (is_open_) return refuse("must be a number, a string, true, false or null; got an array. Flatten it.");
    return refuse(fmt::format("{}; got an array. Write one object per line.", demand_for_lines));
  }
  bool key(std::string& key) {
    key_ = std::move(key);
    return true;
  }
  static bool end_object() { return true; }
  static bool end_array() { return true; }

  bool parse_error(std::size_t position, const std::string& last_read, const nlohmann::json::exception& error) {
    constexpr int number_overflow = 406;
    if (error.id == number_overflow)
      return refuse(fmt::format("{}; got '{}'.", values::demand_for_range, values::excerpt(last_read)));
    std::string_view reason = error.what();
    reason = reason.substr(std::min(reason.find(" - "), reason.size() - 3) + 3);
    reason = reason.substr(0, reason.find("; last read"));
    error_ = {.place = position == 0 ? 0 : position - 1,
              .words = fmt::format("{}; got '{}': {}.", demand_for_lines, values::excerpt(last_read), reason)};
    return false;
  }

 private:
  bool add(const JsonValue& value) {
    if (!is_open_) return refuse(fmt::format("{}; got a value.", demand_for_lines));
    const std::string complaint = take_(key_, value);
    return complaint.empty() || refuse(complaint);
  }

  bool refuse(std::string words) {
    error_ = {.key = key_, .words = std::move(words)};
    return false;
  }

  Take& take_;
  std::string key_;
  bool is_open_ = false;
  std::optional<LineError> error_;
};

bool is_blank_line(std::string_view line) { return std::ranges::all_of(line, values::is_blank); }

/// Reads one piece of text into a batch.
class ObjectReader {
 public:
  ObjectReader(const ColumnChoice& choice, const FieldReader& fields, std::span<const TextColumn> columns,
               RowBatch& batch)
      : choice_(choice), fields_(fields), columns_(columns), batch_(batch), seen_in_(columns.size(), 0) {
    for (std::size_t c = 0; c < columns.size(); ++c) by_name_.emplace(columns[c].name, c);
    const auto is_read = [](const TextColumn& column) { return column.reading != FieldType::skipped; };
    n_read_ = static_cast<std::size_t>(std::ranges::count_if(columns, is_read));
  }

  void read(const TextPiece& piece, std::size_t most_rows, bool skip_bad_rows) {
    const auto take = [&](const std::string& key, const JsonValue& value) { return add(key, value); };
    LineParser parser(take);
    std::string_view text(piece.begin, piece.end);
    while (!batch_.refusal && batch_.n_rows < most_rows) {
      const std::size_t size = text.find('\n');
      if (size == std::string_view::npos) break;
      const std::size_t n_before = batch_.n_rows;
      read_line(parser, text.substr(0, size), skip_bad_rows);
      batch_.sparseness.add((batch_.n_rows - n_before) * n_read_, size + 1);
      text.remove_prefix(size + 1);
      batch_.n_bytes += size + 1;
      ++batch_.n_lines;
    }
  }

 private:
  template <class Parser>
  void read_line(Parser& parser, std::string_view line, bool skip_bad_rows) {
    if (is_blank_line(line)) return;
    ++line_;
    strangers_.clear();
    const std::optional<LineError> error = parser.parse(line);
    if (!error) {
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (seen_in_[c] != line_) put(c, std::numeric_limits<double>::quiet_NaN(), {});
      ++batch_.n_rows;
      return;
    }
    batch_.leave_out({batch_.n_lines, batch_.n_bytes + error->place, error->key, error->words}, skip_bad_rows);
  }

  /// Returns the error message, or an empty text.
  std::string add(const std::string& key, const JsonValue& value) {
    constexpr std::string_view twice = "must occur once in an object; got it twice.";
    const auto found = by_name_.find(key);
    if (found == by_name_.end()) {
      if (!strangers_.insert(key).second) return std::string(twice);
      const bool is_ignored = choice_.has_schema() || choice_.column(key).reading == FieldType::skipped;
      if (is_ignored) return "";
      return fmt::format(
          "must be a key that occurs in the first 16 MB; got a new one. Exclude it with --ignore {}, or give "
          "a schema.",
          values::excerpt(key));
    }
    const std::size_t c = found->second;
    if (seen_in_[c] == line_) return std::string(twice);
    seen_in_[c] = line_;
    return take(c, value);
  }

  std::string take(std::size_t c, const JsonValue& value) {
    const TextColumn& column = columns_[c];
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const bool is_missing =
        value.type == JsonValue::Type::null || (!value.text.empty() && fields_.is_missing(value.text));
    if (column.reading == FieldType::skipped) return "";
    if (is_missing || column.reading == FieldType::texts) {
      put(c, nan, is_missing ? std::string_view() : batch_.made_texts.emplace_back(value.text));
      return "";
    }
    const values::NumberReading reading = number_of(column, value);
    put(c, reading.value, {});
    if (reading.form == values::NumberReading::Form::word) {
      batch_.columns[c].note_word(batch_.n_rows, values::trimmed(value.text));
      return "";
    }
    if (reading.demand().empty()) return "";
    if (column.reading == FieldType::numbers) return fields_.complaint_of_number(column, value.text, reading);
    if (reading.is_beyond_double())  // decides the column; the row is then read again
      put(c, std::numeric_limits<double>::infinity(), {});
    else
      batch_.columns[c].note_text(batch_.n_rows, true);
    return "";
  }

  /// A string is not a number unless the schema says so; it may be a word that means "missing".
  static values::NumberReading number_of(const TextColumn& column, const JsonValue& value) {
    using Form = values::NumberReading::Form;
    const values::NumberReading reading = values::read_number(value.text);
    const bool may_be_number = value.type == JsonValue::Type::number || column.is_by_schema;
    return may_be_number || reading.form == Form::word ? reading : values::NumberReading{.form = Form::no_number};
  }

  void put(std::size_t c, double number, std::string_view text) {
    const BatchColumn& column = batch_.columns[c];
    if (column.numbers != nullptr) column.numbers[batch_.n_rows] = number;
    if (column.texts != nullptr) column.texts[batch_.n_rows] = text;
  }

  const ColumnChoice& choice_;
  const FieldReader& fields_;
  std::span<const TextColumn> columns_;
  std::size_t n_read_ = 0;
  RowBatch& batch_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  /// `seen_in_`: the number of the last line that has the key of each column. `line_`: the number of the current line.
  std::vector<std::size_t> seen_in_;
  std::size_t line_ = 0;
  /// The keys of this line that are not columns.
  std::unordered_set<std::string> strangers_;
};

std::vector<std::size_t> cuts(std::string_view text, std::size_t distance) {
  std::vector<std::size_t> found;
  for (std::size_t place = text.find('\n', distance); place != std::string_view::npos && place + 1 < text.size();
       place = text.find('\n', place + distance))
    found.push_back(place + 1);
  return found;
}

}  // namespace

std::vector<std::string> keys_of(std::string_view text) {
  constexpr std::size_t most_keys = 100'000;
  std::vector<std::string> keys;
  std::unordered_set<std::string> seen;
  std::vector<std::string> of_line;
  const auto take = [&](const std::string& key, const JsonValue& /*value*/) {
    of_line.push_back(key);
    return std::string();
  };
  LineParser parser(take);
  for (std::size_t size = text.find('\n'); size != std::string_view::npos; size = text.find('\n')) {
    of_line.clear();
    const bool is_good = !is_blank_line(text.substr(0, size)) && !parser.parse(text.substr(0, size));
    text.remove_prefix(size + 1);
    if (!is_good) continue;
    for (const std::string& key : of_line)
      if (seen.insert(key).second) keys.push_back(key);
    if (keys.size() > most_keys)
      throw InvalidInput(fmt::format("objects must have at most {} different keys; got more.", most_keys));
  }
  return keys;
}

RowFormat json_rows(const ColumnChoice& choice, const FieldReader& fields, bool skip_bad_rows) {
  const auto read = [=](const TextPiece& piece, std::span<const TextColumn> columns, RowBatch& batch) {
    constexpr std::size_t most_values = std::size_t{1} << 22;  // a short line may leave out many keys
    const auto n_lines = static_cast<std::size_t>(std::count(piece.begin, piece.end, '\n'));
    const std::size_t enough = most_values / (columns.size() + 1) + 1;
    batch.clear(columns, std::min(n_lines, enough) + 1);
    ObjectReader(choice, fields, columns, batch).read(piece, enough, skip_bad_rows);
  };
  return {.cuts = cuts, .read = read};
}

}  // namespace pidforest::reader
