// SPDX-License-Identifier: Apache-2.0
// The checksum of a model file's sections: CRC-32C (Castagnoli), as in iSCSI and ext4.
#pragma once

#include <cstdint>
#include <string_view>

namespace pidforest::file {

std::uint32_t crc32c(std::string_view bytes);

}  // namespace pidforest::file
