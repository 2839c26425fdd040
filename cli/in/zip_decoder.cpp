// SPDX-License-Identifier: Apache-2.0
// Declared in in/decoders.h.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "in/decoders.h"

namespace pidforest::cli {

namespace {

std::uint64_t number_in(std::string_view bytes, std::size_t at, std::size_t n) {
  std::uint64_t number = 0;
  for (std::size_t i = n; i > 0; --i) number = number << 8U | static_cast<unsigned char>(bytes[at + i - 1]);
  return number;
}

/// Reads the member from the front, so that the archive may come through a pipe; its directory, at the end, only says
/// where the member ends.
class ZipDecoder {
 public:
  explicit ZipDecoder(CompressedBytes bytes) : bytes_(std::move(bytes)) {
    constexpr int raw_deflate = -MAX_WBITS;
    if (inflateInit2(&stream_, raw_deflate) != Z_OK) throw std::bad_alloc();
  }
  ~ZipDecoder() { inflateEnd(&stream_); }
  ZipDecoder(const ZipDecoder&) = delete;
  ZipDecoder& operator=(const ZipDecoder&) = delete;

  std::size_t read(std::span<char> room) {
    if (!has_begun_) begin();
    while (!is_at_end_) {
      const std::size_t n = is_stored_ ? copy_some(room) : inflate_some(room);
      checksum_ = static_cast<std::uint32_t>(crc32_z(checksum_, reinterpret_cast<const Bytef*>(room.data()), n));
      n_bytes_ += n;
      if (is_at_end_) check_end();
      if (n > 0) return n;
    }
    return 0;
  }

 private:
  static constexpr std::uint64_t member_mark = 0x04034B50;
  static constexpr std::uint64_t descriptor_mark = 0x08074B50;
  static constexpr std::uint64_t directory_mark = 0x02014B50;
  static constexpr std::uint64_t in_extra = 0xFFFFFFFF;

  void begin() {
    has_begun_ = true;
    constexpr std::size_t header_size = 30;
    if (bytes_.buffered().empty()) bytes_.refuse_cut();
    const std::string header = bytes_.take(header_size);
    if (number_in(header, 0, 4) != member_mark) bytes_.refuse_damaged("not a zip archive with a member");
    const std::uint64_t flags = number_in(header, 6, 2);
    const std::uint64_t method = number_in(header, 8, 2);
    expected_checksum_ = static_cast<std::uint32_t>(number_in(header, 14, 4));
    n_packed_ = number_in(header, 18, 4);
    expected_bytes_ = number_in(header, 22, 4);
    const std::string name = bytes_.take(number_in(header, 26, 2));
    const std::string extra = bytes_.take(number_in(header, 28, 2));
    check_member(name, flags, method);
    take_long_sizes(extra);
    is_stored_ = method == 0;
    has_descriptor_ = (flags & 8U) != 0;
    if (is_stored_ && has_descriptor_) bytes_.refuse("does not say how long its stored member is. Unpack it.");
    is_at_end_ = is_stored_ && n_packed_ == 0;
    if (is_at_end_) check_end();
  }

  void check_member(const std::string& name, std::uint64_t flags, std::uint64_t method) const {
    if (name == "[Content_Types].xml" || name.starts_with("xl/") || name.starts_with("_rels/"))
      bytes_.refuse(
          "is an Excel workbook. Save the sheet as CSV, or run: libreoffice --headless --convert-to csv FILE");
    if ((flags & 1U) != 0) bytes_.refuse("is encrypted. Unpack it with its password.");
    if (name.ends_with('/')) bytes_.refuse("must have one member; its first is a folder. Unpack it.");
    if (method != 0 && method != Z_DEFLATED)
      bytes_.refuse(fmt::format("must be stored or deflated; it uses method {}. Unpack it.", method));
  }

  /// Sizes that do not fit 32 bits are in an extra field: first the one of the content, then the packed one.
  void take_long_sizes(std::string_view extra) {
    while (extra.size() >= 4) {
      const std::uint64_t kind = number_in(extra, 0, 2);
      const std::string_view field = extra.substr(4, number_in(extra, 2, 2));
      if (kind == 1 && field.size() >= 16) {
        if (expected_bytes_ == in_extra) expected_bytes_ = number_in(field, 0, 8);
        if (n_packed_ == in_extra) n_packed_ = number_in(field, 8, 8);
      }
      extra.remove_prefix(std::min(extra.size(), 4 + field.size()));
    }
  }

  std::size_t copy_some(std::span<char> room) {
    const std::span<char> input = bytes_.buffered();
    if (input.empty()) bytes_.refuse_cut();
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>({input.size(), room.size(), n_packed_ - n_bytes_}));
    std::copy_n(input.begin(), n, room.begin());
    bytes_.use(n);
    is_at_end_ = n_bytes_ + n == n_packed_;
    return n;
  }

  std::size_t inflate_some(std::span<char> room) {
    constexpr std::size_t most = std::size_t{1} << 30;
    const std::span<char> input = bytes_.buffered();
    if (input.empty()) bytes_.refuse_cut();
    const std::size_t n_room = std::min(room.size(), most);
    stream_.next_in = reinterpret_cast<Bytef*>(input.data());
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(n_room);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    bytes_.use(input.size() - stream_.avail_in);
    is_at_end_ = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (!is_at_end_ && result != Z_OK && result != Z_BUF_ERROR)
      bytes_.refuse_damaged(stream_.msg != nullptr ? stream_.msg : "not deflated data");
    return n_room - stream_.avail_out;
  }

  /// Checks the member that has ended, and that no other follows.
  void check_end() {
    std::uint64_t next = number_in(bytes_.take(4), 0, 4);
    if (has_descriptor_) next = take_descriptor(next);
    if (checksum_ != expected_checksum_ || (!has_descriptor_ && n_bytes_ != expected_bytes_))
      bytes_.refuse_damaged("it does not match its checksum");
    if (next == member_mark) bytes_.refuse("must have one member; it has several. Unpack the one to read.");
    if (next != directory_mark) bytes_.refuse_damaged("its directory is missing");
    while (!bytes_.buffered().empty()) bytes_.use(bytes_.buffered().size());
  }

  /// Takes a checksum and two sizes of 4 or 8 bytes, and returns the mark that follows. The first mark is optional.
  std::uint64_t take_descriptor(std::uint64_t first) {
    expected_checksum_ = static_cast<std::uint32_t>(first == descriptor_mark ? number_in(bytes_.take(4), 0, 4) : first);
    (void)bytes_.take(8);
    const std::uint64_t next = number_in(bytes_.take(4), 0, 4);
    if (next == directory_mark || next == member_mark) return next;
    (void)bytes_.take(4);
    return number_in(bytes_.take(4), 0, 4);
  }

  CompressedBytes bytes_;
  z_stream stream_ = {};
  bool has_begun_ = false;
  bool is_stored_ = false;
  bool has_descriptor_ = false;
  bool is_at_end_ = false;
  std::uint32_t checksum_ = 0;
  std::uint32_t expected_checksum_ = 0;
  std::uint64_t n_bytes_ = 0;
  std::uint64_t n_packed_ = 0;
  std::uint64_t expected_bytes_ = 0;
};

}  // namespace

ByteSource zip_decoder(CompressedBytes bytes) {
  return
      [decoder = std::make_shared<ZipDecoder>(std::move(bytes))](std::span<char> room) { return decoder->read(room); };
}

}  // namespace pidforest::cli
