// SPDX-License-Identifier: Apache-2.0
// The bytes of the parts of a fit: files of sections, as models are, with a section that says which part it is.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file/sections.h"
#include "pidforest/error.h"

namespace pidforest::parts {

/// Starts the bytes of a part. `kind` names it in messages.
inline file::SectionWriter part_file(std::string_view kind) {
  file::SectionWriter file;
  file.add("part", std::string(kind));
  return file;
}

template <class Number>
void add_number(file::SectionWriter& file, std::string_view name, Number number) {
  file.add_array(name, std::vector<Number>{number});
}

/// Takes a section of one number. Throws BadFile.
template <class Number>
Number take_number(file::SectionReader& file, std::string_view name) {
  const auto numbers = file.take_array<Number>(name);
  if (numbers.size() != 1) throw BadFile(fmt::format("its section '{}' must have one number.", name));
  return numbers[0];
}

/// Returns what `read` makes of the sections of such a part. All errors are thrown as BadFile.
template <class Read>
auto read_part(std::string_view bytes, std::string_view kind, const Read& read) {
  return file::read_sections(bytes, kind, [&](file::SectionReader& file) {
    const std::string_view found = file.has("part") ? file.take("part") : "";
    if (found != kind) throw BadFile(fmt::format("it is not such a part of a fit."));
    auto part = read(file);
    file.check_all_taken();
    return part;
  });
}

}  // namespace pidforest::parts
