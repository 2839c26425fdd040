// SPDX-License-Identifier: Apache-2.0
#include "system/links.h"

#include <fmt/format.h>
#include <sys/vfs.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "pidforest/error.h"

namespace pidforest::system {

namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  throw FileError(fmt::format("cannot write '{}': {}.", path, std::generic_category().message(error)));
}

}  // namespace

bool names_descriptor(const std::string& path) {
  constexpr decltype(statfs::f_type) proc = 0x9fa0;  // PROC_SUPER_MAGIC
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  struct statfs found{};
  return statfs(folder.empty() ? "." : folder.c_str(), &found) == 0 && found.f_type == proc;
}

std::string follow_links(const std::string& path) {
  constexpr int most_links = 40;
  std::filesystem::path target(path);
  std::error_code error;
  for (int i = 0; std::filesystem::is_symlink(target, error) && !names_descriptor(target); ++i) {
    if (i == most_links) refuse(path, ELOOP);
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) refuse(path, error.value());
    target = target.parent_path() / next;  // an absolute path replaces what is before it
  }
  return target.string();
}

}  // namespace pidforest::system
