// SPDX-License-Identifier: Apache-2.0
// Questions to the operating system about a path, answered without opening the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pidforest::system {

/// Whether the path is an entry of /proc, as /proc/self/fd/1 is: a file or pipe that is open already.
bool names_descriptor(const std::string& path);

/// The path at the end of all symbolic links, also if there is no such file yet. Stops at a link that names an open
/// file. Throws FileError if the links form a loop or cannot be read.
std::string follow_links(const std::string& path);

/// Tells regular files apart, whatever links lead to them.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  /// The name of a file that does not exist yet, whose device and inode are those of its folder; otherwise empty.
  std::string name = {};

  bool operator==(const FileIdentity&) const = default;
};

/// The identity of the file at the end of all links. None for a pipe, a device or a folder, and where there is no
/// folder for the file. Throws FileError like `follow_links`.
std::optional<FileIdentity> identity_of(const std::string& path);
/// The identity of an open file.
std::optional<FileIdentity> identity_of(int descriptor);

/// Throws FileError if the process may not write to the file, or may not create it. The file is neither opened nor
/// created.
void check_writable(const std::string& path);

}  // namespace pidforest::system
