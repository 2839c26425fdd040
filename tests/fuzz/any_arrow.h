// SPDX-License-Identifier: Apache-2.0
// Arrow arrays from the bytes of a fuzzer. Every buffer has exactly the size that format, offset and length promise;
// everything else is arbitrary: values, offsets, views, nulls, dictionaries, and members that contradict each other.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "made_arrow.h"

namespace pidforest::fuzz {

/// Consumes the input from its front; beyond its end all bytes are 0.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}

  std::string take(std::size_t n) {
    std::string taken(bytes_.substr(0, n));
    bytes_.remove_prefix(taken.size());
    taken.resize(n);
    return taken;
  }
  /// A number below n, which is at most 256.
  std::size_t below(std::size_t n) { return static_cast<unsigned char>(take(1)[0]) % n; }
  bool one_in(std::size_t n) { return below(n) == n - 1; }
  bool is_at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

/// A format and the bytes of a value; 0 for formats without an array of values of fixed size.
struct ValueFormat {
  std::string format;
  std::size_t n_bytes = 0;
};

inline ValueFormat any_decimal(Choices& choices) {
  const std::size_t n_bits = std::array<std::size_t, 5>{32, 64, 128, 256, 24}[choices.below(5)];
  const std::int64_t scale = static_cast<std::int64_t>(choices.below(256)) - 100;
  return {fmt::format("d:{},{},{}", choices.below(80), scale * (choices.one_in(8) ? 20'000'000 : 1), n_bits),
          n_bits / 8};
}

inline ValueFormat any_format(Choices& choices) {
  static const std::array<ValueFormat, 28> fixed{
      {{"c", 1},   {"C", 1},   {"s", 2},   {"S", 2},   {"i", 4},   {"I", 4},   {"l", 8},
       {"L", 8},   {"e", 2},   {"f", 4},   {"g", 8},   {"tdD", 4}, {"tdm", 8}, {"tts", 4},
       {"ttm", 4}, {"ttu", 8}, {"ttn", 8}, {"tDs", 8}, {"tDm", 8}, {"tDu", 8}, {"tDn", 8},
       {"n"},      {"b"},      {"u"},      {"u"},      {"U"},      {"vu"},     {"vu"}}};
  static const std::array<std::string_view, 12> unsupported{"+l", "+s", "+w:2", "+m",  "+ud:0,1", "+us:0,1",
                                                            "+r", "z",  "w:3",  "tiM", "",        "tD"};
  const std::size_t choice = choices.below(40);
  if (choice < fixed.size()) return fixed[choice];
  if (choice < 31)
    return {fmt::format("ts{}:{}", "smun"[choices.below(4)], choices.one_in(4) ? choices.take(6) : "UTC"), 8};
  if (choice < 34) return any_decimal(choices);
  if (choice == 34) return {"?" + choices.take(3)};
  return {std::string(unsupported[choices.below(unsupported.size())])};
}

/// Offsets of n texts into `n_bytes` bytes, or offsets that decrease or are negative.
template <class Offset>
std::string any_offsets(Choices& choices, std::size_t n, std::size_t n_bytes) {
  std::vector<Offset> offsets;
  for (std::size_t i = 0; i <= n; ++i) offsets.push_back(static_cast<Offset>(choices.below(n_bytes + 1)));
  if (!choices.one_in(8)) std::ranges::sort(offsets);
  if (choices.one_in(16)) offsets[choices.below(offsets.size())] = -static_cast<Offset>(choices.below(8));
  std::string bytes;
  for (const Offset offset : offsets) bytes += bytes_of(offset);
  return bytes;
}

/// Views of n texts: short ones, long ones inside the buffers, and arbitrary ones.
inline void add_views(Choices& choices, std::size_t n, MadeArray& made) {
  const std::string text = choices.take(choices.below(40));
  std::string views;
  for (std::size_t i = 0; i < n; ++i) {
    const auto size = static_cast<std::int32_t>(choices.below(text.size() + 13));
    const std::string one = choices.take(12);
    views += choices.one_in(6) ? choices.take(16)
                               : bytes_of(size) + (size <= 12 ? one : one.substr(0, 4) + std::string(8, '\0'));
  }
  made.buffers.emplace_back(std::move(views));
  made.buffers.emplace_back(text);
  made.buffers.emplace_back(bytes_of(static_cast<std::int64_t>(text.size())));
}

inline void add_values(Choices& choices, const ValueFormat& format, std::size_t n, MadeArray& made) {
  const std::size_t n_text = choices.below(64);
  if (format.n_bytes > 0) {
    made.buffers.emplace_back(choices.take(n * format.n_bytes));
  } else if (format.format == "b") {
    made.buffers.emplace_back(choices.take((n + 7) / 8));
  } else if (format.format == "vu") {
    add_views(choices, n, made);
  } else if (format.format == "u" || format.format == "U") {
    made.buffers.emplace_back(format.format == "u" ? any_offsets<std::int32_t>(choices, n, n_text)
                                                   : any_offsets<std::int64_t>(choices, n, n_text));
    made.buffers.emplace_back(choices.take(n_text));
  }
}

/// Sets what a broken producer could get wrong without breaking the promised sizes of buffers.
inline void damage(Choices& choices, MadeArray& made) {
  switch (choices.below(8)) {
    case 0:
      made.length = -static_cast<std::int64_t>(choices.below(9));
      break;
    case 1:
      made.offset = -static_cast<std::int64_t>(choices.below(9));
      break;
    case 2:
      if (!made.buffers.empty()) made.buffers.pop_back();
      break;
    case 3:
      if (!made.buffers.empty()) made.buffers[choices.below(made.buffers.size())].reset();
      break;
    case 4:
      made.dictionary.clear();
      break;
    case 5:
      if (!made.children.empty()) made.children.pop_back();
      break;
    case 6:
      made.length = static_cast<std::int64_t>(
          choices.below(static_cast<std::size_t>(std::max<std::int64_t>(made.length, 0)) + 1));
      break;
    default:
      made.null_count = static_cast<std::int64_t>(choices.below(256)) - 100;
  }
}

/// The formats of a column, which all batches share.
struct ColumnFormat {
  ValueFormat values;
  /// The format of its levels, if it has a dictionary.
  std::vector<ValueFormat> levels = {};
  /// Children, which no format of a column may have.
  std::vector<ValueFormat> children = {};
};

inline ColumnFormat any_column_format(Choices& choices) {
  ColumnFormat format{any_format(choices)};
  if (choices.one_in(4)) format.levels.push_back(any_format(choices));
  for (std::size_t n = choices.one_in(16) ? choices.below(3) : 0; n > 0; --n)
    format.children.push_back(any_format(choices));
  return format;
}

inline MadeArray any_array(Choices& choices, const ColumnFormat& format, std::int64_t length) {
  MadeArray made{.format = format.values.format, .length = length};
  made.offset = choices.one_in(4) ? static_cast<std::int64_t>(choices.below(9)) : 0;
  const auto n = static_cast<std::size_t>(made.length + made.offset);
  const bool has_validity = choices.one_in(2);
  if (made.format != "n")
    made.buffers.emplace_back(has_validity ? std::optional(choices.take((n + 7) / 8)) : std::nullopt);
  made.null_count = has_validity ? -1 : 0;
  add_values(choices, format.values, n, made);
  for (const ValueFormat& levels : format.levels)
    made.dictionary.push_back(any_array(choices, {levels}, static_cast<std::int64_t>(choices.below(12))));
  for (const ValueFormat& child : format.children) made.children.push_back(any_array(choices, {child}, length));
  if (choices.one_in(16)) damage(choices, made);
  return made;
}

/// The batches of a stream and their schema.
inline MadeStream any_stream(Choices& choices) {
  std::vector<ColumnFormat> formats(choices.below(5));
  for (ColumnFormat& format : formats) format = any_column_format(choices);
  const auto any_batch = [&](std::int64_t length) {
    MadeArray batch = made_batch(length, {});
    batch.offset = choices.one_in(8) ? static_cast<std::int64_t>(choices.below(6)) : 0;
    for (std::size_t j = 0; j < formats.size(); ++j)
      batch.children.push_back(any_array(choices, formats[j], length + batch.offset).named(fmt::format("c{}", j)));
    if (choices.one_in(16)) damage(choices, batch);
    return batch;
  };
  MadeStream stream{.schema = any_batch(0)};
  for (MadeArray& column : stream.schema.children) column.flags = static_cast<std::int64_t>(choices.below(4));
  for (std::size_t n = choices.below(4); n > 0; --n)
    stream.arrays.push_back(any_batch(static_cast<std::int64_t>(choices.below(40))));
  if (choices.one_in(16)) stream.error = "a failure";
  return stream;
}

}  // namespace pidforest::fuzz
