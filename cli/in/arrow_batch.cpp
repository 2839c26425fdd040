// SPDX-License-Identifier: Apache-2.0
#include "in/arrow_batch.h"

#include <array>
#include <utility>

#include "in/arrow_held.h"

namespace pidforest::cli {

namespace {

void set_bit(std::string& bits, std::size_t i) {
  bits[i / 8] = static_cast<char>(static_cast<unsigned char>(bits[i / 8]) | (1U << (i % 8)));
}

std::string no_bits(std::size_t n_rows) { return std::string(n_rows / 8 + 1, '\0'); }

template <class Value>
void append(std::string& bytes, Value value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

struct ArrowBatch::Fields {
  std::vector<std::unique_ptr<std::string>> names;
  std::vector<std::unique_ptr<ArrowSchema>> schemas;
  std::vector<ArrowSchema*> children;
};

struct ArrowBatch::Arrays {
  /// One column's values. Its address must not change.
  struct HeldColumn {
    ArrowArray array = {};
    /// The validity bits, the values or their offsets, and the characters of texts.
    std::array<std::string, 3> bytes = {};
    std::array<const void*, 3> buffers = {};
    int n_buffers = 2;
  };
  std::vector<std::unique_ptr<HeldColumn>> columns;
  std::vector<ArrowArray*> children;
  std::array<const void*, 1> buffers = {};
};

ArrowBatch::ArrowBatch(std::size_t n_rows)
    : n_rows_(n_rows), fields_(std::make_unique<Fields>()), arrays_(std::make_unique<Arrays>()) {}

ArrowBatch::~ArrowBatch() = default;

/// Adds a column without values.
ArrowBatch::Buffers& ArrowBatch::add(const std::string& name, const char* format) {
  fields_->names.push_back(std::make_unique<std::string>(name));
  ArrowSchema field = {};
  field.format = format;
  field.name = fields_->names.back()->c_str();
  field.flags = ARROW_FLAG_NULLABLE;
  field.release = release_nothing<ArrowSchema>;
  fields_->schemas.push_back(std::make_unique<ArrowSchema>(field));
  arrays_->columns.push_back(std::make_unique<Arrays::HeldColumn>());
  arrays_->columns.back()->bytes[0] = no_bits(n_rows_);
  return arrays_->columns.back()->bytes;
}

void ArrowBatch::add_integers(const std::string& name, const std::vector<std::optional<std::int64_t>>& values) {
  auto& [valid, integers, unused] = add(name, "l");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) set_bit(valid, i);
    append(integers, values[i].value_or(0));
  }
}

void ArrowBatch::add_numbers(const std::string& name, const std::vector<std::optional<double>>& values) {
  auto& [valid, numbers, unused] = add(name, "g");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) set_bit(valid, i);
    append(numbers, values[i].value_or(0));
  }
}

void ArrowBatch::add_booleans(const std::string& name, const std::vector<std::optional<bool>>& values) {
  auto& [valid, bits, unused] = add(name, "b");
  bits = no_bits(n_rows_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) set_bit(valid, i);
    if (values[i].value_or(false)) set_bit(bits, i);
  }
}

void ArrowBatch::add_texts(const std::string& name, const std::vector<std::optional<std::string>>& values) {
  auto& [valid, offsets, characters] = add(name, "u");
  arrays_->columns.back()->n_buffers = 3;
  append(offsets, std::int32_t{0});
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) set_bit(valid, i);
    characters += values[i].value_or("");
    append(offsets, static_cast<std::int32_t>(characters.size()));
  }
}

ArrowOwned<ArrowSchema> ArrowBatch::schema() {
  for (const auto& one : fields_->schemas) fields_->children.push_back(one.get());
  ArrowSchema schema = {};
  schema.format = "+s";
  schema.name = "";
  schema.n_children = static_cast<std::int64_t>(fields_->children.size());
  schema.children = fields_->children.data();
  schema.release = release_held<Fields, ArrowSchema>;
  schema.private_data = fields_.release();
  return ArrowOwned<ArrowSchema>(schema);
}

ArrowOwned<ArrowArray> ArrowBatch::array() {
  for (const auto& column : arrays_->columns) {
    for (std::size_t i = 0; i < column->bytes.size(); ++i) column->buffers[i] = column->bytes[i].data();
    column->array.length = static_cast<std::int64_t>(n_rows_);
    column->array.null_count = -1;
    column->array.n_buffers = column->n_buffers;
    column->array.buffers = column->buffers.data();
    column->array.release = release_nothing<ArrowArray>;
    arrays_->children.push_back(&column->array);
  }
  ArrowArray array = {};
  array.length = static_cast<std::int64_t>(n_rows_);
  array.n_buffers = 1;
  array.buffers = arrays_->buffers.data();
  array.n_children = static_cast<std::int64_t>(arrays_->children.size());
  array.children = arrays_->children.data();
  array.release = release_held<Arrays, ArrowArray>;
  array.private_data = arrays_.release();
  return ArrowOwned<ArrowArray>(array);
}

}  // namespace pidforest::cli
