// SPDX-License-Identifier: Apache-2.0
#include "system/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <span>

#include "system/descriptor.h"
#include "system/file_error.h"

namespace pidforest::system {

namespace {

std::size_t read_some(const Descriptor& file, const std::string& path, std::span<char> room) {
  while (true) {
    const ssize_t n = read(file.get(), room.data(), room.size());
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) throw file_error("read", path, errno);
  }
}

}  // namespace

void read_up_to(const ByteSource& source, std::uint64_t size, std::string& bytes) {
  constexpr std::uint64_t largest_piece = 1 << 20;
  while (bytes.size() < size) {
    const std::size_t n_before = bytes.size();
    const auto room = static_cast<std::size_t>(std::min(size - n_before, largest_piece));
    bytes.resize(n_before + room);
    const std::size_t n = source(std::span(bytes).subspan(n_before));
    bytes.resize(n_before + n);
    if (n == 0) return;
  }
}

std::string read_file(const std::string& path, std::size_t n_first,
                      const std::function<std::uint64_t(std::string_view first_bytes)>& size_of) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) throw file_error("open", path, errno);
  const ByteSource source = [&](std::span<char> room) { return read_some(file, path, room); };
  std::string bytes;
  read_up_to(source, n_first, bytes);
  const std::uint64_t size = size_of(bytes);
  read_up_to(source, size == std::numeric_limits<std::uint64_t>::max() ? size : size + 1, bytes);
  return bytes;
}

bool exists(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0) return true;
  if (errno == ENOENT) return false;
  throw file_error("open", path, errno);
}

std::optional<std::uint64_t> file_size(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace pidforest::system
