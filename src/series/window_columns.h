// SPDX-License-Identifier: Apache-2.0
// The columns of windows: a metric at a lag, its rise, its mean and deviation over the last samples, and the views that
// they belong to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/series.h"
#include "pidforest/table.h"

namespace pidforest::series {

/// What columns are derived from: a metric, or a metric minus its usual value.
struct Signal {
  std::string name;
  std::size_t metric = 0;
  bool is_residual = false;
};

struct WindowColumn {
  enum class Form : std::uint8_t { lag, rise, mean, deviation };

  /// Its name, kind and views.
  ColumnSchema schema = {};
  Form form = Form::lag;
  /// The place of its signal in WindowColumns.
  std::size_t signal = 0;
  /// How many samples earlier; or over how many samples.
  std::size_t span = 0;
};

struct WindowColumns {
  std::vector<Signal> signals = {};
  std::vector<WindowColumn> columns = {};
};

/// The columns of windows without the means and the calendar. `recipe` is complete. The single view `lags` names no
/// views.
WindowColumns window_columns(const WindowRecipe& recipe);

/// Over how many samples the means and deviations of the view `scales` are.
std::vector<std::size_t> scale_spans(std::size_t n_metrics);

/// "10 min", "an even step of 10 min" in the words of column names; "4 samples" if the step is 0.
std::string span_name(std::size_t n_samples, std::int64_t step);

}  // namespace pidforest::series
