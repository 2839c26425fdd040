// SPDX-License-Identifier: Apache-2.0
#include "file/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "file/crc32c.h"
#include "pidforest/error.h"
#include "reader/file_kind.h"
#include "system/read_file.h"
#include "values/excerpt.h"

namespace pidforest::file {

namespace {

/// Describes a file that does not begin like a model.
std::string seems_to_be(std::string_view begin) {
  if (begin.empty()) return "is empty";
  if (begin.starts_with("\x89PIDF")) return "seems to have been altered by a transfer in text mode";
  const std::string_view file = reader::kind_of_file(begin).name;
  const std::string_view kind = file.empty() ? reader::kind_of_text(begin) : file;
  return kind.empty() ? "is another kind of file, or damaged at its start" : fmt::format("seems to be {}", kind);
}

// As in PNG: a byte that is not text, the name, a line end that a transfer as text would change, an end-of-text byte.
constexpr std::string_view magic = "\x89PIDF\r\n\x1A";
constexpr std::string_view end_mark = "PIDF.END";
constexpr std::size_t name_size = 16;
constexpr std::size_t entry_size = 40;
constexpr std::size_t most_sections = 1000;
constexpr std::size_t alignment = 8;

// Offsets of the fields of the header.
constexpr std::size_t major_at = 8;
constexpr std::size_t minor_at = 10;
constexpr std::size_t n_sections_at = 12;
constexpr std::size_t size_at = 16;
constexpr std::size_t table_checksum_at = 24;
constexpr std::size_t header_checksum_at = 28;

std::size_t padding_after(std::size_t size) { return (alignment - size % alignment) % alignment; }

template <class T>
T field(std::string_view bytes, std::size_t at) {
  return little_endian<T>(bytes.substr(at, sizeof(T)));
}

[[noreturn]] void refuse_short(std::uint64_t got) {
  throw BadFile(fmt::format("it is truncated after {} bytes. Copy or save it again.", got));
}

void check_checksum(std::string_view bytes, std::uint32_t expected, std::string_view what) {
  if (crc32c(bytes) != expected)
    throw BadFile(fmt::format("{} is damaged: its checksum does not match. Copy or save it again.", what));
}

void check_version(FormatVersion version) {
  if (version.major > current_format.major)
    throw BadFile(fmt::format("it was written by a later version of pidforest (format {}.{}); this version reads {}.x.",
                              version.major, version.minor, current_format.major));
  if (version.major < current_format.major)
    throw BadFile(
        fmt::format("its format {}.{} does not exist; the file is damaged or forged.", version.major, version.minor));
}

void check_padding(std::string_view bytes) {
  if (bytes.find_first_not_of('\0') != std::string_view::npos)
    throw BadFile("it is damaged: the bytes between its sections must be 0.");
}

}  // namespace

std::uint64_t size_by_header(std::string_view first_bytes) {
  const std::size_t n_common = std::min(magic.size(), first_bytes.size());
  if (first_bytes.empty() || first_bytes.substr(0, n_common) != magic.substr(0, n_common))
    throw BadFile(fmt::format("it is not a pidforest model file; it {}.", seems_to_be(first_bytes)));
  if (first_bytes.size() < n_sections_at) refuse_short(first_bytes.size());
  check_version({field<std::uint16_t>(first_bytes, major_at), field<std::uint16_t>(first_bytes, minor_at)});
  if (first_bytes.size() < header_size) refuse_short(first_bytes.size());
  check_checksum(first_bytes.substr(0, header_checksum_at), field<std::uint32_t>(first_bytes, header_checksum_at),
                 "its header");
  return field<std::uint64_t>(first_bytes, size_at);
}

std::string SectionWriter::finish(FormatVersion version) const {
  std::string table;
  std::string body;
  const std::size_t body_at = header_size + entry_size * sections_.size();
  for (const auto& [name, bytes] : sections_) {
    table += name + std::string(name_size - name.size(), '\0');
    append_little_endian<std::uint64_t>(table, body_at + body.size());
    append_little_endian<std::uint64_t>(table, bytes.size());
    append_little_endian<std::uint32_t>(table, crc32c(bytes));
    append_little_endian<std::uint32_t>(table, 0);
    body += bytes;
    body.append(padding_after(bytes.size()), '\0');
  }
  std::string header(magic);
  append_little_endian<std::uint16_t>(header, version.major);
  append_little_endian<std::uint16_t>(header, version.minor);
  append_little_endian<std::uint32_t>(header, static_cast<std::uint32_t>(sections_.size()));
  append_little_endian<std::uint64_t>(header, body_at + body.size() + end_mark.size());
  append_little_endian<std::uint32_t>(header, crc32c(table));
  append_little_endian<std::uint32_t>(header, crc32c(header));
  return header.append(table).append(body).append(end_mark);
}

SectionReader::SectionReader(std::string_view bytes) {
  const std::uint64_t size = size_by_header(bytes.substr(0, n_telling_bytes));
  if (bytes.size() < size) refuse_short(bytes.size());
  if (bytes.size() > size) throw BadFile(fmt::format("it has more bytes after its end at byte {}.", size));
  version_ = {field<std::uint16_t>(bytes, major_at), field<std::uint16_t>(bytes, minor_at)};
  const auto n_sections = field<std::uint32_t>(bytes, n_sections_at);
  const std::size_t table_size = entry_size * std::size_t{n_sections};
  if (n_sections > most_sections || bytes.size() < header_size + table_size + end_mark.size())
    throw BadFile(fmt::format("it is too short for the {} sections that it declares.", n_sections));
  check_checksum(bytes.substr(header_size, table_size), field<std::uint32_t>(bytes, table_checksum_at),
                 "its table of sections");
  if (!bytes.ends_with(end_mark)) throw BadFile("its end mark is missing. Copy or save it again.");
  read_table(bytes.substr(0, bytes.size() - end_mark.size()), n_sections);
}

/// The sections must be adjacent and in the order of the table.
void SectionReader::read_table(std::string_view bytes, std::size_t n_sections) {
  std::size_t next = header_size + entry_size * n_sections;
  for (std::size_t i = 0; i < n_sections; ++i) {
    const std::string_view entry = bytes.substr(header_size + entry_size * i, entry_size);
    const std::string_view padded_name = entry.substr(0, name_size);
    const std::string_view name = padded_name.substr(0, padded_name.find('\0'));
    const auto offset = field<std::uint64_t>(entry, 16);
    const auto size = field<std::uint64_t>(entry, 24);
    const std::size_t room = bytes.size() - next;
    if (offset != next || size > room || padding_after(size) > room - size)
      throw BadFile(fmt::format("its section '{}' is misplaced: {} bytes from byte {} on, where byte {} is next.",
                                values::excerpt(name), size, offset, next));
    check_padding(padded_name.substr(name.size()));
    check_padding(entry.substr(36));
    const std::string_view section = bytes.substr(next, size);
    check_checksum(section, field<std::uint32_t>(entry, 32), fmt::format("its section '{}'", values::excerpt(name)));
    check_padding(bytes.substr(next + size, padding_after(size)));
    if (!sections_.try_emplace(std::string(name), Section{section}).second)
      throw BadFile(fmt::format("it has the section '{}' twice.", values::excerpt(name)));
    next += size + padding_after(size);
  }
  if (next != bytes.size())
    throw BadFile(fmt::format("it has bytes that belong to no section, from byte {} on.", next));
}

std::string_view SectionReader::take(std::string_view name) {
  const auto found = sections_.find(name);
  if (found == sections_.end()) throw BadFile(fmt::format("its section '{}' is missing.", name));
  found->second.is_taken = true;
  return found->second.bytes;
}

void SectionReader::refuse_array(std::string_view name, std::size_t size, std::size_t number_size) {
  throw BadFile(fmt::format("its section '{}' has {} bytes, which is not a multiple of {}.", name, size, number_size));
}

std::string read_sections_file(const std::string& path, std::string_view name) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw BadFile(fmt::format("{}: it is a folder.", name));
  return system::read_file(path, n_telling_bytes, [&](std::string_view first_bytes) {
    try {
      return size_by_header(first_bytes);
    } catch (const BadFile& error) {
      throw BadFile(fmt::format("{}: {}", name, error.what()));
    }
  });
}

void refuse_sections(std::string_view name, FormatVersion version, std::string_view complaint) {
  const bool is_later = version.minor > current_format.minor;
  throw BadFile(fmt::format("{}: {}{}", name, complaint,
                            is_later
                                ? fmt::format(" It was written by a later version of pidforest (format {}.{}); this "
                                              "version knows {}.{}.",
                                              version.major, version.minor, current_format.major, current_format.minor)
                                : ""));
}

void SectionReader::check_all_taken() const {
  const auto found = std::ranges::find_if(sections_, [](const auto& section) { return !section.second.is_taken; });
  if (found != sections_.end())
    throw BadFile(fmt::format("it has a section '{}', which this version of pidforest does not know.",
                              values::excerpt(found->first)));
}

}  // namespace pidforest::file
