// SPDX-License-Identifier: Apache-2.0
#include "reasons/row_marks.h"

#include <algorithm>

namespace pidforest::reasons {

void RowMarks::add(const Mark& mark) {
  std::size_t i = std::min(n_, most - 1);
  if (n_ == most && marks_[i].bits >= mark.bits) return;
  for (; i > 0 && marks_[i - 1].bits < mark.bits; --i) marks_[i] = marks_[i - 1];
  marks_[i] = mark;
  n_ = std::min(n_ + 1, most);
}

std::vector<std::uint32_t> RowMarks::numbers() const {
  std::vector<std::uint32_t> numbers;
  for (const Mark& mark : marks()) numbers.push_back(mark.number);
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace pidforest::reasons
