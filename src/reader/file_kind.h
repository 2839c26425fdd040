// SPDX-License-Identifier: Apache-2.0
// Recognizes a file by its first bytes, never by its name, to explain errors when a wrong file was given.
#pragma once

#include <string_view>

namespace pidforest::reader {

struct FileKind {
  /// The bytes that such files begin with.
  std::string_view bytes;
  /// For example "a gzip file"; empty if the file is of no known kind.
  std::string_view name;
  /// A sentence that says how to convert the file to a text table.
  std::string_view remedy;
};

/// Recognizes binary formats, HTML and UTF-16 text. `name` is empty for anything else.
FileKind kind_of_file(std::string_view begin);

/// For a file that kind_of_file does not recognize: "JSON", "a text table, such as CSV", ...; empty if it is not
/// text.
std::string_view kind_of_text(std::string_view begin);

}  // namespace pidforest::reader
