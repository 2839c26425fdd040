// SPDX-License-Identifier: Apache-2.0
// A file or standard input to read from, decompressed while reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "in/compressed.h"
#include "pidforest/options.h"

namespace pidforest::cli {

/// An open file that closes itself; "-" is standard input.
class Descriptor {
 public:
  /// Throws FileError, or Cancelled as `run` says.
  Descriptor(const std::string& path, const Run& run);
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;

  /// Waits for bytes; 0 is the end. Throws FileError, or Cancelled soon after the flag is raised.
  std::size_t read(std::span<char> room, const Run& run) const;
  /// The number of bytes, if known.
  [[nodiscard]] std::optional<std::uint64_t> size() const;

 private:
  std::string name_;
  bool is_stdin_;
  int descriptor_;
};

class InputFile {
 public:
  /// Decompresses files that end in .gz or .zst; for standard input the first bytes decide. `run` must outlive this.
  /// Throws FileError, InvalidInput for compressed data under another name, or Cancelled.
  InputFile(const std::string& path, const Run& run);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  InputFile(InputFile&&) = delete;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile() = default;

  /// The next bytes; 0 is the end. Throws FileError, InvalidInput for damaged compressed data, or Cancelled.
  std::size_t read(std::span<char> room) { return read_(room); }

  /// The number of (compressed) bytes read from the file so far, and its size, if known.
  [[nodiscard]] std::uint64_t n_taken() const { return n_taken_; }
  [[nodiscard]] std::optional<std::uint64_t> size() const { return descriptor_.size(); }

 private:
  std::size_t take(std::span<char> room);

  const Run& run_;
  Descriptor descriptor_;
  /// The first bytes, read to detect compression.
  std::string first_;
  std::uint64_t n_taken_ = 0;
  ReadBytes read_;
};

/// All bytes of a file, decompressed. Throws what InputFile throws.
std::string read_file(const std::string& path, const Run& run);

/// "'data.csv'", or "standard input".
std::string quoted_name(const std::string& path);

}  // namespace pidforest::cli
