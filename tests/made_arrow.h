// SPDX-License-Identifier: Apache-2.0
// Arrow arrays and streams made by hand. Each exported structure owns memory of exactly the required size, which is
// freed on release, so that a sanitizer detects every access beyond it.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/arrow.h"

namespace pidforest {

/// Counts the exported and the released structures.
struct Ledger {
  int n_given = 0;
  int n_released = 0;
};

/// An array with its schema.
struct MadeArray {
  std::string format = "n";
  std::string name = {};
  std::int64_t flags = ARROW_FLAG_NULLABLE;
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::int64_t offset = 0;
  /// nullopt is a null pointer.
  std::vector<std::optional<std::string>> buffers = {};
  std::vector<MadeArray> children = {};
  std::vector<MadeArray> dictionary = {};

  [[nodiscard]] MadeArray named(std::string other_name) const {
    MadeArray made = *this;
    made.name = std::move(other_name);
    return made;
  }
  /// Returns `n` rows from `begin` on.
  [[nodiscard]] MadeArray sliced(std::int64_t begin, std::int64_t n) const {
    MadeArray made = *this;
    made.offset += begin;
    made.length = n;
    if (made.null_count > 0) made.null_count = -1;
    return made;
  }
};

namespace made_arrow {

/// The memory that an exported structure owns.
template <class Struct>
struct Memory {
  Ledger* ledger;
  std::string format, name;
  std::vector<std::unique_ptr<char[]>> bytes = {};  // NOLINT(modernize-avoid-c-arrays)
  std::vector<const void*> buffers = {};
  std::vector<Struct> children = {};
  std::vector<Struct*> places = {};
  std::vector<Struct> dictionary = {};
};

template <class Struct>
void release(Struct* given) {
  std::unique_ptr<Memory<Struct>> memory(static_cast<Memory<Struct>*>(given->private_data));
  for (auto* below : {&memory->children, &memory->dictionary})
    for (Struct& one : *below)
      if (one.release != nullptr) one.release(&one);
  ++memory->ledger->n_released;
  given->release = nullptr;
}

template <class Struct, class Give>
std::unique_ptr<Memory<Struct>> memory_of(const MadeArray& made, Ledger& ledger, const Give& give) {
  ++ledger.n_given;
  auto memory = std::make_unique<Memory<Struct>>(Memory<Struct>{&ledger, made.format, made.name});
  for (const MadeArray& child : made.children) memory->children.push_back(give(child, ledger));
  for (Struct& child : memory->children) memory->places.push_back(&child);
  for (const MadeArray& levels : made.dictionary) memory->dictionary.push_back(give(levels, ledger));
  return memory;
}

template <class Struct>
void hand_over(Struct& given, std::unique_ptr<Memory<Struct>> memory) {
  given.n_children = static_cast<std::int64_t>(memory->children.size());
  given.children = memory->places.data();
  given.dictionary = memory->dictionary.empty() ? nullptr : memory->dictionary.data();
  given.release = release<Struct>;
  given.private_data = memory.release();
}

}  // namespace made_arrow

inline ArrowSchema give_schema(const MadeArray& made, Ledger& ledger) {
  auto memory = made_arrow::memory_of<ArrowSchema>(made, ledger, give_schema);
  ArrowSchema schema{};
  schema.format = memory->format.c_str();
  schema.name = memory->name.c_str();
  schema.flags = made.flags;
  made_arrow::hand_over(schema, std::move(memory));
  return schema;
}

inline ArrowArray give_array(const MadeArray& made, Ledger& ledger) {
  auto memory = made_arrow::memory_of<ArrowArray>(made, ledger, give_array);
  for (const std::optional<std::string>& buffer : made.buffers) {
    memory->bytes.push_back(buffer ? std::make_unique<char[]>(buffer->size()) : nullptr);  // NOLINT
    if (buffer) std::memcpy(memory->bytes.back().get(), buffer->data(), buffer->size());
    memory->buffers.push_back(memory->bytes.back().get());
  }
  ArrowArray array{};
  array.length = made.length;
  array.null_count = made.null_count;
  array.offset = made.offset;
  array.n_buffers = static_cast<std::int64_t>(made.buffers.size());
  array.buffers = memory->buffers.data();
  made_arrow::hand_over(array, std::move(memory));
  return array;
}

/// Arrays of one schema. If `error` is set, get_next returns it after the last array instead of ending.
struct MadeStream {
  MadeArray schema = {};
  std::vector<MadeArray> arrays = {};
  std::optional<std::string> error = {};
};

namespace made_arrow {

struct Running {
  MadeStream made;
  Ledger* ledger;
  std::size_t n_given = 0;
};

inline Running* running(ArrowArrayStream* stream) { return static_cast<Running*>(stream->private_data); }

}  // namespace made_arrow

inline ArrowArrayStream give_stream(MadeStream made, Ledger& ledger) {
  using made_arrow::running;
  ++ledger.n_given;
  ArrowArrayStream stream{};
  stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    *out = give_schema(running(self)->made.schema, *running(self)->ledger);
    return 0;
  };
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    made_arrow::Running& run = *running(self);
    if (run.n_given == run.made.arrays.size() && run.made.error) return EIO;
    *out = ArrowArray{};
    if (run.n_given < run.made.arrays.size()) *out = give_array(run.made.arrays[run.n_given++], *run.ledger);
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream* self) -> const char* { return running(self)->made.error->c_str(); };
  stream.release = [](ArrowArrayStream* self) {
    ++running(self)->ledger->n_released;
    delete running(self);
    self->release = nullptr;
  };
  stream.private_data = new made_arrow::Running{std::move(made), &ledger};
  return stream;
}

