// SPDX-License-Identifier: Apache-2.0
#include "pidforest/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "data/csv_scanner.h"
#include "data/read_text.h"
#include "data/utf8.h"
#include "pidforest/error.h"

namespace pidforest {

namespace {

using data::CsvField;
using data::CsvScanner;
using data::excerpt;
using data::NumberReading;
using data::trimmed;

/// Without a byte order mark before the header or blank lines after the last row.
std::string_view body_of(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.substr(0, text.find_last_not_of("\r\n") + 1);
}

std::string with_single_quotes(std::string_view text) {
  std::string single(text);
  for (auto at = single.find("\"\""); at != std::string::npos; at = single.find("\"\"", at + 1)) single.erase(at, 1);
  return single;
}

std::string name_of(const CsvField& field) {
  const std::string_view text = trimmed(field.text);
  return field.is_quoted ? with_single_quotes(text) : std::string(text);
}

void check_name(const CsvScanner& scanner, const CsvField& field, const std::string& name, std::size_t number) {
  const auto refuse = [&](const std::string& message) { scanner.refuse(scanner.position_of(field), message); };
  if (name.empty())
    refuse(fmt::format(": every column must have a name; column {} has none. Name it in the header row.", number));
  if (!data::is_utf8(name))
    refuse(fmt::format(": column names must be UTF-8; got '{}'. Save the file as UTF-8.", excerpt(name)));
}

std::vector<std::string> read_header(CsvScanner& scanner) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (bool ends = false; !ends;) {
    const CsvField field = scanner.next();
    names.push_back(name_of(field));
    check_name(scanner, field, names.back(), names.size());
    if (!seen.insert(names.back()).second)
      scanner.refuse(
          scanner.position_of(field),
          fmt::format(": column names must differ; got '{}' twice. Rename one of the two.", excerpt(names.back())));
    ends = field.ends_row;
  }
  return names;
}

/// What the values of a column may be.
enum class Allowed : std::uint8_t { numbers, texts, either, skipped };

Allowed allowed_by(const ColumnSchema& schema) {
  switch (schema.kind) {
    case Kind::continuous:
      return Allowed::numbers;
    case Kind::ordinal:
      if (schema.levels.empty()) return schema.range ? Allowed::numbers : Allowed::either;
      [[fallthrough]];
    case Kind::category:
      return schema.numeric_levels ? Allowed::numbers : Allowed::texts;
    case Kind::cyclic:
      return schema.levels.empty() || schema.numeric_levels ? Allowed::numbers : Allowed::texts;
    case Kind::boolean:
      return Allowed::texts;
    case Kind::time:
      return schema.epoch_unit != EpochUnit::none ? Allowed::numbers : Allowed::texts;
    default:
      return Allowed::skipped;
  }
}

/// What the columns of a file may be, by name. Views the selection.
class Permissions {
 public:
  explicit Permissions(const CsvSelection& selection) : has_schema_(selection.schema != nullptr) {
    if (has_schema_)
      for (const ColumnSchema& column : selection.schema->columns) by_name_[column.name] = allowed_by(column);
    for (const std::string& name : selection.besides_schema) by_name_[name] = Allowed::either;
    for (const std::string& name : selection.ignore) by_name_[name] = Allowed::skipped;
  }

  [[nodiscard]] bool is_named(const std::string& name) const { return !has_schema_ || by_name_.contains(name); }
  [[nodiscard]] Allowed of(const std::string& name) const {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return found->second;
    return has_schema_ ? Allowed::skipped : Allowed::either;
  }

 private:
  bool has_schema_;
  std::unordered_map<std::string_view, Allowed> by_name_;
};

/// Says now and then how much of the text is read, and stops when asked to.
class Milestones {
 public:
  Milestones(const Run& run, std::string_view stage, std::size_t n_bytes)
      : run_(run), stage_(stage), n_bytes_(n_bytes) {}

  void pass(std::size_t position) {
    constexpr std::size_t distance = 1 << 20;
    if (position < next_) return;
    next_ = position + distance;
    if (run_.cancel != nullptr && run_.cancel->load(std::memory_order_relaxed)) throw Cancelled();
    if (run_.on_progress) run_.on_progress({stage_, position, n_bytes_});
  }

