// SPDX-License-Identifier: Apache-2.0
// Compressed inputs of the command: any bytes are rejected with InvalidInput or give the same text, whatever the sizes
// of the pieces. Compressed text comes back unchanged, and is rejected if its end is missing.
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
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

void check_round_trip(Compression compression, std::string_view text, std::size_t step) {
  const std::string bytes = compression == Compression::gzip ? gzip_of(text) : zstd_of(text);
  if (text_of(compression, bytes, step) != text) std::abort();
  if (text_of(compression, bytes + bytes, step) != std::string(text) + std::string(text)) std::abort();
  const std::string cut = bytes.substr(0, bytes.size() - 1);
  if (text_of(compression, cut, step)) std::abort();
}

}  // namespace

/// The first byte determines the compression, the size of the pieces, and whether the rest is compressed already.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const std::string_view rest(reinterpret_cast<const char*>(data + 1), size - 1);
  const Compression compression = (choice & 1U) != 0 ? Compression::gzip : Compression::zstd;
  const std::size_t step = 1 + choice / 4;
  if ((choice & 2U) != 0) {
    check_round_trip(compression, rest, step);
  } else if (text_of(compression, rest, 1 << 16) != text_of(compression, rest, step)) {
    std::abort();
  }
  return 0;
}
