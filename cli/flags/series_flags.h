// SPDX-License-Identifier: Apache-2.0
// The flags for files that are time series.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flags/cli11.h"
#include "pidforest/series.h"

namespace pidforest::cli {

struct SeriesFlags {
  /// Empty: the file is not a series, and no other flag of a series is given.
  std::string window;
  std::string time;
  std::string by;
  std::string max_gap;
  std::string align;
  std::vector<std::size_t> means;
  bool calendar = false;
  std::string views;
  bool context = false;
  /// Rows are joined to incidents by --time and --by, even if they are scored by themselves.
  bool are_rows_in_time = false;
  /// How a model says that the windows of its fit were made.
  std::optional<WindowRecipe> fitted;

  [[nodiscard]] bool is_series() const { return !window.empty(); }
  /// Whether rows are scored by columns that are derived from other rows.
  [[nodiscard]] bool is_derived() const { return is_series() || context; }
  /// Whether the flags, and no model, say how windows are made.
  [[nodiscard]] bool is_made_anew() const { return is_derived() && !fitted; }
  /// Whether the window is to be chosen from the samples.
  [[nodiscard]] bool is_window_open() const { return window == "auto"; }
  /// The time column and the series key, where given.
  [[nodiscard]] std::vector<std::string> columns() const;
  /// Throws InvalidOption.
  void check() const;
  /// Takes how windows are made from a model that knows it, if it does. Throws InvalidOption for a flag that differs.
  void take(const std::optional<WindowRecipe>& recipe);
  /// Checks --ignore for verbs that read a model. Throws InvalidOption.
  void check_ignored(const std::vector<std::string>& ignored) const;
  /// The window is not set if it is to be chosen from the samples.
  [[nodiscard]] SeriesOptions options() const;
  [[nodiscard]] ContextOptions context_options() const;
  [[nodiscard]] WindowAlignment alignment() const;
};

/// Adds the flags to a verb; `flags` must live as long as it does.
void add_series_flags(CLI::App& verb, SeriesFlags& flags);

}  // namespace pidforest::cli
