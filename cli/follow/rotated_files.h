// SPDX-License-Identifier: Apache-2.0
// A file and the files beside it that rotation has made of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pidforest::cli {

/// What the operating system knows about a file.
struct FileStatus {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  /// In nanoseconds.
  std::uint64_t modified = 0;

  [[nodiscard]] bool is_same_file(const FileStatus& other) const {
    return device == other.device && inode == other.inode;
  }
};

/// Nullopt if there is no such file.
std::optional<FileStatus> status_of(const std::string& path);
FileStatus status_of(int descriptor);

struct RotatedFile {
  std::string path;
  FileStatus status;
};

/// Whether rotation makes files of this name from a file named `base`: app.log.1, app.log-20260301.gz,
/// app-20260301.log.
bool is_rotation_of(std::string_view base, std::string_view name);

/// The file, if it exists, and the rotated files beside it, oldest first; the file itself is the last. A compressed
/// file beside its uncompressed one is left out, because it may be unfinished. Throws FileError.
std::vector<RotatedFile> rotations_of(const std::string& path);

/// Whether the bytes of one file begin with all bytes of another. False if a file cannot be read.
bool begins_with(const std::string& path, const std::string& beginning);

}  // namespace pidforest::cli
