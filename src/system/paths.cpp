// SPDX-License-Identifier: Apache-2.0
#include "system/paths.h"

#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "system/file_error.h"

namespace pidforest::system {

namespace {

std::string folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

std::optional<FileIdentity> identity_of(const struct stat& found) {
  if (!S_ISREG(found.st_mode)) return std::nullopt;
  return FileIdentity{.device = found.st_dev, .inode = found.st_ino};
}

}  // namespace

bool names_descriptor(const std::string& path) {
  constexpr decltype(statfs::f_type) proc = 0x9fa0;  // PROC_SUPER_MAGIC
  struct statfs found{};
  return statfs(folder_of(path).c_str(), &found) == 0 && found.f_type == proc;
}

std::string follow_links(const std::string& path) {
  constexpr int most_links = 40;
  std::filesystem::path target(path);
  std::error_code error;
  for (int i = 0; std::filesystem::is_symlink(target, error) && !names_descriptor(target); ++i) {
    if (i == most_links) throw file_error("write", path, ELOOP);
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) throw file_error("write", path, error.value());
    target = target.parent_path() / next;  // an absolute path replaces what is before it
  }
  return target.string();
}

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat found{};
  if (stat(path.c_str(), &found) == 0) return identity_of(found);
  const std::string target = follow_links(path);
  if (stat(folder_of(target).c_str(), &found) != 0) return std::nullopt;
  return FileIdentity{
      .device = found.st_dev, .inode = found.st_ino, .name = std::filesystem::path(target).filename().string()};
}

std::optional<FileIdentity> identity_of(int descriptor) {
  struct stat found{};
  return fstat(descriptor, &found) == 0 ? identity_of(found) : std::nullopt;
}

void check_writable(const std::string& path) {
  const std::string target = follow_links(path);
  struct stat found{};
  if (stat(target.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) throw file_error("write", path, EISDIR);
  if (access(target.c_str(), W_OK) == 0) return;
  if (errno != ENOENT || target.empty()) throw file_error("write", path, errno);
  if (access(folder_of(target).c_str(), W_OK | X_OK) != 0) throw file_error("write", path, errno);
}

}  // namespace pidforest::system
