// SPDX-License-Identifier: Apache-2.0
// A decoder for each compressed format. It reads one member, frame or stream after the other, and its source throws
// InvalidInput with the offset of the byte where the data are damaged or truncated.
#pragma once

#include "in/compressed_bytes.h"
#include "pidforest/reader.h"

namespace pidforest::cli {

ByteSource bzip2_decoder(CompressedBytes bytes);
ByteSource gzip_decoder(CompressedBytes bytes);
ByteSource xz_decoder(CompressedBytes bytes);
/// An archive with one member, stored or deflated.
ByteSource zip_decoder(CompressedBytes bytes);
ByteSource zstd_decoder(CompressedBytes bytes);

}  // namespace pidforest::cli
