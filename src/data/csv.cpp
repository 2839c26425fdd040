// SPDX-License-Identifier: Apache-2.0
#include "pidforest/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "data/excerpt.h"
#include "pidforest/error.h"

namespace pidforest {

namespace {

using data::excerpt;

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Without a byte order mark before the header or blank lines after the last row.
std::string_view body_of(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.substr(0, text.find_last_not_of("\r\n") + 1);
}

/// A field as it stands in the file, without its outer quotes; quotes inside a quoted one are still doubled.
struct Field {
  std::string_view text;
  bool is_quoted;
  bool ends_row;
};

/// Cuts a text into fields and rows; knows nothing of what they mean.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text), at_end_(text.empty()) {}

  /// No field is left.
  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] std::size_t position() const { return at_; }

  [[nodiscard]] std::size_t position_of(const Field& field) const {
    return static_cast<std::size_t>(field.text.data() - text_.data());
  }
  /// Throws InvalidInput that begins with the line, from 1, of a place in the text.
  [[noreturn]] void refuse(std::size_t place, std::string_view message) const {
    const auto n_lines_before = std::ranges::count(text_.substr(0, place), '\n');
    throw InvalidInput(fmt::format("line {}{}", n_lines_before + 1, message));
  }

  Field next() {
    const bool is_quoted = at_ < text_.size() && text_[at_] == '"';
    const std::string_view text = is_quoted ? quoted() : bare();
    return {text, is_quoted, pass_separator()};
  }

 private:
  std::string_view bare() {
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
    return text_.substr(first, at_ - first);
  }

  std::string_view quoted() {
    const std::size_t first = at_ + 1;
    for (at_ = first;; at_ += 2) {
      at_ = text_.find('"', at_);
      if (at_ == std::string_view::npos)
        refuse(first,
               ": a field that begins with a quote must end with one; the file ends first. "
               "Close the quote, and double quotes inside the field.");
      if (at_ + 1 == text_.size() || text_[at_ + 1] != '"') break;
    }
    return text_.substr(first, at_++ - first);
  }

  /// Steps over a comma or a line end; true if the row ends here.
  bool pass_separator() {
    at_end_ = at_ == text_.size();
    if (at_end_) return true;
    const char c = text_[at_];
    if (c == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n')
      ++at_;
    else if (c == '\r')
      refuse(at_, ": lines must end with LF or CRLF; got a lone CR. Convert the line ends.");
    else if (c != ',' && c != '\n')
      refuse(at_, fmt::format(": a closing quote must be followed by a comma or a line end; got '{}'. "
                              "Double quotes inside a quoted field.",
                              excerpt(text_.substr(at_, 1))));
    ++at_;
    return c != ',';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool at_end_;
};

/// A number, or what it should have been.
struct Reading {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string_view demand;
};

/// Decimal digits and nothing else name an integer; a double may hold only a neighbour of it.
bool is_inexact_integer(std::string_view digits, double value) {
  constexpr std::size_t always_exact = std::numeric_limits<double>::digits10;
  if (digits.size() <= always_exact || digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  std::array<char, std::numeric_limits<double>::max_exponent10 + 2> held;
  const char* end =
      std::to_chars(held.data(), held.data() + held.size(), std::abs(value), std::chars_format::fixed, 0).ptr;
  return digits != std::string_view(held.data(), end);
}

Reading read_number(std::string_view text) {
  constexpr std::string_view a_number = "must be a number or an empty field";
  text = trimmed(text);
  if (text.empty() || text == "nan" || text == "NaN") return {};
  if (text.starts_with("+-")) return {.demand = a_number};
  if (text.starts_with('+')) text.remove_prefix(1);
  Reading reading;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), reading.value);
  const bool is_number = end == text.data() + text.size() && error != std::errc::invalid_argument;
  if (!is_number || (error == std::errc() && std::isnan(reading.value))) return {.demand = a_number};
  if (error == std::errc::result_out_of_range)
    return {.demand = "must be in the range of a double, 5e-324 to 1.8e308 in size"};
  if (is_inexact_integer(text.substr(text.starts_with('-') ? 1 : 0), reading.value))
    return {.demand = "must be an integer that a double holds exactly, as all up to 9007199254740992 are"};
  return reading;
}

std::string name_of(const Field& field) {
  std::string name(trimmed(field.text));
  if (field.is_quoted)
    for (auto at = name.find("\"\""); at != std::string::npos; at = name.find("\"\"", at + 1)) name.erase(at, 1);
  return name;
}

std::vector<std::string> read_header(Scanner& scanner) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (bool ends = false; !ends;) {
    const Field field = scanner.next();
    const std::size_t place = scanner.position_of(field);
    names.push_back(name_of(field));
    if (names.back().empty())
      scanner.refuse(
          place,
          fmt::format(": every column must have a name; column {} has none. Name it in the header row.", names.size()));
    if (!seen.insert(names.back()).second)
      scanner.refuse(place, fmt::format(": column names must differ; got '{}' twice. Rename one of the two.",
                                        excerpt(names.back())));
    ends = field.ends_row;
  }
  return names;
}

