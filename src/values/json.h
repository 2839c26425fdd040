// SPDX-License-Identifier: Apache-2.0
// Strict JSON: UTF-8 without a key twice, a number that a double cannot hold, or more nesting than was asked for.
//
// A document is kept in little memory, as nobody knows who wrote it: eight bytes per value or key, and once its text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace pidforest::values {

struct JsonText {
  /// What messages begin with.
  std::string_view name;
  std::string_view text;
  /// How many arrays and objects may lie in one another.
  std::size_t deepest = 0;
};

/// By the letters that JSON begins them with.
enum class JsonKind : char { null = 'n', yes = 't', no = 'f', number = '0', text = '"', array = '[', object = '{' };

/// The values and keys of a document in its order: what is within an array or object follows it, keys before their
/// values.
struct JsonDocument {
  struct Node {
    /// Of a number or text, its bytes; of an array or object, the nodes within it.
    std::uint32_t size;
    /// Where `texts` has its kind, and behind that what a number or text says.
    std::uint32_t text;
  };

  std::deque<Node> nodes;
  std::string texts;

  [[nodiscard]] JsonKind kind(std::size_t node) const { return static_cast<JsonKind>(texts[nodes[node].text]); }
  [[nodiscard]] bool has_children(std::size_t node) const {
    return kind(node) == JsonKind::array || kind(node) == JsonKind::object;
  }
  [[nodiscard]] std::string_view written(std::size_t node) const {
    return {texts.data() + nodes[node].text + 1, nodes[node].size};
  }
  /// The node behind this one and all that is within it.
  [[nodiscard]] std::size_t behind(std::size_t node) const {
    return node + 1 + (has_children(node) ? nodes[node].size : 0);
  }
};

class JsonChildren;

/// A value of a document that must stay.
class Json {
 public:
  explicit Json(const JsonDocument& document, std::size_t node = 0) : document_(&document), node_(node) {}

  [[nodiscard]] JsonKind kind() const { return document_->kind(node_); }
  /// Nothing if it is of another kind.
  [[nodiscard]] std::optional<std::string_view> text() const;
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] std::optional<bool> boolean() const;
  /// Of a number or text: what it says, a number in the digits of the document.
  [[nodiscard]] std::string_view written() const { return document_->written(node_); }
  /// Of an array or object.
  [[nodiscard]] JsonChildren children() const;

 private:
  const JsonDocument* document_;
  std::size_t node_;
};

/// An item of an array, whose key is empty, or a member of an object.
struct JsonChild {
  std::string_view key;
  Json value;
};

/// In the order of the document.
class JsonChildren {
 public:
  class Iterator {
   public:
    Iterator(const JsonDocument& document, std::size_t node, bool has_keys)
        : document_(&document), node_(node), has_keys_(has_keys) {}

    JsonChild operator*() const {
      return has_keys_ ? JsonChild{document_->written(node_), Json(*document_, node_ + 1)}
                       : JsonChild{{}, Json(*document_, node_)};
    }
    Iterator& operator++() {
      node_ = document_->behind(has_keys_ ? node_ + 1 : node_);
      return *this;
    }
    bool operator==(const Iterator& other) const { return node_ == other.node_; }

   private:
    const JsonDocument* document_;
    std::size_t node_;
    bool has_keys_;
  };

  JsonChildren(const JsonDocument& document, std::size_t parent) : document_(&document), parent_(parent) {}

  [[nodiscard]] bool empty() const { return document_->nodes[parent_].size == 0; }
  /// Counts them.
  [[nodiscard]] std::size_t size() const;
  /// The value of a key.
  [[nodiscard]] std::optional<Json> find(std::string_view key) const;
  /// Of an array without arrays and objects in it: the item at a place from 0.
  [[nodiscard]] Json item(std::size_t i) const { return Json(*document_, parent_ + 1 + i); }
  [[nodiscard]] Iterator begin() const {
    return {*document_, parent_ + 1, document_->kind(parent_) == JsonKind::object};
  }
  [[nodiscard]] Iterator end() const { return {*document_, document_->behind(parent_), false}; }

 private:
  const JsonDocument* document_;
  std::size_t parent_;
};

/// A byte order mark at the start is skipped. Throws InvalidInput for what is no JSON, with line and column from 1 (in
/// characters), and for what is not strict, with the path of the value.
JsonDocument parse_json(const JsonText& text);

/// The value as a message quotes it: 12, 'abc', true, null, an array, an object.
std::string describe(const Json& json);

/// A text in quotes, escaped as JSON wants it and no further. The text must be UTF-8.
std::string quoted(const std::string& text);

}  // namespace pidforest::values
