// SPDX-License-Identifier: Apache-2.0
#include "series/made_columns.h"

#include <algorithm>

#include "series/moments.h"

namespace pidforest::series {

using Form = WindowColumn::Form;

MadeColumns::MadeColumns(const WindowColumns& windows)
    : windows_(windows), scales_(windows.signals.size()), values_(windows.columns.size()) {
  for (std::size_t column = 0; column < windows.columns.size(); ++column) {
    const WindowColumn& one = windows.columns[column];
    Scales& scales = scales_[one.signal];
    if (one.form == Form::mean) {
      scales.spans.push_back(one.span);
      scales.means.push_back(column);
    } else if (one.form == Form::deviation) {
      scales.deviations.push_back(column);
    }
  }
}

std::size_t MadeColumns::most_rows() const {
  constexpr std::size_t most_values = std::size_t{1} << 21U;
  constexpr std::size_t fewest = 1024;
  constexpr std::size_t most = 65'536;
  return std::clamp(most_values / std::max<std::size_t>(values_.size(), 1), fewest, most);
}

void MadeColumns::make(std::span<const double* const> last, std::size_t n_before, std::size_t n) {
  for (std::size_t column = 0; column < values_.size(); ++column) {
    const WindowColumn& one = windows_.columns[column];
    if (one.form == Form::lag) continue;
    values_[column].resize(n);
    if (one.form == Form::rise) make_rises(one, last[one.signal], values_[column]);
  }
  for (std::size_t signal = 0; signal < scales_.size(); ++signal)
    if (!scales_[signal].spans.empty()) make_scales(scales_[signal], last[signal], n_before, n);
}

void MadeColumns::make_rises(const WindowColumn& column, const double* last, std::span<double> values) const {
  const double* const before = last - static_cast<std::ptrdiff_t>(column.span);
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = last[row] - before[row];
}

void MadeColumns::make_scales(const Scales& scales, const double* last, std::size_t n_before, std::size_t n) {
  std::vector<SpanMoments> moments(scales.spans.size());
  for (std::size_t row = 0; row < n; ++row) {
    moments_of_last(last + row, n_before + row, scales.spans, moments);
    for (std::size_t i = 0; i < moments.size(); ++i) {
      values_[scales.means[i]][row] = moments[i].mean;
      values_[scales.deviations[i]][row] = moments[i].deviation;
    }
  }
}

}  // namespace pidforest::series
