// SPDX-License-Identifier: Apache-2.0
#include "in/compressed_bytes.h"

#include <fmt/format.h>

#include "pidforest/error.h"

namespace pidforest::cli {

std::span<char> CompressedBytes::buffered() {
  if (begin_ == end_) {
    begin_ = 0;
    end_ = source_(buffer_);
  }
  return std::span(buffer_).subspan(begin_, end_ - begin_);
}

std::string CompressedBytes::take(std::size_t n) {
  std::string taken;
  while (taken.size() < n) {
    const std::span<char> bytes = buffered();
    if (bytes.empty()) refuse_cut();
    const std::size_t more = std::min(bytes.size(), n - taken.size());
    taken.append(bytes.data(), more);
    use(more);
  }
  return taken;
}

void CompressedBytes::refuse_damaged(std::string_view why) const {
  throw InvalidInput(fmt::format("{}, byte {}: the {} data is damaged ({}). Download or compress the file again.",
                                 name_, n_used_, format_, why));
}

void CompressedBytes::refuse_cut() const {
  throw InvalidInput(
      fmt::format("{}, byte {}: the file ends in the middle of its {} data. Download or compress it again.", name_,
                  n_used_, format_));
}

void CompressedBytes::refuse(std::string_view words) const { throw InvalidInput(fmt::format("{} {}", name_, words)); }

}  // namespace pidforest::cli
