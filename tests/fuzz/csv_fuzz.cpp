// SPDX-License-Identifier: Apache-2.0
#include "fuzz/table_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pidforest::fuzz::check_text(data, size, pidforest::TextFormat::Form::csv);
  return 0;
}
