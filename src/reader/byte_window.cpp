// SPDX-License-Identifier: Apache-2.0
#include "reader/byte_window.h"

#include <algorithm>
#include <cstring>

#include "values/plain_number.h"

namespace pidforest::reader {

namespace {

/// Maximum number of bytes per read; cancellation is checked between reads.
constexpr std::size_t most_at_once = std::size_t{1} << 20;

}  // namespace

void ByteWindow::make_room(std::size_t size) {
  const std::size_t n_at_hand = end_ - begin_;
  const std::size_t needed = std::max(size, n_at_hand) + 1 + values::lookahead;
  if (n_bytes_ < needed || n_bytes_ > 4 * needed) {
    auto larger = std::make_unique_for_overwrite<char[]>(needed);
    std::copy_n(bytes_.get() + begin_, n_at_hand, larger.get());
    bytes_ = std::move(larger);
    n_bytes_ = needed;
  } else {
    std::memmove(bytes_.get(), bytes_.get() + begin_, n_at_hand);
  }
  begin_ = 0;
  end_ = n_at_hand;
}

void ByteWindow::fill(std::size_t size, const std::function<void()>& check_cancelled) {
  if (is_final_ || (bytes_ && end_ - begin_ >= size)) return;
  make_room(size);
  while (end_ < size && !is_final_) {
    check_cancelled();
    const std::size_t n = source_({bytes_.get() + end_, std::min(size - end_, most_at_once)});
    end_ += n;
    n_bytes_read_ += n;
    is_final_ = n == 0;
  }
  if (is_final_ && end_ > 0 && bytes_[end_ - 1] != '\n') bytes_[end_++] = '\n';
  std::fill_n(bytes_.get() + end_, values::lookahead, '\0');
}

}  // namespace pidforest::reader
