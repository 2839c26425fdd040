// SPDX-License-Identifier: Apache-2.0
#include "in/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>

#include "pidforest/error.h"
#include "system/parallel.h"
#include "system/read_file.h"

namespace pidforest::cli {

namespace {

[[noreturn]] void refuse(std::string_view what, const std::string& name, int error) {
  throw FileError(fmt::format("cannot {} {}: {}.", what, name, std::generic_category().message(error)));
}

/// The standard input is duplicated, so that closing the descriptor leaves it open.
int opened(const std::string& path, const Run& run) {
  if (path == "-") {
    const int descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0) refuse("read", quoted_name(path), errno);
    return descriptor;
  }
  while (true) {
    system::check_cancelled(run);
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) return descriptor;
    if (errno != EINTR) refuse("open", quoted_name(path), errno);
  }
}

/// The compression of a file. Throws InvalidInput if its name and its content disagree.
Compression compression_of(const std::string& path, std::string_view first_bytes) {
  const Compression content = compression_by_content(first_bytes);
  if (path == "-") return content;
  const Compression promised = compression_by_name(path);
  // Workbooks of Excel are zip archives under another name, and the reader says what they are.
  if (content == Compression::zip) return promised;
  if (promised == Compression::none && content != Compression::none)
    throw InvalidInput(fmt::format(
        "'{0}' is {1}-compressed but its name does not end in {2}: rename it to {0}{2}, or pipe it through {3}.", path,
        name_of(content), suffix_of(content), command_of(content)));
  return promised;
}

}  // namespace

std::string quoted_name(const std::string& path) { return path == "-" ? "standard input" : fmt::format("'{}'", path); }

InputFile::InputFile(const std::string& path, const Run& run)
    : run_(run), name_(quoted_name(path)), file_(opened(path, run)) {
  system::read_up_to([this](std::span<char> room) { return read_compressed(room); }, n_first_bytes, first_);
  read_ = decompressed(compression_of(path, first_), [this](std::span<char> room) { return take(room); }, name_);
}

std::optional<std::uint64_t> InputFile::size() const {
  struct stat status = {};
  if (fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

std::size_t InputFile::read_compressed(std::span<char> room) {
  // A signal that arrives just before the wait does not end it, so no wait is long.
  constexpr int wait_milliseconds = 200;
  constexpr std::size_t most = std::size_t{1} << 26;
  while (true) {
    system::check_cancelled(run_);
    pollfd waiting{.fd = file_.get(), .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, wait_milliseconds) == 0) continue;
    system::check_cancelled(run_);
    const ssize_t n = ::read(file_.get(), room.data(), std::min(room.size(), most));
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR && errno != EAGAIN) refuse("read", name_, errno);
  }
}

std::size_t InputFile::take(std::span<char> room) {
  std::size_t n = std::min(first_.size(), room.size());
  if (n > 0) {
    std::ranges::copy(first_.substr(0, n), room.begin());
    first_.erase(0, n);
  } else {
    n = read_compressed(room);
  }
  n_taken_ += n;
  return n;
}

std::string read_input(const std::string& path, const Run& run) {
  InputFile file(path, run);
  std::string text;
  system::read_up_to([&](std::span<char> room) { return file.read(room); }, std::numeric_limits<std::uint64_t>::max(),
                     text);
  return text;
}

}  // namespace pidforest::cli
