// SPDX-License-Identifier: Apache-2.0
// Model files with arbitrary sections; their checksums are always correct.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file/little_endian.h"
#include "file/sections.h"

namespace pidforest {

class ForgedFile {
 public:
  ForgedFile() = default;
  /// Takes the sections of a genuine file.
  explicit ForgedFile(std::string_view bytes)
      : version_{.minor = file::little_endian<std::uint16_t>(bytes.substr(10))} {
    const auto n_sections = file::little_endian<std::uint32_t>(bytes.substr(12));
    for (std::size_t i = 0; i < n_sections; ++i) {
      const std::string_view entry = bytes.substr(file::header_size + 40 * i, 40);
      const std::string_view name = entry.substr(0, 16);
      sections_.emplace_back(name.substr(0, name.find('\0')),
                             bytes.substr(file::little_endian<std::uint64_t>(entry.substr(16)),
                                          file::little_endian<std::uint64_t>(entry.substr(24))));
    }
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : sections_) names.push_back(name);
    return names;
  }
  [[nodiscard]] const std::string& text(std::string_view name) const {
    const auto has_name = [&](const auto& section) { return section.first == name; };
    return std::find_if(sections_.begin(), sections_.end(), has_name)->second;
  }
  void set_text(std::string_view name, std::string text) { find(name) = std::move(text); }
  void add(std::string_view name, std::string bytes) { sections_.emplace_back(name, std::move(bytes)); }

  template <class T>
  [[nodiscard]] std::vector<T> numbers(std::string_view name) const {
    const file::LittleEndianArray<T> array(text(name));
    std::vector<T> numbers;
    for (std::size_t i = 0; i < array.size(); ++i) numbers.push_back(array[i]);
    return numbers;
  }
  template <class T>
  void set(std::string_view name, const std::vector<T>& numbers) {
    std::string bytes;
    for (const T number : numbers) file::append_little_endian(bytes, number);
    find(name) = std::move(bytes);
  }
  template <class T>
  void set_at(std::string_view name, std::size_t i, T number) {
    std::vector<T> all = numbers<T>(name);
    all.at(i) = number;
    set(name, all);
  }

  [[nodiscard]] std::string bytes() const {
    file::SectionWriter writer;
    for (const auto& [name, bytes] : sections_) writer.add(name, bytes);
    return writer.finish(version_);
  }

 private:
  [[nodiscard]] std::string& find(std::string_view name) {
    for (auto& [known, bytes] : sections_)
      if (known == name) return bytes;
    return sections_.emplace_back(name, "").second;
  }
  file::FormatVersion version_;
  std::vector<std::pair<std::string, std::string>> sections_;
};

}  // namespace pidforest
