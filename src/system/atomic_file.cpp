// SPDX-License-Identifier: Apache-2.0
#include "system/atomic_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "pidforest/error.h"
#include "system/descriptor.h"
#include "system/file_error.h"
#include "system/paths.h"

namespace pidforest::system {

namespace {

constexpr std::string_view tag = ".pidf-tmp-";

[[noreturn]] void refuse_temporary(const std::string& path, int error) {
  throw FileError(fmt::format("cannot write '{}': cannot create a temporary file next to it: {}.", path,
                              std::generic_category().message(error)),
                  error);
}

/// Whether the file at the end of all links exists but cannot be replaced.
bool is_written_plainly(const std::string& target) {
  if (names_descriptor(target)) return true;
  struct stat found{};
  return stat(target.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

/// The prefix of the temporary files of a name. Long names are cut, since the operating system limits their length.
std::string temporary_prefix(const std::string& target) {
  constexpr std::size_t longest = 200;
  return fmt::format(".{}{}", std::filesystem::path(target).filename().string().substr(0, longest), tag);
}

/// Removes a temporary file unless a running process holds its lock.
void remove_if_abandoned(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.is_open() && flock(file.get(), LOCK_EX | LOCK_NB) == 0) unlink(path.c_str());
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(follow_links(path_)) {
  if (is_written_plainly(target_))
    open_plain();
  else
    open_replacement();
}

void AtomicFile::open_replacement() {
  const std::filesystem::path target(target_);
  folder_ = target.has_parent_path() ? target.parent_path().string() : ".";
  std::error_code error;
  if (std::filesystem::is_directory(target, error)) throw file_error("write", path_, EISDIR);
  if (!target.has_filename()) throw file_error("write", path_, path_.empty() ? ENOENT : EISDIR);
  // A file that may not be written may not be replaced either, though the system would allow it.
  if (access(target_.c_str(), F_OK) == 0) check_writable(path_);
  remove_leftovers();
  open_temporary();
}

void AtomicFile::check(const std::string& path) {
  if (is_written_plainly(follow_links(path)))
    check_writable(path);
  else
    AtomicFile discarded(path);
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
  if (descriptor_ >= 0) close(descriptor_);
}

void AtomicFile::open_plain() {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) throw file_error("write", path_, errno);
}

void AtomicFile::open_temporary() {
  constexpr mode_t permissions = 0777;
  constexpr mode_t before_umask = 0666;
  struct stat old{};
  const bool is_new = stat(target_.c_str(), &old) != 0;
  // The umask can only take permissions away, so that at no time the new file is open to more users than the old one.
  const mode_t mode = is_new ? before_umask : old.st_mode & permissions;
  const std::string prefix = fmt::format("{}/{}{}-", folder_, temporary_prefix(target_), getpid());
  for (int i = 0; !try_temporary(prefix + std::to_string(i), mode); ++i) {
  }
  // Where permissions cannot be set, as on FAT, there are none to keep.
  if (!is_new) [[maybe_unused]]
    const int result = fchmod(descriptor_, mode);
}

/// False if there is such a file already.
bool AtomicFile::try_temporary(std::string name, unsigned mode) {
  const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0 && errno == EEXIST) return false;
  if (descriptor < 0) refuse_temporary(path_, errno);
  // Before the lock was held another process may have taken the file for a leftover.
  struct stat made{};
  while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
  }
  if (fstat(descriptor, &made) == 0 && made.st_nlink == 0) {
    close(descriptor);
    return false;
  }
  descriptor_ = descriptor;
  temporary_ = std::move(name);  // without an allocation, which could fail and leave the file behind
  return true;
}

void AtomicFile::remove_leftovers() const {
  const std::string prefix = temporary_prefix(target_);
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(folder_.c_str()), closedir);
  if (folder == nullptr) return;                         // a folder that cannot be read may still be written to
  while (const dirent* entry = readdir(folder.get())) {  // NOLINT(concurrency-mt-unsafe): the folder is our own
    const std::string_view name(&entry->d_name[0]);
    if (name.starts_with(prefix)) remove_if_abandoned(fmt::format("{}/{}", folder_, name));
  }
}

void AtomicFile::write(std::string_view bytes) {
  constexpr std::size_t most_pending = 1 << 16;
  while (!bytes.empty()) {
    const std::size_t n = std::min(bytes.size(), most_pending - pending_.size());
    pending_ += bytes.substr(0, n);
    bytes.remove_prefix(n);
    if (pending_.size() == most_pending) flush();
  }
}

void AtomicFile::flush() {
  std::string_view left = pending_;
  while (!left.empty()) {
    const ssize_t n = ::write(descriptor_, left.data(), left.size());
    if (n >= 0)
      left.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EINTR)
      throw file_error("write", path_, errno);
  }
  pending_.clear();
}

void AtomicFile::commit() {
  flush();
  if (temporary_.empty()) return;
  if (fsync(descriptor_) != 0) throw file_error("write", path_, errno);
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) throw file_error("replace", path_, errno);
  temporary_.clear();
  sync_folder();
}

void AtomicFile::sync_folder() const {
  const Descriptor folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return;  // a folder that cannot be read may still be written to
  if (fsync(folder.get()) != 0 && errno != EINVAL)
    throw FileError(
        fmt::format("'{}' is written, but might be lost on a power failure: cannot sync its folder to disk: {}.", path_,
                    std::generic_category().message(errno)));
}

}  // namespace pidforest::system
