// SPDX-License-Identifier: Apache-2.0
// Lines of a file or of standard input, one at a time as they arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "in/fingerprint.h"
#include "in/line_source.h"
#include "pidforest/options.h"
#include "pidforest/reader.h"

namespace pidforest::cli {

class LinesIn final : public LineSource {
 public:
  /// Longer lines are truncated and therefore not valid rows.
  static constexpr std::size_t longest_line = std::size_t{1} << 24;

  /// At the end of the input, a line without its end is taken as it is, or waits: a later run reads its rest.
  enum class LastLine : bool { is_whole, waits };
  /// A resumed run gets the whole input again, or only what comes after its position.
  enum class Again : bool { whole, rest };

  /// `run` must outlive this. Throws what InputFile throws.
  LinesIn(const std::string& path, const Run& run, LastLine last, Again again = Again::whole);
  /// The lines of a source, which may have more bytes after it has returned 0.
  LinesIn(ByteSource source, LastLine last) : read_(std::move(source)), last_(last) {}

  std::optional<std::string_view> next() override;
  /// No more bytes will come: a line without its end is taken as it is.
  void end_here() { last_ = LastLine::is_whole; }

  [[nodiscard]] std::uint64_t n_lines() const override { return n_lines_; }
  [[nodiscard]] LinesPosition position() const override;
  void resume(const LinesPosition& position) override;

 private:
  bool read_more();
  void begin_after(const LinesPosition& position);
  void skip(const LinesPosition& position);

  ByteSource read_;
  LastLine last_;
  Again again_ = Again::whole;
  /// Whether the last line end of the buffer is not one of the input.
  bool is_end_made_ = false;
  std::vector<char> room_;
  std::string buffer_;
  /// The position in the buffer up to which lines were returned.
  std::size_t begin_ = 0;
  std::uint64_t n_dropped_ = 0;
  std::uint64_t n_bytes_ = 0;
  std::uint64_t n_lines_ = 0;
  /// The bytes of all returned lines, and then also the dropped bytes of the next line.
  Fingerprint fingerprint_;
  Fingerprint dropped_fingerprint_;
};

}  // namespace pidforest::cli
