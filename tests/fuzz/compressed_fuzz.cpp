// SPDX-License-Identifier: Apache-2.0
// Compressed inputs of the command: any bytes are rejected with InvalidInput or give the same text, whatever the sizes
// of the pieces. Compressed text comes back unchanged, and is rejected if its end is missing.
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "in/compressed.h"
#include "pidforest/error.h"

namespace {

using pidforest::cli::Compression;

constexpr std::size_t most_text = std::size_t{1} << 20;

/// The text, up to `most_text` bytes; nullopt if the bytes are refused. Bytes come and go in pieces of at most `step`.
/// The byte in the message is not compared: the larger the pieces, the later a mistake is found.
std::optional<std::string> text_of(Compression compression, std::string_view bytes, std::size_t step) {
  const pidforest::ByteSource source = [&](std::span<char> room) {
    const std::size_t n = std::min({room.size(), bytes.size(), step});
    std::copy_n(bytes.begin(), n, room.begin());
    bytes.remove_prefix(n);
    return n;
  };
  std::string text;
  std::vector<char> room(step);
  try {
    const pidforest::ByteSource read = pidforest::cli::decompressed(compression, source, "'x'");
    while (text.size() < most_text) {
      const std::size_t n = read(room);
      if (n == 0) break;
      text.append(room.data(), n);
    }
    return text.substr(0, most_text);
  } catch (const pidforest::InvalidInput&) {
    return std::nullopt;
  }
}

std::string gzip_of(std::string_view text) {
  z_stream stream = {};
  constexpr int gzip_only = 16 + MAX_WBITS;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, gzip_only, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::string bytes(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // NOLINT: zlib does not write there
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

std::string zstd_of(std::string_view text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  const std::size_t n = ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 1);
  if (ZSTD_isError(n) != 0) std::abort();
  bytes.resize(n);
  return bytes;
}

std::string xz_of(std::string_view text) {
  std::string bytes(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t n = 0;
  if (lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                              text.size(), reinterpret_cast<std::uint8_t*>(bytes.data()), &n, bytes.size()) != LZMA_OK)
    std::abort();
  bytes.resize(n);
  return bytes;
}

std::string bzip2_of(std::string_view text) {
  std::string bytes(text.size() + text.size() / 50 + 1000, '\0');
  std::string copy(text);
  auto n = static_cast<unsigned>(bytes.size());
  if (BZ2_bzBuffToBuffCompress(bytes.data(), &n, copy.data(), static_cast<unsigned>(copy.size()), 1, 0, 0) != BZ_OK)
    std::abort();
  bytes.resize(n);
  return bytes;
}

std::string little_endian(std::uint64_t number, unsigned n_bytes) {
  std::string bytes;
  for (unsigned i = 0; i < n_bytes; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  return bytes;
}

/// An archive with one stored member, and of its directory only the mark.
std::string zip_of(std::string_view text) {
  const auto checksum = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  const std::string sizes = little_endian(text.size(), 4) + little_endian(text.size(), 4);
  return "PK\x03\x04" + little_endian(20, 2) + std::string(8, '\0') + little_endian(checksum, 4) + sizes +
         little_endian(1, 2) + little_endian(0, 2) + "x" + std::string(text) + "PK\x01\x02";
}

std::string bytes_of(Compression compression, std::string_view text) {
  switch (compression) {
    case Compression::gzip:
      return gzip_of(text);
    case Compression::zstd:
      return zstd_of(text);
    case Compression::xz:
      return xz_of(text);
    case Compression::bzip2:
      return bzip2_of(text);
    case Compression::zip:
      return zip_of(text);
    case Compression::none:
      break;
  }
  return std::string(text);
}

void check_round_trip(Compression compression, std::string_view text, std::size_t step) {
  const std::string bytes = bytes_of(compression, text);
  if (text_of(compression, bytes, step) != text) std::abort();
  const std::string cut = bytes.substr(0, bytes.size() - 1);
  if (text_of(compression, cut, step)) std::abort();
  if (compression == Compression::zip) return;  // it has one member
  if (text_of(compression, bytes + bytes, step) != std::string(text) + std::string(text)) std::abort();
}

}  // namespace

/// The first byte determines whether the rest is compressed already and the size of the pieces, the second the format.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array formats{Compression::gzip, Compression::zstd, Compression::xz, Compression::bzip2,
                               Compression::zip};
  if (size < 2) return 0;
  const unsigned choice = data[0];
  const Compression compression = formats.at(data[1] % formats.size());
  const std::string_view rest(reinterpret_cast<const char*>(data + 2), size - 2);
  const std::size_t step = 1 + choice / 2;
  if ((choice & 1U) != 0) {
    check_round_trip(compression, rest, step);
  } else if (text_of(compression, rest, 1 << 16) != text_of(compression, rest, step)) {
    std::abort();
  }
  return 0;
}
