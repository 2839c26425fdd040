// SPDX-License-Identifier: Apache-2.0
#include "pidforest/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "pidforest/error.h"

namespace pidforest {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Type = OptionSpec::Type;

/// The number that stands for an option without a value. Outside every range.
constexpr double no_value = -infinity;

template <class Value>
constexpr bool is_optional = false;
template <class Value>
constexpr bool is_optional<std::optional<Value>> = true;

template <auto Member>
double get(const Options& options) {
  const auto& value = options.*Member;
  if constexpr (is_optional<std::remove_cvref_t<decltype(value)>>)
    return value ? static_cast<double>(*value) : no_value;
  else
    return static_cast<double>(value);
}

template <auto Member>
void set(Options& options, double value) {
  using Value = std::remove_cvref_t<decltype(options.*Member)>;
  if constexpr (std::is_enum_v<Value>)
    options.*Member = static_cast<Value>(static_cast<int>(value));
  else if constexpr (is_optional<Value>)
    options.*Member = value == no_value ? Value() : Value(static_cast<typename Value::value_type>(value));
  else
    options.*Member = static_cast<Value>(value);
}

struct Naming {
  std::string_view name;
  std::string_view symbol;
  std::string_view help;
};

template <auto Member>
OptionSpec number(const Naming& naming, double low, double high, std::vector<OptionWord> words = {}) {
  using Value = std::remove_cvref_t<decltype(Options().*Member)>;
  constexpr bool is_integer = std::is_integral_v<Value> || std::is_same_v<Value, std::optional<std::int64_t>>;
  return {naming.name, naming.symbol, is_integer ? Type::integer : Type::real, low, high, std::move(words), naming.help,
          get<Member>, set<Member>};
}

template <auto Member>
OptionSpec choice(const Naming& naming, const std::vector<std::string_view>& names) {
  std::vector<OptionWord> words;
  words.reserve(names.size());
  for (const auto& name : names) words.push_back({name, static_cast<double>(words.size())});
  const double last = static_cast<double>(words.size()) - 1;
  return {naming.name, naming.symbol, Type::choice, 0, last, std::move(words), naming.help, get<Member>, set<Member>};
}

/// Declares every option, in the order in which users meet them.
std::vector<OptionSpec> declare() {
  using O = Options;
  return {
      number<&O::n_estimators>({"n_estimators", "t", "number of trees"}, 1, 1e6),
      number<&O::max_samples>({"max_samples", "m", "number of rows that each tree is grown on"}, 1, 1e9),
      number<&O::max_depth>({"max_depth", "h", "maximum depth of a tree; the root has depth 0"}, 1, 64),
      number<&O::min_node_rows>(
          {"min_node_rows", "",
           "a node with at most this many sample rows is a leaf; auto is 16, or a quarter of the sample if less"},
          1, 1e9, {{"auto", no_value}}),
      choice<&O::cuts>({"cuts", "", "how an axis is split: at a random cut that passes a test, or in the best way"},
                       {"sampled", "optimal"}),
      number<&O::gate>(
          {"gate", "", "sampled cuts: required significance of a cut, as a chi-square statistic; 4 is about 5 %"}, 0,
          1e6),
      number<&O::rounds>({"rounds", "", "sampled cuts: number of draws before a node becomes a leaf"}, 1, 100),
      number<&O::max_children>(
          {"max_children", "k", "optimal cuts: maximum number of intervals that an axis is cut into"}, 2, 16),
      number<&O::epsilon>({"epsilon", "eps",
                           "optimal cuts: allowed error of the one-pass split; 0 is exact; auto is exact up to the "
                           "size from which one pass is faster"},
                          0, 100, {{"auto", no_value}}),
      number<&O::related_share>(
          {"related_share", "", "sampled cuts: share of the trees that look only where columns go together; 0 is none"},
          0, 1),
      choice<&O::axis_gain>(
          {"axis_gain", "V",
           "gain that axes are chosen by: the variance of sparsity, or the explained share of the axis' own error"},
          {"variance", "relative"}),
      number<&O::axis_power>(
          {"axis_power", "",
           "an axis is drawn with probability ~ gain^power; infinity takes the best, 0 draws uniformly"},
          0, infinity, {{"infinity", infinity}}),
      choice<&O::isolated>(
          {"isolated", "", "whether a few values far beyond all others are set apart and get a score of their own"},
          {"off", "on"}),
      choice<&O::rare_pairs>(
          {"rare_pairs", "", "whether two values of related columns that hardly ever occur together score as a pair"},
          {"off", "on"}),
      choice<&O::root_interval>(
          {"root_interval", "",
           "where the root cube ends: at the smallest and largest value, or half a gap beyond them"},
          {"range", "half_gap"}),
      number<&O::count_rows>(
          {"count_rows", "",
           "rows counted in the leaves: all of them, each tree's own sample, or one random sample of this size"},
          1, 1e15, {{"all", static_cast<double>(O::all_rows)}, {"sample", static_cast<double>(O::own_sample)}}),
      choice<&O::aggregate>({"aggregate", "", "how the bits of a row in the trees are combined into its score"},
                            {"mean", "quantile", "max", "top", "vote", "odds"}),
      number<&O::quantile>(
          {"quantile", "", "for aggregate quantile: which quantile to take; 0.75 is the paper's, 0.5 is the median"}, 0,
          1),
      number<&O::top_share>(
          {"top_share", "", "for aggregate top: the share of trees to average, those with the most bits"}, 0.001, 1),
      number<&O::contamination>(
          {"contamination", "",
           "share of the fitted rows to flag as anomalies; auto flags the rows that stand out, if "
           "any; none "
           "sets no threshold"},
          1e-9, 0.5, {{"auto", O::automatic_contamination}, {"none", O::none}}),
      choice<&O::reasons>({"reasons", "",
                           "whether the model keeps the counts of the cubes that explain rows, so that explanations "
                           "need no other rows"},
                          {"off", "on"}),
      number<&O::seed>({"seed", "", "seed of the random numbers; equal seeds give equal models"}, 0, 4294967295.0),
  };
}

constexpr std::array<std::string_view, 3> presets = {"default", "paper", "authors"};

const OptionWord* find_word(const OptionSpec& spec, std::string_view text) {
  const auto word =
      std::find_if(spec.words.begin(), spec.words.end(), [&](const OptionWord& w) { return w.text == text; });
  return word == spec.words.end() ? nullptr : &*word;
}

bool is_allowed(const OptionSpec& spec, double value) {
  if (std::any_of(spec.words.begin(), spec.words.end(), [&](const OptionWord& w) { return w.value == value; }))
    return true;
  if (spec.type == Type::choice || !(value >= spec.low && value <= spec.high)) return false;
  return spec.type == Type::real || value == std::floor(value);
}

[[noreturn]] void refuse(const OptionSpec& spec, std::string_view got) {
  throw InvalidOption(fmt::format("{} must be {}; got {}.", spec.name, spec.allowed(), got));
}

std::string join(const std::vector<OptionWord>& words) {
  std::string text;
  for (const OptionWord& word : words) text += (text.empty() ? "" : ", ") + std::string(word.text);
  return text;
}

}  // namespace

