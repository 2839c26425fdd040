// SPDX-License-Identifier: Apache-2.0
// What to compute (Options) and how to run it (Run). Every option is declared once, in options.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pidforest {

/// Which split an axis offers a node.
enum class Cuts { sampled, optimal };
/// What an axis is chosen by: the variance of sparsity, or the share of the axis' own error that the split explains.
enum class AxisGain { variance, relative };
/// How the bits of a row's leaves, one per tree, become its score.
enum class Aggregate { mean, quantile, max, top, vote };
/// Where the root cube ends: at the smallest and largest value, or half a gap beyond them.
enum class RootInterval { range, half_gap };

/// The member initialisers are the `default` preset.
struct Options {
  static constexpr std::int64_t automatic = 0;
  static constexpr std::int64_t all_rows = 0;
  static constexpr std::int64_t own_sample = -1;
  static constexpr double none = 0;
  static constexpr double automatic_contamination = -1;
  static constexpr double automatic_epsilon = -1;

  std::int64_t n_estimators = 100;
  std::int64_t max_samples = 256;
  std::int64_t max_depth = 14;
  std::int64_t min_node_rows = automatic;
  Cuts cuts = Cuts::sampled;
  double gate = 4;
  std::int64_t rounds = 3;
  std::int64_t max_children = 5;
  double epsilon = automatic_epsilon;
  AxisGain axis_gain = AxisGain::variance;
  double axis_power = 0.5;
  RootInterval root_interval = RootInterval::range;
  std::int64_t count_rows = all_rows;
  Aggregate aggregate = Aggregate::mean;
  double quantile = 0.75;
  double top_share = 0.1;
  double contamination = automatic_contamination;
  std::int64_t seed = 0;

  bool operator==(const Options&) const = default;
};

/// "default", "paper" (the text of the paper) or "authors" (what their code does). Throws InvalidOption.
Options preset(std::string_view name);
std::span<const std::string_view> preset_names();

/// A word that stands for a number: `cuts` takes nothing but words, `min_node_rows` takes "auto" as well as numbers.
struct Word {
  std::string_view text;
  double value;
};

/// The declaration of one option.
struct OptionSpec {
  enum class Type { integer, real, choice };

  std::string_view name;
  /// The paper's symbol, or empty.
  std::string_view symbol;
  Type type;
  double low;
  double high;
  std::vector<Word> words;
  std::string_view help;
  double (*get)(const Options&);
  void (*set)(Options&, double);

  /// The allowed values in words: "between 1 and 64", "one of sampled, optimal".
  [[nodiscard]] std::string allowed() const;
  /// The value that `options` has, as `set_option` reads it.
  [[nodiscard]] std::string text(const Options& options) const;
};

std::span<const OptionSpec> option_specs();

/// Sets one option from text. Throws InvalidOption that says which, what is allowed and what came.
void set_option(Options& options, std::string_view name, std::string_view text);

/// Throws InvalidOption for the first option out of its range.
void validate(const Options& options);

/// One step of a long piece of work: `done` of `total` units of `stage` are finished.
struct Progress {
  std::string_view stage;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

struct Run {
  /// Number of threads; 0 means one per processor.
  unsigned threads = 0;
  /// Raise this from anywhere (a signal handler too) to stop with `Cancelled` soon after.
  const std::atomic<bool>* cancel = nullptr;
  /// Called on the calling thread only, now and then and at the end of each stage. What it throws stops the work and
  /// reaches the caller.
  std::function<void(const Progress&)> on_progress = nullptr;
};

}  // namespace pidforest
