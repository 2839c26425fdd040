// SPDX-License-Identifier: Apache-2.0
#include "in/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

void check_cancelled(const Run& run) {
  if (run.cancel != nullptr && run.cancel->load()) throw Cancelled();
}

[[noreturn]] void refuse(std::string_view what, const std::string& name, int error) {
  throw FileError(fmt::format("cannot {} {}: {}.", what, name, std::generic_category().message(error)));
}

int opened(const std::string& path, const Run& run) {
  while (true) {
    check_cancelled(run);
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) return descriptor;
    if (errno != EINTR) refuse("open", quoted_name(path), errno);
  }
}

/// Refuses compressed data in a file whose name does not end in .gz or .zst.
Compression compression_of(const std::string& path, std::string_view first_bytes) {
  const Compression content = compression_by_content(first_bytes);
  if (path == "-") return content;
  const Compression promised = compression_by_name(path);
  if (promised == Compression::none && content != Compression::none)
    throw InvalidInput(fmt::format(
        "'{0}' is {1}-compressed but its name does not end in {2}: rename it to {0}{2}, or pipe it through {1} -d.",
        path, name_of(content), suffix_of(content)));
  return promised;
}

}  // namespace

std::string quoted_name(const std::string& path) { return path == "-" ? "standard input" : fmt::format("'{}'", path); }

Descriptor::Descriptor(const std::string& path, const Run& run)
    : name_(quoted_name(path)), is_stdin_(path == "-"), descriptor_(is_stdin_ ? STDIN_FILENO : opened(path, run)) {}

Descriptor::~Descriptor() {
  if (!is_stdin_) close(descriptor_);
}

std::size_t Descriptor::read(std::span<char> room, const Run& run) const {
  // A signal that arrives just before the wait does not end it, so every wait is short.
  constexpr int wait_milliseconds = 200;
  constexpr std::size_t most = std::size_t{1} << 26;
  while (true) {
    check_cancelled(run);
    pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, wait_milliseconds) == 0) continue;
    check_cancelled(run);
    const ssize_t n = ::read(descriptor_, room.data(), std::min(room.size(), most));
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR && errno != EAGAIN) refuse("read", name_, errno);
  }
}

std::optional<std::uint64_t> Descriptor::size() const {
  struct stat status = {};
  if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

InputFile::InputFile(const std::string& path, const Run& run) : run_(run), descriptor_(path, run) {
  constexpr std::size_t n_first = 4;
  std::string first(n_first, '\0');
  std::size_t n = 0;
  while (n < n_first) {
    const std::size_t more = descriptor_.read(std::span(first).subspan(n), run);
    if (more == 0) break;
    n += more;
  }
  first_ = first.substr(0, n);
  read_ = decompressed(
      compression_of(path, first_), [this](std::span<char> room) { return take(room); }, quoted_name(path));
}

std::size_t InputFile::take(std::span<char> room) {
  std::size_t n = std::min(first_.size(), room.size());
  if (n > 0) {
    std::ranges::copy(first_.substr(0, n), room.begin());
    first_.erase(0, n);
  } else {
    n = descriptor_.read(room, run_);
  }
  n_taken_ += n;
  return n;
}

std::string read_file(const std::string& path, const Run& run) {
  InputFile file(path, run);
  constexpr std::size_t least_room = 1 << 20;
  std::string text;
  std::size_t n_read = 0;
  while (true) {
    if (n_read == text.size()) text.resize(std::max(least_room, 2 * text.size()));
    const std::size_t n = file.read(std::span(text).subspan(n_read));
    if (n == 0) break;
    n_read += n;
  }
  text.resize(n_read);
  return text;
}

}  // namespace pidforest::cli