 private:
  const Run& run_;
  std::string_view stage_;
  std::size_t n_bytes_;
  std::size_t next_ = 0;
};

/// A column that is being read.
struct Target {
  CsvColumn column;
  Allowed allowed = Allowed::skipped;
  /// Rows that were read as numbers before the column was found to be of texts.
  std::size_t n_to_read_again = 0;
  /// The first field that is a number, but one that no double holds.
  std::optional<CsvField> beyond_double = {};
};

/// Reads rows once, and once more those of columns that were found to be of texts after a while.
class Reader {
 public:
  Reader(CsvScanner scanner, const std::vector<std::string>& names, const Permissions& permissions)
      : rows_(scanner), scanner_(scanner) {
    for (const std::string& name : names) {
      const Allowed allowed = permissions.of(name);
      const bool is_text = allowed == Allowed::texts;
      targets_.push_back(
          {.column = {.name = name, .type = is_text ? ColumnType::text : ColumnType::number}, .allowed = allowed});
    }
  }

  CsvColumns read(const Run& run) {
    for (Milestones milestones(run, "reading the file", rows_.size()); !scanner_.at_end();) {
      milestones.pass(scanner_.position());
      read_row();
    }
    refuse_beyond_double();
    read_again(run);
    return take_columns();
  }

 private:
  void read_row() {
    const std::size_t first = scanner_.position();
    std::size_t n_fields = 0;
    for (bool ends = false; !ends; ++n_fields) {
      const CsvField field = scanner_.next();
      ends = field.ends_row;
      if (n_fields < targets_.size()) add(targets_[n_fields], field);
    }
    if (n_fields != targets_.size()) refuse_ragged(first, n_fields);
    ++n_rows_;
  }

  void add(Target& target, const CsvField& field) {
    if (target.allowed == Allowed::skipped) return;
    if (target.column.type == ColumnType::text) return add_text(target, field);
    const NumberReading reading = data::read_number(field.text);
    if (!reading.demand().empty()) {
      if (target.allowed == Allowed::numbers) refuse_for_schema(target, field, reading.demand());
      if (!reading.is_beyond_double()) return turn_into_texts(target, field);
      if (!target.beyond_double) target.beyond_double = field;
    }
    target.column.numbers.push_back(reading.value);
  }

  void turn_into_texts(Target& target, const CsvField& field) {
    target.column.type = ColumnType::text;
    target.n_to_read_again = n_rows_;
    target.column.texts.resize(n_rows_);
    target.column.numbers = {};
    add_text(target, field);
  }

  void add_text(Target& target, const CsvField& field) {
    if (!data::is_utf8(field.text))
      refuse(target, field,
             fmt::format("must be UTF-8; got '{}'. Save the file as UTF-8, or leave the column out with --ignore {}.",
                         excerpt(field.text), excerpt(target.column.name)));
    target.column.texts.push_back(text_of(field));
  }

  /// Without the blanks around a bare field; missing if there is nothing.
  std::string_view text_of(const CsvField& field) {
    const std::string_view text = field.is_quoted ? field.text : trimmed(field.text);
    if (text.empty()) return {};
    if (!field.is_quoted || text.find('"') == std::string_view::npos) return text;
    return unquoted_->emplace_back(with_single_quotes(text));
  }

  /// Fills in the texts that were taken for numbers, in one go for all columns.
  void read_again(const Run& run) {
    std::size_t n_to_read = 0;
    for (const Target& target : targets_) n_to_read = std::max(n_to_read, target.n_to_read_again);
    Milestones milestones(run, "reading texts again", rows_.size());
    for (std::size_t row = 0; row < n_to_read; ++row) {
      milestones.pass(rows_.position());
      for (Target& target : targets_) {
        const CsvField field = rows_.next();
        if (row < target.n_to_read_again) target.column.texts[row] = text_of(field);
      }
    }
  }

