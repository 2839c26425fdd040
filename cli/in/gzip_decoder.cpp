// SPDX-License-Identifier: Apache-2.0
// Declared in in/decoders.h.
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "in/decoders.h"

namespace pidforest::cli {

namespace {

class GzipDecoder {
 public:
  explicit GzipDecoder(CompressedBytes bytes) : bytes_(std::move(bytes)) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecoder() { inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  std::size_t read(std::span<char> room) {
    while (true) {
      if (is_between_members_) skip_padding();
      const std::span<char> input = bytes_.buffered();
      if (input.empty() && !is_between_members_) bytes_.refuse_cut();
      if (input.empty()) return 0;
      if (const std::size_t n = inflate_some(input, room); n > 0) return n;
    }
  }

 private:
  /// Tapes and some tools pad a file with zeros.
  void skip_padding() {
    while (true) {
      const std::span<char> input = bytes_.buffered();
      const auto zeros = std::ranges::find_if(input, [](char c) { return c != 0; }) - input.begin();
      bytes_.use(static_cast<std::size_t>(zeros));
      if (input.empty() || static_cast<std::size_t>(zeros) < input.size()) return;
    }
  }

  std::size_t inflate_some(std::span<char> input, std::span<char> room) {
    constexpr std::size_t most = std::size_t{1} << 30;
    const std::size_t n_room = std::min(room.size(), most);
    stream_.next_in = reinterpret_cast<Bytef*>(input.data());
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(n_room);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    bytes_.use(input.size() - stream_.avail_in);
    is_between_members_ = result == Z_STREAM_END;
    if (is_between_members_)
      inflateReset(&stream_);
    else if (result == Z_MEM_ERROR)
      throw std::bad_alloc();
    else if (result != Z_OK && result != Z_BUF_ERROR)
      bytes_.refuse_damaged(stream_.msg != nullptr ? stream_.msg : "not gzip data");
    return n_room - stream_.avail_out;
  }

  CompressedBytes bytes_;
  z_stream stream_ = {};
  bool is_between_members_ = false;
};

}  // namespace

ByteSource gzip_decoder(CompressedBytes bytes) {
  return
      [decoder = std::make_shared<GzipDecoder>(std::move(bytes))](std::span<char> room) { return decoder->read(room); };
}

}  // namespace pidforest::cli
