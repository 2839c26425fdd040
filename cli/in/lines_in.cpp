// SPDX-License-Identifier: Apache-2.0
#include "in/lines_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "in/input_file.h"
#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 16;

}  // namespace

LinesIn::LinesIn(const std::string& path, const Run& run, LastLine last, Again again) : last_(last), again_(again) {
  const auto file = std::make_shared<InputFile>(path, run);
  read_ = [file](std::span<char> room) { return file->read(room); };
}

/// An exception leaves the buffer as it was.
bool LinesIn::read_more() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  room_.resize(most_at_once);
  const std::size_t n = read_(room_);
  buffer_.append(room_.data(), n);
  return n > 0;
}

std::optional<std::string_view> LinesIn::next() {
  std::size_t looked_at = begin_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', looked_at);
    if (end != std::string::npos) {
      std::string_view line = std::string_view(buffer_).substr(begin_, end - begin_);
      n_bytes_ += n_dropped_ + line.size() + 1;
      n_dropped_ = 0;
      const bool is_made = is_end_made_ && end + 1 == buffer_.size();
      fingerprint_ =
          dropped_fingerprint_.add(std::string_view(buffer_).substr(begin_, end + (is_made ? 0 : 1) - begin_));
      begin_ = end + 1;
      ++n_lines_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      return line;
    }
    if (buffer_.size() - begin_ > 2 * longest_line) {  // keep enough to recognize the line as too long
      n_dropped_ += longest_line;
      dropped_fingerprint_.add(std::string_view(buffer_).substr(begin_, longest_line));
      begin_ += longest_line;
    }
    const std::size_t n_left = buffer_.size() - begin_;
    if (!read_more()) {
      if (n_left == 0 || last_ == LastLine::waits) return std::nullopt;
      buffer_ += '\n';
      is_end_made_ = true;
      --n_bytes_;  // the last line has no line end
    }
    looked_at = n_left;
  }
}

LinesPosition LinesIn::position() const {
  LinesPosition position{.n_bytes = n_bytes_, .n_lines = n_lines_};
  position.fingerprint = position.dropped_fingerprint = fingerprint_.value();
  if (buffer_.find('\n', begin_) != std::string::npos) return position;  // whole lines are read again
  position.rest = buffer_.substr(begin_);
  position.n_dropped = n_dropped_;
  position.dropped_fingerprint = dropped_fingerprint_.value();
  return position;
}

void LinesIn::resume(const LinesPosition& position) {
  if (again_ == Again::whole) return skip(position);
  begin_after(position);
}

/// Takes the input for the continuation of one that was read up to `position`.
void LinesIn::begin_after(const LinesPosition& position) {
  n_bytes_ = position.n_bytes;
  n_lines_ = position.n_lines;
  n_dropped_ = position.n_dropped;
  fingerprint_ = Fingerprint(position.fingerprint);
  dropped_fingerprint_ = Fingerprint(position.dropped_fingerprint);
  buffer_ = position.rest;
}

/// Skips the whole lines up to `position`.
void LinesIn::skip(const LinesPosition& position) {
  for (std::uint64_t left = position.n_bytes; left > 0;) {
    if (begin_ == buffer_.size() && !read_more())
      throw InvalidInput(
          fmt::format("the input must contain the {} bytes that the state has already seen; it ends {} bytes earlier.",
                      position.n_bytes, left));
    const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(left, buffer_.size() - begin_));
    fingerprint_.add(std::string_view(buffer_).substr(begin_, n));
    begin_ += n;
    left -= n;
  }
  if (fingerprint_.value() != position.fingerprint)
    throw InvalidInput(fmt::format(
        "the input must begin with the {} bytes that the state has already seen; it begins with other bytes. Use the "
        "input of the state, or another state file.",
        position.n_bytes));
  dropped_fingerprint_ = fingerprint_;
  n_bytes_ = position.n_bytes;
  n_lines_ = position.n_lines;
}

}  // namespace pidforest::cli
