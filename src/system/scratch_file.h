// SPDX-License-Identifier: Apache-2.0
// A file without a name for what does not fit into memory; it is gone when it is closed, whatever happens.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace pidforest::system {

/// Throws FileError that names the folder and the reason.
class ScratchFile {
 public:
  /// An empty folder means TMPDIR, or else /tmp.
  explicit ScratchFile(std::string folder);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  [[nodiscard]] std::uint64_t size() const { return size_; }
  void append(std::span<const char> bytes);
  /// Fills `bytes` from the place on; there must be as many.
  void read(std::uint64_t place, std::span<char> bytes) const;

 private:
  std::string folder_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace pidforest::system