inline void set_bit(std::string& bits, std::size_t i) {
  if (bits.size() <= i / 8) bits.resize(i / 8 + 1);
  bits[i / 8] = static_cast<char>(static_cast<unsigned char>(bits[i / 8]) | (1U << (i % 8)));
}

template <class Value>
using Optionals = std::vector<std::optional<Value>>;

/// An array without its values; it has a validity bitmap only if a value is missing.
template <class Value>
MadeArray made_of(std::string format, const Optionals<Value>& values) {
  MadeArray made{.format = std::move(format), .length = static_cast<std::int64_t>(values.size())};
  std::string bits((values.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) set_bit(bits, i);
    made.null_count += values[i] ? 0 : 1;
  }
  made.buffers.emplace_back(made.null_count > 0 ? std::optional(bits) : std::nullopt);
  return made;
}

template <class Value>
std::string bytes_of(const Value& value) {
  std::string bytes(sizeof(Value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(Value));
  return bytes;
}

/// Missing values are represented by `filler`, which must not be read.
template <class Value>
MadeArray made_numbers(std::string format, const Optionals<Value>& values, Value filler = {}) {
  MadeArray made = made_of(std::move(format), values);
  std::string bytes;
  for (const auto& value : values) bytes += bytes_of(value.value_or(filler));
  made.buffers.emplace_back(std::move(bytes));
  return made;
}

inline MadeArray made_booleans(const Optionals<bool>& values) {
  MadeArray made = made_of("b", values);
  std::string bits((values.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].value_or(true)) set_bit(bits, i);
  made.buffers.emplace_back(std::move(bits));
  return made;
}

template <class Offset>
MadeArray made_offset_texts(std::string format, const Optionals<std::string>& texts) {
  MadeArray made = made_of(std::move(format), texts);
  std::string offsets = bytes_of(Offset{0});
  std::string bytes;
  for (const auto& text : texts) {
    bytes += text.value_or("");
    offsets += bytes_of(static_cast<Offset>(bytes.size()));
  }
  made.buffers.emplace_back(std::move(offsets));
  made.buffers.emplace_back(std::move(bytes));
  return made;
}

/// Texts of more than twelve bytes go alternately to two buffers.
inline MadeArray made_text_views(const Optionals<std::string>& texts) {
  MadeArray made = made_of("vu", texts);
  std::string views;
  std::vector<std::string> buffers(2);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string text = texts[i].value_or("");
    std::string view = bytes_of(static_cast<std::int32_t>(text.size()));
    if (text.size() <= 12) {
      view += text;
      view.resize(16);
    } else {
      std::string& buffer = buffers[i % 2];
      view += text.substr(0, 4) + bytes_of(static_cast<std::int32_t>(i % 2)) +
              bytes_of(static_cast<std::int32_t>(buffer.size()));
      buffer += text;
    }
    views += view;
  }
  made.buffers.emplace_back(std::move(views));
  std::string sizes;
  for (std::string& buffer : buffers) {
    sizes += bytes_of(static_cast<std::int64_t>(buffer.size()));
    made.buffers.emplace_back(std::move(buffer));
  }
  made.buffers.emplace_back(std::move(sizes));
  return made;
}

/// Formats u, U and vu.
inline MadeArray made_texts(const std::string& format, const Optionals<std::string>& texts) {
  if (format == "vu") return made_text_views(texts);
  return format == "U" ? made_offset_texts<std::int64_t>("U", texts) : made_offset_texts<std::int32_t>("u", texts);
}

/// Combines codes from made_numbers with their levels.
inline MadeArray with_levels(MadeArray codes, MadeArray levels, bool are_ordered = false) {
  codes.dictionary.push_back(std::move(levels));
  if (are_ordered) codes.flags |= ARROW_FLAG_DICTIONARY_ORDERED;
  return codes;
}

inline MadeArray made_batch(std::int64_t n_rows, std::vector<MadeArray> columns) {
  return {.format = "+s", .length = n_rows, .buffers = {std::nullopt}, .children = std::move(columns)};
}

}  // namespace pidforest
