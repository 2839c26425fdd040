// SPDX-License-Identifier: Apache-2.0
#include "in/integer_texts.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <string_view>

#include "in/arrow_held.h"
#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

std::string_view format_of(const ArrowSchema& schema) { return schema.format == nullptr ? "" : schema.format; }

void append(std::string& text, const char* value, bool is_signed) {
  std::int64_t number = 0;
  std::memcpy(&number, value, sizeof number);
  if (is_signed)
    fmt::format_to(std::back_inserter(text), "{}", number);
  else
    fmt::format_to(std::back_inserter(text), "{}", static_cast<std::uint64_t>(number));
}

void append_bit(std::string& bits, std::size_t i, unsigned bit) {
  if (i % 8 == 0) bits += '\0';
  bits.back() = static_cast<char>(static_cast<unsigned char>(bits.back()) | (bit << (i % 8)));
}

}  // namespace

bool has_integer_texts(const ArrowSchema& schema) {
  return schema.dictionary == nullptr && (format_of(schema) == "l" || format_of(schema) == "L");
}

ArrowSchema schema_of_integer_texts(const ArrowSchema& integers) {
  ArrowSchema schema = {};
  schema.format = "U";
  schema.name = integers.name;
  schema.flags = integers.flags;
  schema.release = release_nothing<ArrowSchema>;
  return schema;
}

IntegerTexts::IntegerTexts(const ArrowArray& integers, const ArrowSchema& schema) {
  constexpr std::int64_t most_rows = std::int64_t{1} << 57;
  const bool has_buffers = integers.n_buffers == 2 && integers.buffers != nullptr;
  if (!has_buffers || (integers.buffers[1] == nullptr && integers.length != 0) || integers.length < 0 ||
      integers.length > most_rows || integers.offset < 0 || integers.offset > most_rows)
    throw InvalidInput(fmt::format("column '{}': an Arrow array of integers must have its values.",
                                   schema.name == nullptr ? "" : schema.name));
  const auto begin = static_cast<std::size_t>(integers.offset);
  const auto n = static_cast<std::size_t>(integers.length);
  const auto* validity = static_cast<const std::uint8_t*>(integers.null_count == 0 ? nullptr : integers.buffers[0]);
  const auto* values = static_cast<const char*>(integers.buffers[1]);
  offsets_.push_back(0);
  for (std::size_t row = begin; row < begin + n; ++row) {
    append(characters_, values + row * sizeof(std::int64_t), format_of(schema) == "l");
    offsets_.push_back(static_cast<std::int64_t>(characters_.size()));
    if (validity != nullptr) append_bit(validity_, row - begin, (validity[row / 8] >> (row % 8)) & 1U);
  }
  buffers_ = {validity == nullptr ? nullptr : validity_.data(), offsets_.data(), characters_.data()};
  array_ = {.length = integers.length,
            .null_count = integers.null_count,
            .offset = 0,
            .n_buffers = 3,
            .n_children = 0,
            .buffers = buffers_.data(),
            .children = nullptr,
            .dictionary = nullptr,
            .release = release_nothing<ArrowArray>,
            .private_data = nullptr};
}

}  // namespace pidforest::cli
