// SPDX-License-Identifier: Apache-2.0
#include "out/lines_out.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>

#include "out/csv_line.h"
#include "out/output_file.h"
#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> names{"score", "is_anomaly", "reason"};

[[noreturn]] void refuse(const std::string& path, std::string_view action) {
  throw FileError(fmt::format("cannot {} '{}': {}.", action, path, std::generic_category().message(errno)));
}

/// Bytes that are not UTF-8 are replaced.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class T>
Json json_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

void add_finding(Json& members, const EventFinding& finding) {
  members["score"] = json_or_null(finding.score);
  members["is_anomaly"] = json_or_null(finding.is_anomaly);
  members["reason"] = finding.reason;
}

/// With the names that `detect --json` and `explain --json` have for them.
void add_reasons(Json& members, const EventFinding& finding) {
  if (!finding.witness || !finding.reasons) return;
  members["witness"] = Json::parse(to_json(*finding.witness));
  members["column_bits"] = Json::array();
  for (const ColumnBits& one : finding.reasons->columns)
    members["column_bits"].push_back(Json{{"column", finding.schema->columns[one.column].name}, {"bits", one.bits}});
  const auto& normal_if = finding.reasons->normal_if;
  members["normal_if"] = normal_if ? Json::parse(to_json(*normal_if)) : Json(nullptr);
}

}  // namespace

bool is_name_of_finding(std::string_view name) { return std::ranges::find(names, name) != names.end(); }

std::string LineForm::header(std::string_view line) const {
  if (are_events_json || is_finding_json) return {};
  CsvLine fields(delimiter, excel_safe);
  for (const std::string_view name : names) fields.add_text(name);
  return fmt::format("{}{}{}", line, delimiter, fields.take());
}

std::string LineForm::line_of(const std::vector<std::string>& names,
                              const std::map<std::string, std::string>& fields) const {
  if (are_events_json) return text_of(Json(fields));
  CsvLine line(delimiter, excel_safe);
  for (const std::string& name : names) {
    const auto field = fields.find(name);
    line.add_text(field == fields.end() ? "" : field->second);
  }
  std::string text = line.take();
  text.pop_back();  // the line end
  return text;
}

std::string LineForm::extended(std::string_view line, std::uint64_t number, const EventFinding& finding) const {
  if (is_finding_json) {
    Json members = Json::object();
    add_finding(members, finding);
    add_reasons(members, finding);
    const std::string event = are_events_json ? std::string(line) : text_of(Json(line));
    return fmt::format("{{\"line\":{},\"event\":{},{}\n", number, event, text_of(members).substr(1));
  }
  if (are_events_json) {
    Json members = Json::object();
    add_finding(members, finding);
    const std::string_view open = line.substr(0, line.rfind('}'));
    const bool is_empty = open.find('"') == std::string_view::npos;
    return fmt::format("{}{}{}\n", open, is_empty ? "" : ",", members.dump().substr(1));
  }
  CsvLine fields(delimiter, excel_safe);
  if (finding.score)
    fields.add_number(*finding.score);
  else
    fields.add_text("");
  fields.add_text(!finding.is_anomaly ? "" : *finding.is_anomaly ? "1" : "0");
  fields.add_text(finding.reason);
  return fmt::format("{}{}{}", line, delimiter, fields.take());
}

LinesOut::LinesOut(const std::string& path, std::uint64_t n_kept) : path_(path), n_bytes_(n_kept) {
  if (path == "-") return;
  descriptor_ = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) refuse(path, "write");
  struct stat status = {};
  if (fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
    if (static_cast<std::uint64_t>(status.st_size) < n_kept)
      throw InvalidInput(
          fmt::format("'{}' must contain the {} bytes that were written before the state was saved; it has {}.", path,
                      n_kept, status.st_size));
    if (ftruncate(descriptor_, static_cast<off_t>(n_kept)) != 0) refuse(path, "write");
    if (lseek(descriptor_, 0, SEEK_END) < 0) refuse(path, "write");
  }
}

LinesOut::~LinesOut() {
  if (path_ != "-") close(descriptor_);
}

void LinesOut::write(std::string_view text) {
  n_bytes_ += text.size();
  if (path_ == "-") return write_stdout(text);
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor_, text.data(), text.size());
    if (n >= 0)
      text.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EINTR)
      refuse(path_, "write");
  }
}

void LinesOut::sync() const {
  if (path_ != "-" && fdatasync(descriptor_) != 0 && errno != EINVAL) refuse(path_, "write");
}

}  // namespace pidforest::cli
