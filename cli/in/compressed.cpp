// SPDX-License-Identifier: Apache-2.0
#include "in/compressed.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

constexpr std::string_view gzip_magic = "\x1F\x8B";
constexpr std::string_view zstd_magic = "\x28\xB5\x2F\xFD";

/// A buffer of compressed bytes that counts the bytes used so far.
class CompressedBytes {
 public:
  CompressedBytes(ByteSource source, std::string name, Compression compression)
      : source_(std::move(source)), name_(std::move(name)), compression_(compression) {}

  /// The buffered bytes. Reads more if there are none; empty at the end.
  std::span<char> buffered() {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = source_(buffer_);
    }
    return std::span(buffer_).subspan(begin_, end_ - begin_);
  }
  void use(std::size_t n) {
    begin_ += n;
    n_used_ += n;
  }

  [[noreturn]] void refuse_damaged(std::string_view why) const {
    throw InvalidInput(fmt::format("{}, byte {}: the {} data is damaged ({}). Download or compress the file again.",
                                   name_, n_used_, name_of(compression_), why));
  }
  [[noreturn]] void refuse_cut() const {
    throw InvalidInput(
        fmt::format("{}, byte {}: the file ends in the middle of its {} data. Download or compress it again.", name_,
                    n_used_, name_of(compression_)));
  }

 private:
  ByteSource source_;
  std::string name_;
  Compression compression_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 18);
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t n_used_ = 0;
};

class GzipReader {
 public:
  explicit GzipReader(CompressedBytes bytes) : bytes_(std::move(bytes)) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~GzipReader() { inflateEnd(&stream_); }
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

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

class ZstdReader {
 public:
  explicit ZstdReader(CompressedBytes bytes)
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

template <class Reader>
ByteSource reading(CompressedBytes bytes) {
  return [reader = std::make_shared<Reader>(std::move(bytes))](std::span<char> room) { return reader->read(room); };
}

}  // namespace

std::string_view name_of(Compression compression) { return compression == Compression::gzip ? "gzip" : "zstd"; }

std::string_view suffix_of(Compression compression) { return compression == Compression::gzip ? ".gz" : ".zst"; }

Compression compression_by_name(std::string_view name) {
  for (const Compression one : {Compression::gzip, Compression::zstd})
    if (name.ends_with(suffix_of(one))) return one;
  return Compression::none;
}

Compression compression_by_content(std::string_view first_bytes) {
  if (first_bytes.starts_with(gzip_magic)) return Compression::gzip;
  return first_bytes.starts_with(zstd_magic) ? Compression::zstd : Compression::none;
}

ByteSource decompressed(Compression compression, ByteSource compressed, std::string name) {
  if (compression == Compression::none) return compressed;
  CompressedBytes bytes(std::move(compressed), std::move(name), compression);
  return compression == Compression::gzip ? reading<GzipReader>(std::move(bytes))
                                          : reading<ZstdReader>(std::move(bytes));
}

}  // namespace pidforest::cli
