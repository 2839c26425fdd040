// SPDX-License-Identifier: Apache-2.0
#include "in/text_row.h"

#include <array>
#include <cstdint>
#include <memory>

#include "in/arrow_held.h"

namespace pidforest::cli {

namespace {

struct Text {
  std::string characters;
  std::array<std::int32_t, 2> offsets = {};
  std::array<const void*, 3> buffers = {};
  ArrowArray array = {};

  explicit Text(const std::string& text) : characters(text) {
    offsets[1] = static_cast<std::int32_t>(characters.size());
    buffers = {nullptr, offsets.data(), characters.data()};
    array.length = 1;
    array.n_buffers = 3;
    array.buffers = buffers.data();
    array.release = release_nothing<ArrowArray>;
  }
};

struct HeldArray {
  std::vector<std::unique_ptr<Text>> texts;
  std::vector<ArrowArray*> children;
  std::array<const void*, 1> buffers = {};
};

struct HeldSchema {
  std::vector<ArrowSchema> texts;
  std::vector<ArrowSchema*> children;
};

ArrowArray array_of(const std::vector<std::string>& texts) {
  auto held = std::make_unique<HeldArray>();
  for (const std::string& text : texts) {
    held->texts.push_back(std::make_unique<Text>(text));
    held->children.push_back(&held->texts.back()->array);
  }
  ArrowArray array = {};
  array.length = 1;
  array.n_buffers = 1;
  array.buffers = held->buffers.data();
  array.n_children = static_cast<std::int64_t>(held->children.size());
  array.children = held->children.data();
  array.release = release_held<HeldArray, ArrowArray>;
  array.private_data = held.release();
  return array;
}

ArrowSchema schema_of(std::size_t n) {
  auto held = std::make_unique<HeldSchema>();
  ArrowSchema text = {};
  text.format = "u";
  text.name = "";
  text.release = release_nothing<ArrowSchema>;
  held->texts.assign(n, text);
  for (ArrowSchema& one : held->texts) held->children.push_back(&one);
  ArrowSchema schema = {};
  schema.format = "+s";
  schema.name = "";
  schema.n_children = static_cast<std::int64_t>(n);
  schema.children = held->children.data();
  schema.release = release_held<HeldSchema, ArrowSchema>;
  schema.private_data = held.release();
  return schema;
}

}  // namespace

TextRow::TextRow(const std::vector<std::string>& texts) {
  *array_.get() = array_of(texts);
  *schema_.get() = schema_of(texts.size());
}

}  // namespace pidforest::cli