/// Which of the kept columns each column of the file is.
using Targets = std::vector<std::size_t>;
constexpr std::size_t ignored = std::numeric_limits<std::size_t>::max();

Targets choose_columns(std::vector<std::string>& names, const std::vector<std::string>& ignore) {
  std::unordered_set<std::string_view> unwanted(ignore.begin(), ignore.end());
  Targets targets;
  std::vector<std::string> kept;
  for (const std::string& name : names) {
    const bool is_ignored = unwanted.erase(name) > 0;
    targets.push_back(is_ignored ? ignored : kept.size());
    if (!is_ignored) kept.push_back(name);
  }
  if (!unwanted.empty())
    throw InvalidInput(fmt::format("a column to ignore must be in the header row; got '{}'. The header has {}.",
                                   excerpt(*unwanted.begin()),
                                   excerpt(fmt::format("{}", fmt::join(names, ", ")), 200)));
  names = std::move(kept);
  return targets;
}

void read_row(Scanner& scanner, const Targets& targets, CsvColumns& columns) {
  const std::size_t first = scanner.position();
  std::size_t n_fields = 0;
  for (bool ends = false; !ends; ++n_fields) {
    const Field field = scanner.next();
    ends = field.ends_row;
    if (n_fields >= targets.size() || targets[n_fields] == ignored) continue;
    const std::size_t j = targets[n_fields];
    const Reading reading = read_number(field.text);
    if (!reading.demand.empty())
      scanner.refuse(scanner.position_of(field),
                     fmt::format(", column '{0}': {1}; got '{2}'. Leave the column out with --ignore {0}.",
                                 excerpt(columns.names[j]), reading.demand, excerpt(field.text)));
    columns.values[j].push_back(reading.value);
  }
  if (n_fields != targets.size())
    scanner.refuse(
        first, fmt::format(": a row must have {} fields, as the header has; got {}. Quote a field that holds a comma.",
                           targets.size(), n_fields));
}

void check_text(std::string_view text) {
  if (text.empty()) throw InvalidInput("a CSV file must begin with a header row of column names; the file is empty.");
  const auto nul = text.find('\0');
  if (nul != std::string_view::npos)
    Scanner(text).refuse(
        nul, ": a CSV file must be text without NUL bytes; got one. Save it as UTF-8, not UTF-16 or binary.");
}

/// Reports how much of the text is read, and stops when asked to.
void report(const Run& run, std::size_t done, std::size_t total) {
  if (run.cancel != nullptr && run.cancel->load(std::memory_order_relaxed)) throw Cancelled();
  if (run.on_progress) run.on_progress({"reading the file", done, total});
}

}  // namespace

Table CsvColumns::table() const {
  std::vector<Column> columns;
  columns.reserve(names.size());
  for (std::size_t j = 0; j < names.size(); ++j) columns.push_back({names[j], values[j].data()});
  return {n_rows(), std::move(columns)};
}

CsvColumns parse_csv(std::string_view text, const std::vector<std::string>& ignore, const Run& run) {
  text = body_of(text);
  check_text(text);
  Scanner scanner(text);
  CsvColumns columns{.names = read_header(scanner), .values = {}};
  const Targets targets = choose_columns(columns.names, ignore);
  columns.values.resize(columns.names.size());
  constexpr std::size_t bytes_between_reports = 1 << 20;
  std::size_t next_report = 0;
  while (!scanner.at_end()) {
    if (scanner.position() >= next_report) {
      report(run, scanner.position(), text.size());
      next_report = scanner.position() + bytes_between_reports;
    }
    read_row(scanner, targets, columns);
  }
  return columns;
}

}  // namespace pidforest
