// SPDX-License-Identifier: Apache-2.0
// The container format of a model file: a header, a table of named sections, their bytes, an end mark. Every byte is
// covered by a checksum or can have only one value. See docs/file_format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file/little_endian.h"
#include "pidforest/error.h"

namespace pidforest::file {

struct FormatVersion {
  std::uint16_t major = 1;
  std::uint16_t minor = 0;
};

/// The latest version that this code writes. It reads every file of the same major version that contains nothing
/// unknown.
inline constexpr FormatVersion current_format{.major = 1, .minor = 5};

/// The length of the fixed part at the start of a file.
inline constexpr std::size_t header_size = 32;
/// This many bytes suffice to recognize a file of another kind.
inline constexpr std::size_t n_telling_bytes = 512;

/// Returns the length of the whole file, given its first n_telling_bytes or all of a shorter file. Throws BadFile for a
/// file of another kind or another major version; the message says what the file seems to be.
std::uint64_t size_by_header(std::string_view first_bytes);

class SectionWriter {
 public:
  /// `name` must have at most 16 characters.
  void add(std::string_view name, std::string bytes) { sections_.emplace_back(name, std::move(bytes)); }
  /// Adds an array of the numbers number_of(item), or of items that are numbers.
  template <class Items, class NumberOf = std::identity>
  void add_array(std::string_view name, const Items& items, NumberOf number_of = {}) {
    std::string bytes;
    for (const auto& item : items) append_little_endian(bytes, number_of(item));
    add(name, std::move(bytes));
  }

  /// `version` is the earliest that has all of the sections.
  [[nodiscard]] std::string finish(FormatVersion version = {}) const;

 private:
  std::vector<std::pair<std::string, std::string>> sections_;
};

/// Reads a whole file. All errors are thrown as BadFile.
class SectionReader {
 public:
  /// Checks everything except the contents of the sections. The bytes must outlive the reader.
  explicit SectionReader(std::string_view bytes);

  [[nodiscard]] FormatVersion version() const { return version_; }
  [[nodiscard]] bool has(std::string_view name) const { return sections_.contains(name); }
  /// Returns the bytes of a section and marks it as taken.
  std::string_view take(std::string_view name);
  template <class T>
  LittleEndianArray<T> take_array(std::string_view name) {
    const std::string_view bytes = take(name);
    if (bytes.size() % sizeof(T) != 0) refuse_array(name, bytes.size(), sizeof(T));
    return LittleEndianArray<T>(bytes);
  }
  /// Throws if a section was not taken.
  void check_all_taken() const;

 private:
  void read_table(std::string_view bytes, std::size_t n_sections);
  [[noreturn]] static void refuse_array(std::string_view name, std::size_t size, std::size_t number_size);

  struct Section {
    std::string_view bytes;
    bool is_taken = false;
  };
  FormatVersion version_;
  std::map<std::string, Section, std::less<>> sections_;
};

/// Reads all bytes of a file of sections. Throws FileError if it cannot be read, and BadFile, with `name` as prefix, if
/// it is not such a file.
std::string read_sections_file(const std::string& path, std::string_view name);

/// Throws BadFile for the file called `name`; the message says if its newer version may be the reason.
[[noreturn]] void refuse_sections(std::string_view name, FormatVersion version, std::string_view complaint);

/// Returns what `read` makes of the sections. All errors are thrown as BadFile with `name` as prefix.
template <class Read>
auto read_sections(std::string_view bytes, std::string_view name, Read read) {
  FormatVersion version = current_format;
  try {
    SectionReader file(bytes);
    version = file.version();
    return read(file);
  } catch (const BadFile& error) {
    refuse_sections(name, version, error.what());
  } catch (const InvalidInput& error) {
    refuse_sections(name, version, error.what());
  } catch (const InvalidOption& error) {
    refuse_sections(name, version, error.what());
  }
}

}  // namespace pidforest::file
