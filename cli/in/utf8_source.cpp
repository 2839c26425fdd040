// SPDX-License-Identifier: Apache-2.0
#include "in/utf8_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "pidforest/error.h"
#include "system/read_file.h"
#include "values/number_words.h"
#include "values/utf8.h"

namespace pidforest::cli {

namespace {

constexpr std::size_t piece_size = std::size_t{1} << 16;
constexpr char32_t replacement = 0xFFFD;

/// The characters of the bytes 0x80 to 0x9F in Windows-1252; bytes without one are control characters.
constexpr std::array<char16_t, 32> windows_characters{0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                      0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                                      0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

void append_character(char32_t c, std::string& text) {
  const auto tail = [](char32_t bits) { return static_cast<char>(0x80U | (bits & 0x3FU)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0U | c >> 6U);
    text += tail(c);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0U | c >> 12U);
    text += {tail(c >> 6U), tail(c)};
  } else {
    text += static_cast<char>(0xF0U | c >> 18U);
    text += {tail(c >> 12U), tail(c >> 6U), tail(c)};
  }
}

void append_windows_byte(char byte, std::string& text) {
  const auto code = static_cast<unsigned char>(byte);
  append_character(code >= 0x80 && code < 0xA0 ? char32_t{windows_characters.at(code - 0x80U)} : char32_t{code}, text);
}

/// The number of ASCII characters at the beginning. Most files have no others, so they are looked at 64 at a time.
std::size_t n_ascii(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::array<std::uint64_t, 8> words{};
  std::size_t n = 0;
  for (; n + sizeof words <= text.size(); n += sizeof words) {
    std::memcpy(words.data(), text.data() + n, sizeof words);
    std::uint64_t all = 0;
    for (const std::uint64_t word : words) all |= word;
    if ((all & high_bits) != 0) break;
  }
  while (n < text.size() && static_cast<unsigned char>(text[n]) < 0x80) ++n;
  return n;
}

/// The number of bytes at the beginning that are whole characters of UTF-8.
std::size_t n_valid(std::string_view text) {
  std::size_t n = 0;
  while (true) {
    n += n_ascii(text.substr(n));
    if (n == text.size()) return n;
    const std::size_t size = values::first_character_size(text.substr(n));
    if (size == 0) return n;
    n += size;
  }
}

/// Whether more bytes could make a character of these few.
bool may_be_cut(std::string_view text) {
  constexpr std::array<std::string_view, 3> ends{"\x80", "\x80\x80", "\x80\x80\x80"};
  constexpr std::array<std::string_view, 3> other_ends{"\xBF", "\xBF\xBF", "\xBF\xBF\xBF"};
  if (text.size() > 3) return false;
  const auto makes_one = [&](std::string_view end) {
    return values::first_character_size(std::string(text) + std::string(end)) == text.size() + end.size();
  };
  return std::ranges::any_of(ends, makes_one) || std::ranges::any_of(other_ends, makes_one);
}

bool looks_like_utf16(std::string_view begin, bool is_big) {
  if (begin.size() < 4) return false;
  const std::size_t zero = is_big ? 0 : 1;
  return begin[zero] == 0 && begin[zero + 2] == 0 && begin[1 - zero] != 0 && begin[3 - zero] != 0;
}

/// Files that are no text have control characters among the first eight bytes. The reader says what they are.
bool is_binary(std::string_view begin) {
  return std::ranges::any_of(
      begin, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r'; });
}

}  // namespace

Encoding parse_encoding(std::string_view word) {
  if (word == "auto") return Encoding::automatic;
  if (word == "utf-8") return Encoding::utf8;
  if (word == "utf-16") return Encoding::utf16;
  if (word == "latin-1") return Encoding::windows_1252;
  throw InvalidOption(fmt::format("--encoding must be one of auto, utf-8, utf-16, latin-1; got {}.", word));
}

Utf8Source::Utf8Source(ByteSource source, Encoding encoding)
    : source_(std::move(source)), declared_(encoding), encoding_(encoding) {}

std::size_t Utf8Source::read(std::span<char> room) {
  if (!has_begun_) look_at_the_beginning();
  if (encoding_ == Encoding::utf8 && text_.empty()) return source_(room);
  while (text_.empty()) {
    if (raw_.empty() && encoding_ == Encoding::automatic) {
      if (const std::size_t n = read_valid(room); n > 0 || raw_.empty()) return n;
    }
    const std::size_t n_before = raw_.size();
    take_more();
    const bool is_at_end = raw_.size() == n_before;
    convert(is_at_end);
    if (is_at_end && text_.empty()) return 0;
  }
  return drain(room);
}

/// Reads into the room itself what is valid UTF-8, and keeps the rest.
std::size_t Utf8Source::read_valid(std::span<char> room) {
  const std::string_view read(room.data(), source_(room));
  const std::size_t n = n_valid(read);
  raw_ = read.substr(n);
  n_passed_ += n;
  return n;
}

std::size_t Utf8Source::drain(std::span<char> room) {
  const std::size_t n = std::min(text_.size(), room.size());
  std::ranges::copy(text_.substr(0, n), room.begin());
  text_.erase(0, n);
  return n;
}

void Utf8Source::take_more() {
  std::vector<char> piece(piece_size);
  raw_.append(piece.data(), source_(piece));
}

void Utf8Source::look_at_the_beginning() {
  has_begun_ = true;
  if (encoding_ == Encoding::utf8 || encoding_ == Encoding::windows_1252) return;
  constexpr std::size_t n_first = 8;
  system::read_up_to(source_, n_first, raw_);
  const bool has_big_mark = raw_.starts_with("\xFE\xFF");
  const bool has_mark = has_big_mark || raw_.starts_with("\xFF\xFE");
  is_big_endian_ = has_big_mark || (!has_mark && looks_like_utf16(raw_, true));
  if (has_mark || is_big_endian_ || looks_like_utf16(raw_, false)) encoding_ = Encoding::utf16;
  if (has_mark) raw_.erase(0, 2);
  if (encoding_ != Encoding::automatic || !is_binary(raw_)) return;
  encoding_ = Encoding::utf8;
  text_ = std::exchange(raw_, {});
}

void Utf8Source::convert(bool is_at_end) {
  std::size_t n = 0;
  if (encoding_ == Encoding::utf16)
    n = convert_utf16(raw_, is_at_end);
  else if (encoding_ == Encoding::windows_1252)
    n = convert_windows(raw_);
  else
    n = convert_mixed(raw_, is_at_end);
  raw_.erase(0, n);
  n_passed_ += n;
}

std::size_t Utf8Source::convert_mixed(std::string_view raw, bool is_at_end) {
  std::size_t n = 0;
  while (true) {
    const std::size_t valid = n_valid(raw.substr(n));
    text_ += raw.substr(n, valid);
    n += valid;
    if (n == raw.size() || (!is_at_end && may_be_cut(raw.substr(n)))) return n;
    if (n_not_utf8_++ == 0) first_not_utf8_ = n_passed_ + n;
    append_windows_byte(raw[n++], text_);
  }
}

std::size_t Utf8Source::convert_utf16(std::string_view raw, bool is_at_end) {
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(raw[at]);
    const auto second = static_cast<unsigned char>(raw[at + 1]);
    return static_cast<char32_t>(is_big_endian_ ? first << 8U | second : second << 8U | first);
  };
  std::size_t n = 0;
  for (; n + 2 <= raw.size(); n += 2) {
    char32_t c = unit(n);
    if (c >= 0xD800 && c < 0xDC00) {
      if (n + 4 > raw.size() && !is_at_end) return n;
      const char32_t low = n + 4 <= raw.size() ? unit(n + 2) : 0;
      const bool is_pair = low >= 0xDC00 && low < 0xE000;
      c = is_pair ? 0x10000 + ((c - 0xD800) << 10U) + (low - 0xDC00) : replacement;
      n += is_pair ? 2 : 0;
    } else if (c >= 0xDC00 && c < 0xE000) {
      c = replacement;
    }
    append_character(c, text_);
  }
  if (!is_at_end || n == raw.size()) return n;
  append_character(replacement, text_);
  return raw.size();
}

std::size_t Utf8Source::convert_windows(std::string_view raw) {
  for (const char byte : raw) append_windows_byte(byte, text_);
  return raw.size();
}

std::string Utf8Source::note() const {
  if (n_not_utf8_ > 0)
    return fmt::format(
        "{} that are not UTF-8 were read as Latin-1 (Windows-1252), the first at byte {}; --encoding "
        "utf-8 refuses them",
        values::counted(n_not_utf8_, "byte"), first_not_utf8_);
  return encoding_ == Encoding::utf16 && declared_ == Encoding::automatic ? "the file is UTF-16" : "";
}

}  // namespace pidforest::cli
