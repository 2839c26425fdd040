// SPDX-License-Identifier: Apache-2.0
// Declared in in/decoders.h.
#include <zstd.h>

#include <memory>
#include <new>
#include <utility>

#include "in/decoders.h"

namespace pidforest::cli {

namespace {

class ZstdDecoder {
 public:
  explicit ZstdDecoder(CompressedBytes bytes)
      : bytes_(std::move(bytes)), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }

  std::size_t read(std::span<char> room) {
    while (true) {
      const std::span<char> bytes = bytes_.buffered();
      if (bytes.empty() && is_between_frames_) return 0;
      ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
      ZSTD_outBuffer output{room.data(), room.size(), 0};
      const std::size_t left = ZSTD_decompressStream(stream_.get(), &output, &input);
      bytes_.use(input.pos);
      if (ZSTD_isError(left) != 0) bytes_.refuse_damaged(ZSTD_getErrorName(left));
      is_between_frames_ = left == 0;
      if (output.pos > 0) return output.pos;
      if (bytes.empty() && !is_between_frames_) bytes_.refuse_cut();
    }
  }

 private:
  CompressedBytes bytes_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  bool is_between_frames_ = false;
};

}  // namespace

ByteSource zstd_decoder(CompressedBytes bytes) {
  return
      [decoder = std::make_shared<ZstdDecoder>(std::move(bytes))](std::span<char> room) { return decoder->read(room); };
}

}  // namespace pidforest::cli
