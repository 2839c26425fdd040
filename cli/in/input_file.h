// SPDX-License-Identifier: Apache-2.0
// Reads a file or standard input and decompresses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "in/compressed.h"
#include "pidforest/options.h"
#include "pidforest/reader.h"
#include "system/descriptor.h"

namespace pidforest::cli {

class InputFile {
 public:
  /// "-" is standard input. The end of its name says how a file is compressed; for standard input the first
  /// bytes decide. `run` must outlive this. Throws FileError, InvalidInput for compressed data under a name that does
  /// not say so, or Cancelled.
  InputFile(const std::string& path, const Run& run);

  /// Waits for the next bytes; 0 is the end. Throws FileError, InvalidInput for damaged compressed data, or Cancelled
  /// soon after the flag is raised.
  std::size_t read(std::span<char> room) { return read_(room); }

  /// The number of bytes read from the file so far, before decompression.
  [[nodiscard]] std::uint64_t n_taken() const { return n_taken_; }
  [[nodiscard]] int descriptor() const { return file_.get(); }
  /// The size of the file before decompression, if it is known.
  [[nodiscard]] std::optional<std::uint64_t> size() const;

 private:
  std::size_t take(std::span<char> room);
  std::size_t read_compressed(std::span<char> room);

  const Run& run_;
  std::string name_;
  system::Descriptor file_;
  /// The first bytes, which the constructor has read to recognise compressed data.
  std::string first_;
  std::uint64_t n_taken_ = 0;
  ByteSource read_;
};

/// All bytes of a file, decompressed. Throws what InputFile throws.
std::string read_input(const std::string& path, const Run& run);

/// "'data.csv'", or "standard input".
std::string quoted_name(const std::string& path);

}  // namespace pidforest::cli
