// SPDX-License-Identifier: Apache-2.0
#include "in/live_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "in/schema_file.h"
#include "in/without_columns.h"
#include "out/lines_out.h"
#include "pidforest/error.h"
#include "pidforest/series.h"
#include "schema/times.h"
#include "values/name_pattern.h"

namespace pidforest::cli {

namespace {

const Schema no_columns{};

void add_if_named(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty()) names.push_back(name);
}

void check_name(const std::string& name) {
  if (is_name_of_finding(name))
    throw InvalidInput(fmt::format(
        "score, is_anomaly and reason are added to each line; the input already has '{}'. Rename it.", name));
}

[[noreturn]] void refuse_no_features() {
  throw InvalidInput(
      "at least one column must be left to score; the flags and the schema exclude all columns. Exclude fewer.");
}

bool is_in(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool has(const Schema& schema, const std::string& name) {
  return std::ranges::find(schema.columns, name, &ColumnSchema::name) != schema.columns.end();
}

/// The declaration by which a column is read as it was read before.
ColumnSchema reading_of(const Column& column) {
  return {.name = column.name, .kind = column.type == ColumnType::text ? Kind::category : Kind::continuous};
}

}  // namespace

LiveReader::LiveReader(TextFormat format, LiveColumns columns, std::string header, std::size_t n_to_judge)
    : format_(std::move(format)),
      columns_(std::move(columns)),
      header_(std::move(header)),
      n_to_judge_(n_to_judge),
      form_(bytes_of(beginning()), format_, {.schema = &no_columns}) {
  for (const std::string& name : form_.not_in_schema()) check_name(name);
  check_header();
  if (columns_.schema && (columns_.time.empty() || has(*columns_.schema, columns_.time))) {
    reading_ = *columns_.schema;
    make_reader({});
    find_features({});
    check_features();
  }
}

/// Reports a missing column, and that flags exclude all columns, before the first line is written, where the header
/// shows it.
void LiveReader::check_header() const {
  if (format_.form != TextFormat::Form::csv) return;
  const std::vector<std::string>& names = form_.not_in_schema();
  const auto check = [&](const std::string& flag, const std::string& name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end())
      throw InvalidInput(fmt::format("the column given by {} must be in the header row; got '{}'. The header has {}.",
                                     flag, name, list_of(names)));
  };
  check("--time", columns_.time);
  check("--by", columns_.by);
  values::check_names("the header", names, columns_.ignore, "is to be ignored");
  if (columns_.schema || columns_.calendar) return;
  const std::vector<std::string> others = no_features();
  if (std::ranges::all_of(names, [&](const std::string& name) { return values::matches_any(others, name); }))
    refuse_no_features();
}

/// The columns that flags keep from being features.
std::vector<std::string> LiveReader::no_features() const {
  std::vector<std::string> names = columns_.ignore;
  add_if_named(names, columns_.by);
  add_if_named(names, columns_.time);
  return names;
}

/// The text that readers of later lines start with.
std::string LiveReader::beginning() const {
  return format_.form == TextFormat::Form::csv ? header_ + "\n" : std::string("{}\n");
}

void LiveReader::buffer(std::string_view line, std::uint64_t number) {
  (void)form_.read_line(line, number);
  buffered_.push_back({std::string(line), number});
}

void LiveReader::make_reader(const std::vector<std::string>& undecided) {
  ColumnSelection selection{.ignore = columns_.ignore, .schema = &reading_, .besides_schema = undecided};
  add_if_named(selection.as_text, columns_.by);
  if (!columns_.time.empty() && !has(reading_, columns_.time)) selection.besides_schema.push_back(columns_.time);
  if (format_.form == TextFormat::Form::json_lines)
    selection.ignore.clear();  // columns that the schema does not name are not read
  reader_ = std::make_unique<TableReader>(bytes_of(beginning()), format_, selection);
  undecided_ = reader_->undecided();
}

void LiveReader::find_features(const TableStore& rows) {
  const std::vector<std::string> others = no_features();
  features_ =
      columns_.schema ? without_columns(*columns_.schema, others) : infer_event_schema(WithoutColumns(rows, others));
  if (columns_.time.empty()) return;
  const bool is_given = columns_.schema && has(*columns_.schema, columns_.time);
  times_ = is_given ? *std::ranges::find(columns_.schema->columns, columns_.time, &ColumnSchema::name)
                    : schema::infer_times(rows, columns_.time);
  if (!columns_.calendar) return;
  features_.columns.push_back(*times_);
  features_.columns.back().derive = {Derivation::hour_of_day, Derivation::day_of_week};
}

