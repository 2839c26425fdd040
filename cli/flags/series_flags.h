// SPDX-License-Identifier: Apache-2.0
// The flags of a file that is a time series.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "pidforest/series.h"

namespace pidforest::cli {

struct SeriesFlags {
  /// Empty: the file is no series, and nothing else is given.
  std::string window;
  std::string time;
  std::string by;
  std::string max_gap;
  std::string align;
  std::vector<std::size_t> means;
  bool calendar = false;

  [[nodiscard]] bool is_series() const { return !window.empty(); }
  /// Whether the window is to be found from the samples.
  [[nodiscard]] bool is_window_open() const { return window == "auto"; }
  /// The columns that say when and where samples are from.
  [[nodiscard]] std::vector<std::string> columns() const;
  /// Throws InvalidOption.
  void check() const;
  /// The same for the columns that --ignore names where a model says what is read. Throws InvalidOption.
  void check_ignored(const std::vector<std::string>& ignored) const;
  /// Without the window, if that is open.
  [[nodiscard]] SeriesOptions options() const;
  [[nodiscard]] WindowAlignment alignment() const;
};

/// Adds them to a verb; `flags` must live as long as it does.
void add_series_flags(CLI::App& verb, SeriesFlags& flags);

}  // namespace pidforest::cli
