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

/// The rows before the offset of the array have empty texts, so that its validity bits fit.
IntegerTexts::IntegerTexts(const ArrowArray& integers, const ArrowSchema& schema) {
  constexpr std::int64_t most_rows = std::int64_t{1} << 40;
  const bool has_values = integers.n_buffers == 2 && integers.buffers != nullptr && integers.buffers[1] != nullptr;
  if (integers.length < 0 || integers.length > most_rows || integers.offset < 0 || integers.offset > most_rows ||
      (!has_values && integers.length > 0))
    throw InvalidInput(fmt::format("column '{}': an Arrow array with rows must have its values.",
                                   schema.name == nullptr ? "" : schema.name));
  const auto begin = static_cast<std::size_t>(integers.offset);
  const auto n = static_cast<std::size_t>(integers.length);
  offsets_.assign(begin + 1, 0);
  for (std::size_t row = begin; row < begin + n; ++row) {
    append(characters_, static_cast<const char*>(integers.buffers[1]) + row * sizeof(std::int64_t),
           format_of(schema) == "l");
    offsets_.push_back(static_cast<std::int64_t>(characters_.size()));
  }
  buffers_ = {has_values ? integers.buffers[0] : nullptr, offsets_.data(), characters_.data()};
  array_ = {.length = integers.length,
            .null_count = integers.null_count,
            .offset = integers.offset,
            .n_buffers = 3,
            .n_children = 0,
            .buffers = buffers_.data(),
            .children = nullptr,
            .dictionary = nullptr,
            .release = release_nothing<ArrowArray>,
            .private_data = nullptr};
}

}  // namespace pidforest::cli
