// SPDX-License-Identifier: Apache-2.0
// Writing a file so that whoever looks finds the old one or the new one, whole, whatever happens in between.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pidforest {

/// What is written goes to a temporary file in the same folder, `.NAME.pidf-tmp-...`, which takes the place of the old
/// file at `commit`. Without a commit nothing has happened. What a killed process has left behind is removed by the
/// next one that writes the same name; what a living one is writing is not.
///
/// A symbolic link stays, and what it leads to is replaced. The new file has the permissions of the old one, or those
/// that the umask leaves. A path that leads to no regular file (a pipe, /dev/stdout, /dev/null) cannot be replaced and
/// is written to as it is, as are all paths below /dev/ and /proc/.
class AtomicFile {
 public:
  /// Throws FileError if the file cannot be written.
  explicit AtomicFile(std::string path);
  /// Discards what was not committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  AtomicFile(AtomicFile&&) = delete;
  AtomicFile& operator=(AtomicFile&&) = delete;

  /// Throws FileError, as when the disk is full.
  void write(std::string_view bytes);

  /// Puts the file in its place, safe from a loss of power. To be called once, last. Throws FileError; the old file is
  /// then as it was, unless the message says that only the folder could not be written to the disk.
  void commit();

 private:
  void open_plain();
  void open_replacement();
  void open_temporary();
  bool try_temporary(const std::string& name);
  void take_permissions() const;
  void remove_leftovers() const;
  void flush();
  void sync_folder() const;

  /// As the caller named it.
  std::string path_;
  /// What is replaced: the path with all symbolic links followed.
  std::string target_;
  std::string folder_;
  /// Empty where the path is written to as it is, and once the file is in its place.
  std::string temporary_;
  int descriptor_ = -1;
  /// Not yet given to the system.
  std::string pending_;
};

}  // namespace pidforest
