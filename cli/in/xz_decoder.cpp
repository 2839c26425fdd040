// SPDX-License-Identifier: Apache-2.0
// Declared in in/decoders.h.
#include <lzma.h>

#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "in/decoders.h"

namespace pidforest::cli {

namespace {

class XzDecoder {
 public:
  explicit XzDecoder(CompressedBytes bytes) : bytes_(std::move(bytes)) {
    if (lzma_stream_decoder(&stream_, most_memory, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzDecoder() { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

  std::size_t read(std::span<char> room) {
    while (!is_at_end_) {
      const std::span<char> input = bytes_.buffered();
      if (const std::size_t n = decode_some(input, room); n > 0) return n;
    }
    return 0;
  }

 private:
  /// The largest dictionary of `xz -9` takes 65 MB.
  static constexpr std::uint64_t most_memory = std::uint64_t{256} << 20;

  std::size_t decode_some(std::span<char> input, std::span<char> room) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(room.data());
    stream_.avail_out = room.size();
    // Another stream may follow, so only the end of the file is the end.
    const lzma_ret result = lzma_code(&stream_, input.empty() ? LZMA_FINISH : LZMA_RUN);
    bytes_.use(input.size() - stream_.avail_in);
    is_at_end_ = result == LZMA_STREAM_END;
    if (!is_at_end_ && result != LZMA_OK) refuse(result, input.empty());
    return room.size() - stream_.avail_out;
  }

  [[noreturn]] void refuse(lzma_ret result, bool is_at_end) const {
    if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (result == LZMA_MEMLIMIT_ERROR) bytes_.refuse("needs more than 256 MB to decompress. Pipe it through xz -d.");
    if (result == LZMA_BUF_ERROR && is_at_end) bytes_.refuse_cut();
    bytes_.refuse_damaged(result == LZMA_FORMAT_ERROR ? "not xz data" : "it does not match its checksums");
  }

  CompressedBytes bytes_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool is_at_end_ = false;
};

}  // namespace

ByteSource xz_decoder(CompressedBytes bytes) {
  return
      [decoder = std::make_shared<XzDecoder>(std::move(bytes))](std::span<char> room) { return decoder->read(room); };
}

}  // namespace pidforest::cli
