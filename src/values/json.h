// SPDX-License-Identifier: Apache-2.0
// Strict JSON: UTF-8; no duplicate keys, no numbers that a double cannot hold, no nesting beyond the given depth.
//
// A document may come from an untrusted source, so it is stored compactly: eight bytes per value or key, plus its text
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace pidforest::values {

struct JsonText {
  /// Prefix of error messages.
  std::string_view name;
  std::string_view text;
  /// Maximum nesting depth of arrays and objects.
  std::size_t deepest = 0;
};

/// Each kind is named by the character that JSON begins it with.
enum class JsonKind : char { null = 'n', yes = 't', no = 'f', number = '0', text = '"', array = '[', object = '{' };

/// The values and keys of a document, in document order: the contents of an array or object follow it, and each key
/// precedes its value.
struct JsonDocument {
  struct Node {
    /// For a number or text: its size in bytes. For an array or object: the number of nodes within it.
    std::uint32_t size;
    /// Offset into `texts` of the kind, which is followed by the characters of a number or text.
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
  /// The node after this one and everything nested in it.
  [[nodiscard]] std::size_t behind(std::size_t node) const {
    return node + 1 + (has_children(node) ? nodes[node].size : 0);
  }
};

class JsonChildren;

/// A view of one value. The document must outlive it.
class Json {
 public:
  explicit Json(const JsonDocument& document, std::size_t node = 0) : document_(&document), node_(node) {}

  [[nodiscard]] JsonKind kind() const { return document_->kind(node_); }
  /// nullopt if the value is of another kind.
  [[nodiscard]] std::optional<std::string_view> text() const;
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] std::optional<bool> boolean() const;
  /// The characters of a number or text; a number keeps the digits of the document.
  [[nodiscard]] std::string_view written() const { return document_->written(node_); }
  /// Only for an array or object.
  [[nodiscard]] JsonChildren children() const;

 private:
  const JsonDocument* document_;
  std::size_t node_;
};

/// An item of an array (the key is empty) or a member of an object.
struct JsonChild {
  std::string_view key;
  Json value;
};

/// The children of an array or object, in document order.
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
  /// Takes linear time: counts the children.
  [[nodiscard]] std::size_t size() const;
  /// Returns the value of a key, if the object has it.
  [[nodiscard]] std::optional<Json> find(std::string_view key) const;
  /// Returns item i, counted from 0. Only for an array that contains no arrays or objects.
  [[nodiscard]] Json item(std::size_t i) const { return Json(*document_, parent_ + 1 + i); }
  [[nodiscard]] Iterator begin() const {
    return {*document_, parent_ + 1, document_->kind(parent_) == JsonKind::object};
  }
  [[nodiscard]] Iterator end() const { return {*document_, document_->behind(parent_), false}; }

 private:
  const JsonDocument* document_;
  std::size_t parent_;
};

/// Parses a document; a leading byte order mark is skipped. Throws InvalidInput for invalid JSON, with line and column
/// (in characters, from 1), and for JSON that is not strict, with the path of the value.
JsonDocument parse_json(const JsonText& text);

/// The value as quoted in error messages: 12, 'abc', true, null, an array, an object.
std::string describe(const Json& json);

/// Returns the text in quotes, with only the escapes that JSON requires. The text must be UTF-8.
std::string quoted(const std::string& text);

}  // namespace pidforest::values