std::string OptionSpec::allowed() const {
  if (type == Type::choice) return "one of " + join(words);
  const std::string kind = type == Type::integer ? "a whole number" : "a number";
  const std::string range = high == infinity ? fmt::format("{} of at least {}", kind, low)
                                             : fmt::format("{} between {} and {}", kind, low, high);
  return words.empty() ? range : fmt::format("{}, or {}", range, join(words));
}

std::string OptionSpec::text(const Options& options) const {
  const double value = get(options);
  for (const OptionWord& word : words)
    if (word.value == value) return std::string(word.text);
  return type == Type::integer ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

std::span<const OptionSpec> option_specs() {
  static const std::vector<OptionSpec> specs = declare();
  return specs;
}

std::span<const std::string_view> preset_names() { return presets; }

Options preset(std::string_view name) {
  Options options;
  if (name == "default") return options;
  if (name != "paper" && name != "authors")
    throw InvalidOption(fmt::format("preset must be one of {}; got {}.", fmt::join(presets, ", "), name));
  options.cuts = Cuts::optimal;
  options.n_estimators = 50;
  options.max_samples = 100;
  options.max_depth = 10;
  options.min_node_rows = 1;
  options.aggregate = Aggregate::quantile;
  options.isolated = false;
  options.rare_pairs = false;
  options.related_share = 0;
  if (name == "paper") {
    options.max_children = 5;
    options.axis_power = infinity;
    options.count_rows = Options::own_sample;
    options.quantile = 0.75;
  } else {
    options.max_children = 3;
    options.axis_gain = AxisGain::relative;
    options.axis_power = 1;
    options.count_rows = 200 * options.max_depth;
    options.quantile = 0.5;
    options.root_interval = RootInterval::half_gap;
  }
  return options;
}

void set_option(Options& options, std::string_view name, std::string_view text) {
  const auto specs = option_specs();
  const auto spec = std::find_if(specs.begin(), specs.end(), [&](const OptionSpec& s) { return s.name == name; });
  if (spec == specs.end()) throw InvalidOption(fmt::format("unknown option {}.", name));
  if (const OptionWord* word = find_word(*spec, text)) return spec->set(options, word->value);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  const bool in_range = is_number && value >= spec->low && value <= spec->high;
  if (!in_range || !is_allowed(*spec, value)) refuse(*spec, text);
  spec->set(options, value);
}

void validate(const Options& options) {
  for (const OptionSpec& spec : option_specs())
    if (!is_allowed(spec, spec.get(options))) refuse(spec, fmt::format("{}", spec.get(options)));
  if (options.cuts == Cuts::sampled && options.axis_gain == AxisGain::relative)
    throw InvalidOption(
        "axis_gain must be variance when cuts is sampled; got relative. The relative gain compares a split with the "
        "best possible one, which only optimal cuts compute.");
}

}  // namespace pidforest
