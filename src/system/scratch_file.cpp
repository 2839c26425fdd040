// SPDX-License-Identifier: Apache-2.0
#include "system/scratch_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "pidforest/error.h"

namespace pidforest::system {

namespace {

[[noreturn]] void refuse(std::string_view what, const std::string& folder, std::string_view reason) {
  throw FileError(fmt::format("cannot {} a temporary file in '{}': {}. Set TMPDIR to a folder with more space.", what,
                              folder, reason));
}

std::string reason_of(int error) { return std::generic_category().message(error); }

std::string folder_or_default(std::string folder) {
  if (!folder.empty()) return folder;
  const char* given = std::getenv("TMPDIR");
  return given != nullptr && *given != '\0' ? given : "/tmp";
}

/// Not every file system can make a file without a name; then it has one for a moment.
int open_nameless(const std::string& folder) {
  constexpr int for_the_user_alone = 0600;
  const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, for_the_user_alone);
  if (descriptor >= 0) return descriptor;
  std::string name = folder + "/pidforest-XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace

ScratchFile::ScratchFile(std::string folder)
    : folder_(folder_or_default(std::move(folder))), descriptor_(open_nameless(folder_)) {
  if (descriptor_ < 0) refuse("make", folder_, reason_of(errno));
}

ScratchFile::~ScratchFile() { close(descriptor_); }

void ScratchFile::append(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse("write", folder_, reason_of(errno));
    size_ += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

void ScratchFile::read(std::uint64_t place, std::span<char> bytes) const {
  while (!bytes.empty()) {
    const ssize_t n = pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) refuse("read", folder_, n < 0 ? reason_of(errno) : "it is shorter than the data written to it");
    place += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

}  // namespace pidforest::system
