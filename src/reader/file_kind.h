// SPDX-License-Identifier: Apache-2.0
// What a file is by its first bytes, never by its name: for the one who gave it in place of another.
#pragma once

#include <string_view>

namespace pidforest::reader {

struct FileKind {
  /// What such files begin with.
  std::string_view bytes;
  /// "a gzip file"; empty if it is none of those that are known.
  std::string_view name;
  /// How to make a table of text of it: a sentence.
  std::string_view remedy;
};

/// A file that is no text, a page of HTML or text in UTF-16. `name` is empty for anything else.
FileKind kind_of_file(std::string_view begin);

/// For a file that is none of those: "JSON", "a table of text, such as CSV", ..., or empty if it is no text.
std::string_view kind_of_text(std::string_view begin);

}  // namespace pidforest::reader