  CsvColumns take_columns() {
    CsvColumns taken{.n_rows = n_rows_, .unquoted = std::move(unquoted_)};
    for (Target& target : targets_)
      if (target.allowed != Allowed::skipped) taken.columns.push_back(std::move(target.column));
    return taken;
  }

  /// The first in the file, of the columns that stayed numbers.
  void refuse_beyond_double() const {
    const Target* first = nullptr;
    const CsvField* field = nullptr;
    for (const Target& target : targets_) {
      const std::optional<CsvField>& found = target.beyond_double;
      if (target.column.type != ColumnType::number || !found) continue;
      if (field != nullptr && field->text.data() < found->text.data()) continue;
      first = &target;
      field = &*found;
    }
    if (field == nullptr) return;
    refuse(*first, *field,
           fmt::format("{}; got '{}'. Leave the column out with --ignore {}, or call it a category in a schema.",
                       data::read_number(field->text).demand(), excerpt(field->text), excerpt(first->column.name)));
  }

  [[noreturn]] void refuse_for_schema(const Target& target, const CsvField& field, std::string_view demand) const {
    refuse(target, field,
           fmt::format("{}, as the schema says; got '{}'. Leave the field empty if it is missing, or call the column a "
                       "category in the schema.",
                       demand, excerpt(field.text)));
  }

  [[noreturn]] void refuse(const Target& target, const CsvField& field, std::string_view complaint) const {
    scanner_.refuse(scanner_.position_of(field),
                    fmt::format(", column '{}': {}", excerpt(target.column.name), complaint));
  }

  [[noreturn]] void refuse_ragged(std::size_t place, std::size_t n_fields) const {
    scanner_.refuse(
        place, fmt::format(": a row must have {} fields, as the header has; got {}. Quote a field that holds a comma.",
                           targets_.size(), n_fields));
  }

  /// Stays at the first row.
  CsvScanner rows_;
  CsvScanner scanner_;
  std::vector<Target> targets_;
  std::size_t n_rows_ = 0;
  std::shared_ptr<std::deque<std::string>> unquoted_ = std::make_shared<std::deque<std::string>>();
};

void check_text(std::string_view text) {
  if (text.empty()) throw InvalidInput("a CSV file must begin with a header row of column names; the file is empty.");
  const auto nul = text.find('\0');
  if (nul != std::string_view::npos)
    CsvScanner(text).refuse(
        nul, ": a CSV file must be text without NUL bytes; got one. Save it as UTF-8, not UTF-16 or binary.");
}

/// Every column that is asked for by name must be there.
void check_selection(const CsvSelection& selection, const std::vector<std::string>& names) {
  const std::unordered_set<std::string_view> header(names.begin(), names.end());
  const auto refuse = [&](std::string_view what, const std::string& name) {
    throw InvalidInput(fmt::format("{} must be in the header row; got '{}'. The header has {}.", what, excerpt(name),
                                   excerpt(fmt::format("{}", fmt::join(names, ", ")), 200)));
  };
  for (const std::string& name : selection.ignore)
    if (!header.contains(name)) refuse("a column to ignore", name);
  if (selection.schema == nullptr) return;
  for (const ColumnSchema& column : selection.schema->columns)
    if (column.kind != Kind::ignored && !header.contains(column.name)) refuse("a column of the schema", column.name);
}

}  // namespace

Table CsvColumns::table() const {
  std::vector<Column> views;
  views.reserve(columns.size());
  for (const CsvColumn& column : columns)
    views.push_back(column.type == ColumnType::text ? Column::of_texts(column.name, column.texts.data())
                                                    : Column{column.name, column.numbers.data()});
  return {n_rows, std::move(views)};
}

CsvColumns parse_csv(std::string_view text, const CsvSelection& selection, const Run& run) {
  text = body_of(text);
  check_text(text);
  CsvScanner scanner(text);
  std::vector<std::string> names = read_header(scanner);
  check_selection(selection, names);
  const Permissions permissions(selection);
  CsvColumns read = Reader(scanner, names, permissions).read(run);
  std::erase_if(names, [&](const std::string& name) { return permissions.is_named(name); });
  read.not_in_schema = std::move(names);
  return read;
}

}  // namespace pidforest