/// Columns that inference ignores are read, and then every event has 0 bits. Columns that flags or a schema exclude are
/// not read.
void LiveReader::check_features() const {
  const auto is_read = [&](const ColumnSchema& column) { return !columns_.schema || column.kind != Kind::ignored; };
  if (std::ranges::none_of(features_.columns, is_read)) refuse_no_features();
}

void LiveReader::judge(const std::vector<BufferedLine>& lines) {
  std::string text = format_.form == TextFormat::Form::csv ? header_ + "\n" : "";
  for (const BufferedLine& line : lines) text += line.text + "\n";
  ColumnSelection selection{.ignore = columns_.ignore, .schema = columns_.schema ? &*columns_.schema : nullptr};
  add_if_named(selection.as_text, columns_.by);
  add_if_named(selection.besides_schema, columns_.time);
  TableReader judging(bytes_of(text), format_, selection, {.threads = 1});
  TableStore rows;
  while (const std::optional<Table> batch = judging.next()) rows.append(*batch);
  const std::vector<std::string> undecided = judging.undecided();
  reading_ = {};
  const Table columns = rows.header();
  for (const Column& column : columns.columns()) {
    check_name(column.name);
    if (std::ranges::find(undecided, column.name) == undecided.end()) reading_.columns.push_back(reading_of(column));
  }
  make_reader(undecided);
  find_features(rows);
  check_features();
}

Table LiveReader::read(std::string_view line, std::uint64_t number) {
  const Table row = reader_->read_line(line, number);
  if (!undecided_.empty()) keep_decisions(row);
  return row;
}

/// The first value of a column that was undecided decides how it is read, also after a restart.
void LiveReader::keep_decisions(const Table& row) {
  const std::vector<std::string> left = reader_->undecided();
  for (const Column& column : row.columns())
    if (is_in(undecided_, column.name) && !is_in(left, column.name) && !has(reading_, column.name))
      reading_.columns.push_back(reading_of(column));
  undecided_ = left;
}

KnownColumns LiveReader::known() const {
  KnownColumns known{.header = header_, .buffered = buffered_};
  if (is_ready())
    known.types = {.reading = reading_.columns.empty() ? "" : to_json(reading_),
                   .undecided = undecided_,
                   .features = to_json(features_),
                   .times = times_ ? to_json(Schema{{*times_}}) : ""};
  return known;
}

void LiveReader::restore(const KnownColumns& known) {
  buffered_ = known.buffered;
  if (!known.types && is_ready()) throw InvalidInput("the types of its columns are missing.");
  if (!known.types) return;
  reading_ = known.types->reading.empty() ? Schema{} : parse_schema(known.types->reading);
  make_reader(known.types->undecided);
  features_ = parse_schema(known.types->features);
  if (!known.types->times.empty()) times_ = parse_schema(known.types->times).columns.front();
  check_restored(known.types->undecided);
}

/// Columns that the reader does not read would make every line a bad one.
void LiveReader::check_restored(const std::vector<std::string>& undecided) const {
  const auto is_read = [&](const ColumnSchema& column) {
    return column.kind == Kind::ignored || column.name == columns_.time || has(reading_, column.name) ||
           std::ranges::find(undecided, column.name) != undecided.end();
  };
  const std::vector<std::string>& names = form_.not_in_schema();
  const auto is_in_header = [&](const std::string& name) {
    return format_.form != TextFormat::Form::csv || std::ranges::find(names, name) != names.end();
  };
  if (!std::ranges::all_of(features_.columns, is_read) || !std::ranges::all_of(undecided, is_in_header))
    throw InvalidInput("its features are not among its columns.");
  const std::string name = times_ && times_->kind == Kind::time ? times_->name : "";
  if (times_.has_value() != !name.empty() || name != columns_.time)
    throw InvalidInput(fmt::format("its time column must be '{}'; got '{}'.", columns_.time, name));
}

}  // namespace pidforest::cli
