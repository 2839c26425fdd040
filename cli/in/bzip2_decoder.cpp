// SPDX-License-Identifier: Apache-2.0
// Declared in in/decoders.h.
#include <bzlib.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "in/decoders.h"

namespace pidforest::cli {

namespace {

class Bzip2Decoder {
 public:
  explicit Bzip2Decoder(CompressedBytes bytes) : bytes_(std::move(bytes)) { begin_stream(); }
  ~Bzip2Decoder() { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Decoder(const Bzip2Decoder&) = delete;
  Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;

  std::size_t read(std::span<char> room) {
    while (true) {
      const std::span<char> input = bytes_.buffered();
      if (input.empty() && !is_between_streams_) bytes_.refuse_cut();
      if (input.empty()) return 0;
      if (is_between_streams_ && n_streams_ > 0) {
        BZ2_bzDecompressEnd(&stream_);
        begin_stream();
      }
      if (const std::size_t n = decode_some(input, room); n > 0) return n;
    }
  }

 private:
  void begin_stream() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  std::size_t decode_some(std::span<char> input, std::span<char> room) {
    constexpr std::size_t most = std::size_t{1} << 30;
    const std::size_t n_room = std::min(room.size(), most);
    stream_.next_in = input.data();
    stream_.avail_in = static_cast<unsigned>(input.size());
    stream_.next_out = room.data();
    stream_.avail_out = static_cast<unsigned>(n_room);
    const int result = BZ2_bzDecompress(&stream_);
    bytes_.use(input.size() - stream_.avail_in);
    is_between_streams_ = result == BZ_STREAM_END;
    if (is_between_streams_)
      ++n_streams_;
    else if (result == BZ_MEM_ERROR)
      throw std::bad_alloc();
    else if (result != BZ_OK)
      bytes_.refuse_damaged(result == BZ_DATA_ERROR_MAGIC ? "not bzip2 data" : "it does not match its checksums");
    return n_room - stream_.avail_out;
  }

  CompressedBytes bytes_;
  bz_stream stream_ = {};
  bool is_between_streams_ = false;
  std::size_t n_streams_ = 0;
};

}  // namespace

ByteSource bzip2_decoder(CompressedBytes bytes) {
  return [decoder = std::make_shared<Bzip2Decoder>(std::move(bytes))](std::span<char> room) {
    return decoder->read(room);
  };
}

}  // namespace pidforest::cli
