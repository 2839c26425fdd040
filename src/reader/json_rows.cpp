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
#include "reader/json_items.h"
#include "values/excerpt.h"
#include "values/read_text.h"

namespace pidforest::reader {

namespace {

/// A value as written in a line.
struct JsonValue {
  /// `nested` values are not read.
  enum class Type : std::uint8_t { null, number, text, nested };

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

/// Passes the members of a line's object to `take(key, value)`, which returns an error message or an empty text. The
/// members of an object within it have keys such as position.x; anything nested more deeply, and an array, is one
/// nested value. Stops at the first error.
template <class Take>
class LineParser {
 public:
  LineParser(Take& take, JsonForm form) : take_(take), form_(form) {}

  std::optional<LineError> parse(std::string_view line) {
    error_.reset();
    key_.clear();
    depth_ = n_unread_ = 0;
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
    if (n_unread_ > 0 || depth_ == 2) return start_unread();
    if (++depth_ == 2) outer_ = key_ + ".";
    return true;
  }
  bool start_array(std::size_t /*n_items*/) {
    if (depth_ == 0) return refuse(fmt::format("{}; got an array.", demand()));
    return start_unread();
  }
  bool key(std::string& key) {
    if (n_unread_ == 0) key_ = depth_ == 2 ? outer_ + key : std::move(key);
    return true;
  }
  bool end_object() { return n_unread_ > 0 ? end_array() : depth_-- > 0; }
  bool end_array() { return n_unread_-- > 0; }

  bool parse_error(std::size_t position, const std::string& last_read, const nlohmann::json::exception& error) {
    constexpr int number_overflow = 406;
    if (error.id == number_overflow)
      return refuse(fmt::format("{}; got '{}'.", values::demand_for_range, values::excerpt(last_read)));
    std::string_view reason = error.what();
    reason = reason.substr(std::min(reason.find(" - "), reason.size() - 3) + 3);
    reason = reason.substr(0, reason.find("; last read"));
    error_ = {.place = position == 0 ? 0 : position - 1,
              .words = fmt::format("{}; got '{}': {}.", demand(), values::excerpt(last_read), reason)};
    return false;
  }

 private:
  [[nodiscard]] std::string_view demand() const {
    return form_ == JsonForm::lines ? "a line must be one JSON object" : "an item of the array must be a JSON object";
  }

  /// Begins an array or object, or one within it, that is not read.
  bool start_unread() { return ++n_unread_ > 1 || pass({JsonValue::Type::nested}); }

  bool add(const JsonValue& value) {
    if (depth_ == 0) return refuse(fmt::format("{}; got a value.", demand()));
    return n_unread_ > 0 || pass(value);
  }

  bool pass(const JsonValue& value) {
    const std::string complaint = take_(key_, value);
    return complaint.empty() || refuse(complaint);
  }

  bool refuse(std::string words) {
    error_ = {.key = key_, .words = std::move(words)};
    return false;
  }

  Take& take_;
  JsonForm form_;
  std::string key_;
  /// What the keys of an object within the object begin with.
  std::string outer_;
  /// The number of open objects that are read, and of arrays and objects that are not.
  std::size_t depth_ = 0;
  std::size_t n_unread_ = 0;
  std::optional<LineError> error_;
};

bool is_blank_line(std::string_view line) { return std::ranges::all_of(line, values::is_blank); }

/// Reads one piece of text into a batch.
class ObjectReader {
 public:
  ObjectReader(const ColumnChoice& choice, const FieldReader& fields, JsonForm form,
               std::span<const TextColumn> columns, RowBatch& batch)
      : choice_(choice), fields_(fields), form_(form), columns_(columns), batch_(batch), seen_in_(columns.size(), 0) {
    for (std::size_t c = 0; c < columns.size(); ++c) by_name_.emplace(columns[c].name, c);
    const auto is_read = [](const TextColumn& column) { return column.reading != FieldType::skipped; };
    n_read_ = static_cast<std::size_t>(std::ranges::count_if(columns, is_read));
  }

  void read(const TextPiece& piece, std::size_t most_rows, bool skip_bad_rows) {
    const auto take = [&](const std::string& key, const JsonValue& value) { return add(key, value); };
    LineParser parser(take, form_);
    std::string_view text(piece.begin, piece.end);
    while (!batch_.refusal && batch_.n_rows < most_rows) {
      const std::size_t size = text.find('\n');
      if (size == std::string_view::npos) break;
      const std::size_t n_before = batch_.n_rows;
      read_line(parser, text.substr(0, size), skip_bad_rows);
      batch_.sparseness.add((batch_.n_rows - n_before) * n_read_, size + 1);
      batch_.n_lines += n_line_ends(text.substr(0, size + 1));
      text.remove_prefix(size + 1);
      batch_.n_bytes += size + 1;
    }
  }

