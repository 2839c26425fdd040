// SPDX-License-Identifier: Apache-2.0
// The options of a forest (Options) and of a computation (Run). docs/options.md explains every option.
//
//   pidforest::Options options = pidforest::preset("paper");
//   options.n_estimators = 200;
//   pidforest::set_option(options, "max_depth", "12");  // from text, as a command line has it
//   pidforest::validate(options);
//   std::cout << options.max_depth;  // prints 12
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] pidforest {

/// The split that an axis offers to a node: drawn at random and tested, or the best one.
enum class Cuts { sampled, optimal };
/// The gain that decides between axes: the variance of sparsity, or the share of the axis' own error that it explains.
enum class AxisGain { variance, relative };
/// How the bits of a row's leaves, one per tree, become its score.
enum class Aggregate { mean, quantile, max, top, vote, odds };
/// Where the root cube ends: at the smallest and largest value, or half a gap beyond them.
enum class RootInterval { range, half_gap };

/// How a forest is grown and how it scores. The defaults are the `default` preset.
struct Options {
  /// Values of `count_rows`: count all rows, or only the rows of each tree's own sample.
  static constexpr std::int64_t all_rows = 0;
  static constexpr std::int64_t own_sample = -1;
  /// Values of `contamination`: set the threshold by the spread of the scores, or set none.
  static constexpr double automatic_contamination = -1;
  static constexpr double none = 0;

  std::int64_t n_estimators = 100;
  std::int64_t max_samples = 256;
  std::int64_t max_depth = 14;
  /// Without a value: 16, or a quarter of the sample if that is less.
  std::optional<std::int64_t> min_node_rows = {};
  Cuts cuts = Cuts::sampled;
  double gate = 4;
  std::int64_t rounds = 3;
  std::int64_t max_children = 5;
  /// 0 is exact. Without a value: exact up to the size at which one pass is faster.
  std::optional<double> epsilon = {};
  double related_share = 0.5;
  AxisGain axis_gain = AxisGain::variance;
  double axis_power = 0.5;
  bool isolated = true;
  bool rare_pairs = true;
  RootInterval root_interval = RootInterval::range;
  std::int64_t count_rows = all_rows;
  Aggregate aggregate = Aggregate::mean;
  double quantile = 0.75;
  double top_share = 0.1;
  double contamination = automatic_contamination;
  bool reasons = true;
  std::int64_t seed = 0;

  bool operator==(const Options&) const = default;
};

/// The options of a preset: "default", "paper" (the text of the paper) or "authors" (their code). Throws InvalidOption
/// for another name.
Options preset(std::string_view name);
std::span<const std::string_view> preset_names();

/// A word that an option takes instead of a number: `cuts` takes words only, `min_node_rows` takes "auto" or a number.
struct OptionWord {
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
  std::vector<OptionWord> words;
  std::string_view help;
  double (*get)(const Options&);
  void (*set)(Options&, double);

  /// The allowed values in words: "a whole number between 1 and 64", "one of sampled, optimal".
  [[nodiscard]] std::string allowed() const;
  /// The value in `options` as a text that `set_option` reads.
  [[nodiscard]] std::string text(const Options& options) const;
};

/// Every option, in the order in which users meet them.
std::span<const OptionSpec> option_specs();

/// Sets one option from text. Throws InvalidOption that names the option, the allowed values and the text.
void set_option(Options& options, std::string_view name, std::string_view text);

/// Throws InvalidOption for the first option that is out of its range.
void validate(const Options& options);

/// The progress of a long computation: `done` of `total` units of `stage` are finished.
struct Progress {
  std::string_view stage;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

/// How to run a computation. Nothing here changes a result.
struct Run {
  /// Number of threads; 0 means one per processor.
  unsigned threads = 0;
  /// Raise this flag from any thread or signal handler to stop the work soon after, with `Cancelled`.
  const std::atomic<bool>* cancel = nullptr;
  /// Called on the calling thread, now and then and at the end of each stage. An exception that it throws stops the
  /// work and reaches the caller.
  std::function<void(const Progress&)> on_progress = nullptr;
};

}  // namespace pidforest
