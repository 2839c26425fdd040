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

constexpr std::array<std::string_view, 3> names{"score", "is_anomaly", "reason"};

[[noreturn]] void refuse(const std::string& path, std::string_view action) {
  throw FileError(fmt::format("cannot {} '{}': {}.", action, path, std::generic_category().message(errno)));
}

}  // namespace

bool is_name_of_finding(std::string_view name) { return std::ranges::find(names, name) != names.end(); }

std::string LineForm::header(std::string_view line) const {
  CsvLine fields(delimiter, excel_safe);
  for (const std::string_view name : names) fields.add_text(name);
  return fmt::format("{}{}{}", line, delimiter, fields.take());
}

std::string LineForm::extended(std::string_view line, const Verdict& verdict) const {
  if (is_json) {
    nlohmann::ordered_json members;
    members["score"] = verdict.score ? nlohmann::ordered_json(*verdict.score) : nlohmann::ordered_json(nullptr);
    members["is_anomaly"] =
        verdict.is_anomaly ? nlohmann::ordered_json(*verdict.is_anomaly) : nlohmann::ordered_json(nullptr);
    members["reason"] = verdict.reason;
    const std::string_view open = line.substr(0, line.rfind('}'));
    const bool is_empty = open.find('"') == std::string_view::npos;
    return fmt::format("{}{}{}\n", open, is_empty ? "" : ",", members.dump().substr(1));
  }
  CsvLine fields(delimiter, excel_safe);
  if (verdict.score)
    fields.add_number(*verdict.score);
  else
    fields.add_text("");
  fields.add_text(!verdict.is_anomaly ? "" : *verdict.is_anomaly ? "1" : "0");
  fields.add_text(verdict.reason);
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
          fmt::format("'{}' must hold the {} bytes that were written before the state was saved; it has {}.", path,
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
