// SPDX-License-Identifier: Apache-2.0
#include "follow/rotated_files.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <memory>
#include <system_error>
#include <tuple>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

constexpr std::array<std::string_view, 5> compressed_suffixes{".gz", ".zst", ".bz2", ".xz", ".zip"};

std::string_view without_compression(std::string_view name) {
  for (const std::string_view suffix : compressed_suffixes)
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  return name;
}

/// "1", "-20260301", ".20260301-0415" after a separator.
bool is_number_or_date(std::string_view text) {
  if (text.size() < 2 || std::string_view(".-_").find(text.front()) == std::string_view::npos) return false;
  return text[1] >= '0' && text[1] <= '9' && text.find_first_not_of("0123456789.-_:T") == std::string_view::npos;
}

FileStatus status_from(const struct stat& found) {
  constexpr std::uint64_t nanoseconds = 1'000'000'000;
  return {.device = static_cast<std::uint64_t>(found.st_dev),
          .inode = static_cast<std::uint64_t>(found.st_ino),
          .size = static_cast<std::uint64_t>(found.st_size),
          .modified = static_cast<std::uint64_t>(found.st_mtim.tv_sec) * nanoseconds +
                      static_cast<std::uint64_t>(found.st_mtim.tv_nsec)};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

/// The names of a folder that belong to `path`. A rename moves a name while the folder is read, so the caller compares
/// two lists.
std::vector<std::string> names_beside(const std::string& path) {
  const std::string folder = folder_of(path);
  const std::string base = path.substr(folder.size());
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.empty() ? "." : folder.c_str()), closedir);
  if (!open)
    throw FileError(fmt::format("cannot list the folder of '{}': {}.", path, std::generic_category().message(errno)));
  std::vector<std::string> names;
  while (const dirent* entry = readdir(open.get()))
    if (is_rotation_of(base, entry->d_name)) names.emplace_back(entry->d_name);
  std::ranges::sort(names);
  return names;
}

std::vector<RotatedFile> listed(const std::string& path) {
  const std::string folder = folder_of(path);
  const std::vector<std::string> names = names_beside(path);
  std::vector<RotatedFile> files;
  for (const std::string& name : names) {
    const std::string_view plain = without_compression(name);
    if (plain != name && std::ranges::find(names, plain) != names.end()) continue;
    if (const auto status = status_of(folder + name)) files.push_back({folder + name, *status});
  }
  if (const auto status = status_of(path)) files.push_back({path, *status});
  return files;
}

bool is_same_list(const std::vector<RotatedFile>& a, const std::vector<RotatedFile>& b) {
  return std::ranges::equal(a, b, [](const RotatedFile& x, const RotatedFile& y) {
    return x.path == y.path && x.status.is_same_file(y.status);
  });
}

/// The number at the end of app.log.3; higher numbers are older. 0 for other names.
std::uint64_t age_by_name(std::string_view path) {
  path = without_compression(path);
  const std::string_view digits = path.substr(path.rfind('.') + 1);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? number : 0;
}

}  // namespace

std::optional<FileStatus> status_of(const std::string& path) {
  struct stat found = {};
  return stat(path.c_str(), &found) == 0 ? std::optional(status_from(found)) : std::nullopt;
}

FileStatus status_of(int descriptor) {
  struct stat found = {};
  return fstat(descriptor, &found) == 0 ? status_from(found) : FileStatus();
}

bool is_rotation_of(std::string_view base, std::string_view name) {
  name = without_compression(name);
  if (name.starts_with(base) && is_number_or_date(name.substr(base.size()))) return true;
  const std::size_t dot = base.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string_view stem = base.substr(0, dot);
  const std::string_view extension = base.substr(dot);
  return name.size() > base.size() && name.starts_with(stem) && name.ends_with(extension) &&
         is_number_or_date(name.substr(stem.size(), name.size() - base.size()));
}

std::vector<RotatedFile> rotations_of(const std::string& path) {
  constexpr int most_attempts = 20;
  std::vector<RotatedFile> files = listed(path);
  for (int i = 0; i < most_attempts; ++i) {
    std::vector<RotatedFile> again = listed(path);
    const bool is_settled = is_same_list(files, again);
    files = std::move(again);
    if (is_settled) break;
  }
  // The clock of modification times has ticks of some milliseconds, so names decide among files of one tick.
  const auto order = [&](const RotatedFile& file) {
    const std::uint64_t age = age_by_name(file.path);
    return std::tuple(file.path == path, file.status.modified, ~age, std::string_view(file.path));
  };
  std::ranges::sort(files, [&](const RotatedFile& a, const RotatedFile& b) { return order(a) < order(b); });
  return files;
}

bool begins_with(const std::string& path, const std::string& beginning) {
  constexpr std::size_t at_once = std::size_t{1} << 16;
  std::ifstream whole(path, std::ios::binary);
  std::ifstream part(beginning, std::ios::binary);
  std::string a(at_once, '\0');
  std::string b(at_once, '\0');
  while (whole && part) {
    part.read(b.data(), static_cast<std::streamsize>(at_once));
    const std::streamsize n = part.gcount();
    whole.read(a.data(), n);
    if (whole.gcount() != n || !std::equal(b.begin(), b.begin() + n, a.begin())) return false;
  }
  return part.eof();
}

}  // namespace pidforest::cli
