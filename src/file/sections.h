// SPDX-License-Identifier: Apache-2.0
// The outer shape of a model file: a header, a table of named sections, their bytes, an end mark. Every byte is covered
// by a checksum or has one value that it may have. See docs/file_format.md.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// What this code writes; it reads everything of the same major version that has nothing unknown in it.
inline constexpr FormatVersion current_format{};

/// The length of the fixed part at the beginning of a file.
inline constexpr std::size_t header_size = 32;
/// So many are enough to tell what a file is that is none of ours.
inline constexpr std::size_t n_telling_bytes = 512;

/// What the first n_telling_bytes, or as many as there are, say of the length of the whole file. Throws BadFile for
/// a file that is none of ours or of another major version, and says what it seems to be.
std::uint64_t size_by_header(std::string_view first_bytes);

class SectionWriter {
 public:
  /// `name` has at most 16 characters.
  void add(std::string_view name, std::string bytes) { sections_.emplace_back(name, std::move(bytes)); }
  /// An array of numbers, made by number_of(item).
  template <class Items, class NumberOf>
  void add_array(std::string_view name, const Items& items, NumberOf number_of) {
    std::string bytes;
    for (const auto& item : items) append_little_endian(bytes, number_of(item));
    add(name, std::move(bytes));
  }

  [[nodiscard]] std::string finish() const;

 private:
  std::vector<std::pair<std::string, std::string>> sections_;
};

/// Reads a whole file. What it throws is BadFile.
class SectionReader {
 public:
  /// Checks everything but what the sections mean. Views the bytes.
  explicit SectionReader(std::string_view bytes);

  [[nodiscard]] FormatVersion version() const { return version_; }
  [[nodiscard]] bool has(std::string_view name) const { return sections_.contains(name); }
  /// The bytes of a section.
  std::string_view take(std::string_view name);
  template <class T>
  LittleEndianArray<T> take_array(std::string_view name) {
    const std::string_view bytes = take(name);
    if (bytes.size() % sizeof(T) != 0) refuse_array(name, bytes.size(), sizeof(T));
    return LittleEndianArray<T>(bytes);
  }
  /// Throws if there is a section that nobody took.
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

/// All bytes of a file of sections. Throws FileError if it cannot be read, and BadFile, which begins with `name`, if it
/// is none of ours.
std::string read_sections_file(const std::string& path, std::string_view name);

/// Throws BadFile: what is wrong with the file called `name`, and whether it may be for its later version.
[[noreturn]] void refuse_sections(std::string_view name, FormatVersion version, std::string_view complaint);

/// What `read` makes of the sections. Whatever does not fit is told by BadFile, which begins
/// with `name`.
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
