// SPDX-License-Identifier: Apache-2.0
#include "in/lines_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 16;

}  // namespace

bool LinesIn::read_more() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t size = buffer_.size();
  buffer_.resize(size + most_at_once);
  const std::size_t n = file_.read(std::span(buffer_).subspan(size));
  buffer_.resize(size + n);
  return n > 0;
}

std::optional<std::string_view> LinesIn::next() {
  std::size_t looked_at = begin_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', looked_at);
    if (end != std::string::npos) {
      std::string_view line = std::string_view(buffer_).substr(begin_, end - begin_);
      n_bytes_ += n_cut_ + line.size() + 1;
      n_cut_ = 0;
      begin_ = end + 1;
      ++n_lines_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      return line;
    }
    if (buffer_.size() - begin_ > 2 * longest_line) {  // keep enough to recognize the line as too long
      n_cut_ += longest_line;
      begin_ += longest_line;
    }
    const std::size_t n_left = buffer_.size() - begin_;
    if (!read_more()) {
      if (n_left == 0) return std::nullopt;
      buffer_ += '\n';
      --n_bytes_;  // the last line has no line end
    }
    looked_at = n_left;
  }
}

void LinesIn::begin_at(std::uint64_t n_bytes, std::uint64_t n_lines) {
  n_bytes_ = n_bytes;
  n_lines_ = n_lines;
}

void LinesIn::skip(std::uint64_t n_bytes, std::uint64_t n_lines) {
  for (std::uint64_t left = n_bytes; left > 0;) {
    if (begin_ == buffer_.size() && !read_more())
      throw InvalidInput(
          fmt::format("the input must contain the {} bytes that the state has already seen; it ends {} bytes earlier.",
                      n_bytes, left));
    const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(left, buffer_.size() - begin_));
    begin_ += n;
    left -= n;
  }
  begin_at(n_bytes, n_lines);
}

}  // namespace pidforest::cli
