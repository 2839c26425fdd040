// SPDX-License-Identifier: Apache-2.0
#include "in/compressed.h"

#include <algorithm>
#include <array>
#include <utility>

#include "in/compressed_bytes.h"
#include "in/decoders.h"

namespace pidforest::cli {

namespace {

using std::string_view_literals::operator""sv;

struct Format {
  Compression compression;
  std::string_view name;
  std::string_view suffix;
  /// The first bytes of its files.
  std::string_view magic;
  /// The command that decompresses standard input.
  std::string_view command;
  ByteSource (*decoder)(CompressedBytes);
};

constexpr std::array<Format, 5> formats{{
    {Compression::gzip, "gzip", ".gz", "\x1F\x8B"sv, "gzip -d", gzip_decoder},
    {Compression::zstd, "zstd", ".zst", "\x28\xB5\x2F\xFD"sv, "zstd -d", zstd_decoder},
    {Compression::xz, "xz", ".xz", "\xFD\x37zX"sv, "xz -d", xz_decoder},
    {Compression::bzip2, "bzip2", ".bz2", "BZh"sv, "bzip2 -d", bzip2_decoder},
    {Compression::zip, "zip", ".zip", "PK\x03\x04"sv, "funzip", zip_decoder},
}};

const Format& format_of(Compression compression) {
  return *std::ranges::find(formats, compression, &Format::compression);
}

}  // namespace

std::string_view name_of(Compression compression) { return format_of(compression).name; }

std::string_view suffix_of(Compression compression) { return format_of(compression).suffix; }

std::string_view command_of(Compression compression) { return format_of(compression).command; }

Compression compression_by_name(std::string_view name) {
  const auto found = std::ranges::find_if(formats, [&](const Format& one) { return name.ends_with(one.suffix); });
  return found == formats.end() ? Compression::none : found->compression;
}

Compression compression_by_content(std::string_view first_bytes) {
  const auto found =
      std::ranges::find_if(formats, [&](const Format& one) { return first_bytes.starts_with(one.magic); });
  return found == formats.end() ? Compression::none : found->compression;
}

ByteSource decompressed(Compression compression, ByteSource compressed, std::string name) {
  if (compression == Compression::none) return compressed;
  const Format& format = format_of(compression);
  return format.decoder(CompressedBytes(std::move(compressed), std::move(name), format.name));
}

}  // namespace pidforest::cli
