// SPDX-License-Identifier: Apache-2.0
// Writes a file so that a reader finds either the old file or the new one, complete, even after a crash.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pidforest::system {

/// The bytes go to a temporary file in the same folder, `.NAME.pidf-tmp-...`, which replaces the old file at `commit`.
/// Without a commit nothing changes. A temporary file that a killed process left behind is removed by the next process
/// that writes the same name; the temporary file of a running process is not.
///
/// A symbolic link stays, and its target is replaced. The new file has the permissions of the old one, or those that
/// the umask gives; the temporary file never has more. A file that cannot be replaced is written to directly, at its
/// end: a pipe, a device such as /dev/null, and an open file that is named by its descriptor, as /dev/stdout and
/// /dev/fd/3 do.
class AtomicFile {
 public:
  /// Throws FileError if the file cannot be written.
  explicit AtomicFile(std::string path);
  /// Discards the new file if it was not committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws FileError if a file of this path could not be opened for writing now. A pipe or device is not opened, since
  /// that would tell its reader that the text has ended.
  static void check(const std::string& path);

  /// Throws FileError, as when the disk is full.
  void write(std::string_view bytes);

  /// Replaces the old file and writes the new one through to the disk. Call it once, last. Throws FileError; the old
  /// file is then unchanged, unless the message says that only the folder could not be written to the disk.
  void commit();

 private:
  void open_plain();
  void open_replacement();
  void open_temporary();
  bool try_temporary(std::string name, unsigned mode);
  void remove_leftovers() const;
  void flush();
  void sync_folder() const;

  /// As the caller named it.
  std::string path_;
  /// The file that is replaced: the path with all symbolic links followed.
  std::string target_;
  std::string folder_;
  /// Empty if the path is written to directly, and after the commit.
  std::string temporary_;
  int descriptor_ = -1;
  /// Bytes not yet passed to the operating system.
  std::string pending_;
};

}  // namespace pidforest::system
