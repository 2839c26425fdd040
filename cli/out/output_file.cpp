// SPDX-License-Identifier: Apache-2.0
#include "out/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <system_error>

#include "out/printable.h"
#include "pidforest/error.h"

namespace pidforest::cli {

void write_styled(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
    if (n >= 0)
      text.remove_prefix(static_cast<std::size_t>(n));
    else if (errno == EPIPE)
      throw PipeClosed();
    else if (errno != EINTR)
      throw FileError(fmt::format("cannot write the output: {}.", std::generic_category().message(errno)));
  }
}

void write_stdout(std::string_view text) {
  static const bool is_terminal = isatty(STDOUT_FILENO) != 0;
  if (is_terminal)
    write_styled(printable_lines(text));
  else
    write_styled(text);
}

void add_output_flag(CLI::App& verb, std::string& path) {
  verb.add_option("--output", path,
                  "output file, written completely or not at all; standard output by default, or with -")
      ->type_name("FILE");
}

OutputFile::OutputFile(const std::string& path) {
  if (path != "-") file_.emplace(path);
}

void OutputFile::write(std::string_view text) {
  constexpr std::size_t enough = std::size_t{1} << 18;
  if (file_) return file_->write(text);
  pending_ += text;
  if (pending_.size() < enough) return;
  write_stdout(pending_);
  pending_.clear();
}

void OutputFile::commit() {
  if (file_) return file_->commit();
  write_stdout(pending_);
  pending_.clear();
}

}  // namespace pidforest::cli