 private:
  /// In the file; the items of an array may have many lines.
  [[nodiscard]] std::size_t n_line_ends(std::string_view text) const {
    const char end = form_ == JsonForm::lines ? '\n' : JsonItems::line_end;
    return static_cast<std::size_t>(std::ranges::count(text, end));
  }

  template <class Parser>
  void read_line(Parser& parser, std::string_view line, bool skip_bad_rows) {
    if (is_blank_line(line)) return;
    ++line_;
    strangers_.clear();
    nested_.clear();
    new_keys_.clear();
    const std::optional<LineError> error = parser.parse(line);
    if (!error) return end_row();
    const std::size_t place = std::max(error->place, std::min(line.find_first_not_of(" \t\r"), line.size()));
    batch_.leave_out(
        {batch_.n_lines + n_line_ends(line.substr(0, place)), batch_.n_bytes + error->place, error->key, error->words},
        skip_bad_rows);
  }

  void end_row() {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (seen_in_[c] != line_) put(c, std::numeric_limits<double>::quiet_NaN(), {});
    for (std::string& key : new_keys_) batch_.add_new_key(std::move(key));
    for (const std::string& key : nested_) batch_.nested.add(key, 1);
    ++batch_.n_rows;
  }

  /// Returns the error message, or an empty text.
  std::string add(const std::string& key, const JsonValue& value) {
    constexpr std::string_view twice = "must occur once in an object; got it twice.";
    const auto found = by_name_.find(key);
    if (found == by_name_.end()) {
      if (!strangers_.insert(key).second) return std::string(twice);
      const bool is_ignored = choice_.has_schema() || choice_.column(key).reading == FieldType::skipped;
      if (!is_ignored) (value.type == JsonValue::Type::nested ? nested_ : new_keys_).push_back(key);
      return "";
    }
    const std::size_t c = found->second;
    if (seen_in_[c] == line_) return std::string(twice);
    seen_in_[c] = line_;
    if (value.type != JsonValue::Type::nested) return take(c, value);
    if (columns_[c].reading != FieldType::skipped) nested_.push_back(key);
    put(c, std::numeric_limits<double>::quiet_NaN(), {});
    return "";
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
      batch_.columns[c].note_text(batch_.n_rows, BatchColumn::TextKind::plain);
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
  JsonForm form_;
  std::span<const TextColumn> columns_;
  std::size_t n_read_ = 0;
  RowBatch& batch_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  /// `seen_in_`: the number of the last line that has the key of each column. `line_`: the number of the current line.
  std::vector<std::size_t> seen_in_;
  std::size_t line_ = 0;
  /// The keys of this line that are not columns.
  std::unordered_set<std::string> strangers_;
  /// The keys of this line whose values are not read, and those that should be columns.
  std::vector<std::string> nested_;
  std::vector<std::string> new_keys_;
};

std::vector<std::size_t> cuts(std::string_view text, std::size_t distance) {
  std::vector<std::size_t> found;
  for (std::size_t place = text.find('\n', distance); place != std::string_view::npos && place + 1 < text.size();
       place = text.find('\n', place + distance))
    found.push_back(place + 1);
  return found;
}

}  // namespace

std::vector<std::string> keys_of(std::string_view text, JsonForm form, bool skip_bad_rows) {
  constexpr std::size_t most_keys = 100'000;
  std::vector<std::string> keys;
  std::unordered_set<std::string> seen;
  std::vector<std::string> of_line;
  const auto take = [&](const std::string& key, const JsonValue& value) {
    if (value.type != JsonValue::Type::nested) of_line.push_back(key);
    return std::string();
  };
  LineParser parser(take, form);
  for (std::size_t size = text.find('\n'); size != std::string_view::npos; size = text.find('\n')) {
    of_line.clear();
    const bool is_good = !is_blank_line(text.substr(0, size)) && !parser.parse(text.substr(0, size));
    text.remove_prefix(size + 1);
    if (!is_good && skip_bad_rows) continue;
    for (const std::string& key : of_line)
      if (seen.insert(key).second) keys.push_back(key);
    if (keys.size() > most_keys)
      throw InvalidInput(fmt::format("objects must have at most {} different keys; got more.", most_keys));
  }
  return keys;
}

RowFormat json_rows(const ColumnChoice& choice, const FieldReader& fields, JsonForm form, bool skip_bad_rows) {
  const auto read = [=](const TextPiece& piece, std::span<const TextColumn> columns, RowBatch& batch) {
    constexpr std::size_t most_values = std::size_t{1} << 22;  // a short line may leave out many keys
    const auto n_lines = static_cast<std::size_t>(std::count(piece.begin, piece.end, '\n'));
    const std::size_t enough = most_values / (columns.size() + 1) + 1;
    batch.clear(columns, std::min(n_lines, enough) + 1);
    ObjectReader(choice, fields, form, columns, batch).read(piece, enough, skip_bad_rows);
  };
  return {.cuts = cuts, .read = read};
}

}  // namespace pidforest::reader
