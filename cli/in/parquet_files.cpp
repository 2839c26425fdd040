// SPDX-License-Identifier: Apache-2.0
#include "in/parquet_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <system_error>

#include "pidforest/error.h"
#include "system/descriptor.h"

namespace pidforest::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* wildcards = "*?[";

/// Hidden files and the notes of other programs are no tables.
bool is_table(const std::string& name) {
  return name.ends_with(".parquet") && !name.starts_with('.') && !name.starts_with('_');
}

void add_files(const fs::path& folder, std::vector<std::string>& files) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code unknown;
    const bool is_folder = entry->is_directory(unknown);
    if (is_folder && name.find('=') != std::string::npos)
      add_files(entry->path(), files);
    else if (!is_folder && is_table(name))
      files.push_back(entry->path().string());
  }
  if (error) throw FileError(fmt::format("cannot read the folder '{}': {}.", folder.string(), error.message()));
}

std::vector<std::string> matches_of(const std::string& pattern) {
  glob_t found = {};
  const int result = glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> files;
  for (std::size_t i = 0; result == 0 && i < found.gl_pathc; ++i) files.emplace_back(found.gl_pathv[i]);
  globfree(&found);
  if (result == GLOB_NOSPACE) throw std::bad_alloc();
  if (files.empty()) throw FileError(fmt::format("no file matches '{}'.", pattern));
  return files;
}

void check_readable(const std::string& name) {
  const system::Descriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0)
    throw FileError(fmt::format("cannot open '{}': {}.", name, std::generic_category().message(errno)));
}

}  // namespace

std::vector<std::string> parquet_files(const std::string& name) {
  std::error_code unknown;
  std::vector<std::string> files;
  if (fs::is_directory(name, unknown)) {
    add_files(name, files);
    if (files.empty())
      throw FileError(fmt::format("'{}' is a directory without .parquet files; name a file or another folder.", name));
  } else if (!fs::exists(name, unknown) && name.find_first_of(wildcards) != std::string::npos) {
    files = matches_of(name);
  } else {
    files = {name};
  }
  std::ranges::sort(files);
  for (const std::string& file : files) check_readable(file);
  return files;
}

std::string as_pattern(const std::string& name) {
  std::string pattern;
  for (const char c : name) {
    const bool is_wildcard = std::string_view(wildcards).find(c) != std::string_view::npos;
    pattern += is_wildcard ? fmt::format("[{}]", c) : std::string(1, c);
  }
  return pattern;
}

}  // namespace pidforest::cli
