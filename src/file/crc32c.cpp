// SPDX-License-Identifier: Apache-2.0
#include "file/crc32c.h"

#include <array>
#include <cstddef>

namespace pidforest::file {

namespace {

constexpr std::size_t n_slices = 8;
using Table = std::array<std::uint32_t, 256>;

/// tables[k][b]: the effect of byte b on the checksum after k more zero bytes.
constexpr std::array<Table, n_slices> make_tables() {
  constexpr std::uint32_t polynomial = 0x82F63B78;  // bits reversed
  std::array<Table, n_slices> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? polynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < n_slices; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8U) ^ tables[0][tables[k - 1][byte] & 0xFFU];
  return tables;
}

constexpr std::array<Table, n_slices> tables = make_tables();

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  for (; bytes.size() >= n_slices; bytes.remove_prefix(n_slices)) {
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < n_slices; ++i) {
      const std::uint32_t old = i < 4 ? crc >> (8 * i) & 0xFFU : 0;
      next ^= tables[n_slices - 1 - i][byte(i) ^ old];
    }
    crc = next;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) crc = (crc >> 8U) ^ tables[0][(crc ^ byte(i)) & 0xFFU];
  return ~crc;
}

}  // namespace pidforest::file
