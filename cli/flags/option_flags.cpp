// SPDX-License-Identifier: Apache-2.0
#include "flags/option_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

/// "sampled|optimal", "N|auto", "X".
std::string type_of(const OptionSpec& spec) {
  std::vector<std::string_view> parts;
  if (spec.type != OptionSpec::Type::choice) parts.emplace_back(spec.type == OptionSpec::Type::integer ? "N" : "X");
  for (const OptionWord& word : spec.words) parts.push_back(word.text);
  return fmt::format("{}", fmt::join(parts, "|"));
}

}  // namespace

std::string flag_of(const OptionSpec& spec) {
  std::string flag = "--" + std::string(spec.name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

Options OptionFlags::options() const {
  Options options = preset == "default" ? defaults : pidforest::preset(preset);
  auto spec = option_specs().begin();
  for (const std::optional<std::string>& text : given) {
    if (text) set_option(options, spec->name, *text);
    ++spec;
  }
  if (no_reasons) options.reasons = false;
  validate(options);
  return options;
}

void add_option_flags(CLI::App& verb, OptionFlags& flags) {
  constexpr const char* group = "Forest (`pidforest options` lists the presets)";
  verb.add_option("--preset", flags.preset,
                  fmt::format("preset to start from: {}; default default", fmt::join(preset_names(), ", ")))
      ->type_name(fmt::format("{}", fmt::join(preset_names(), "|")))
      ->group(group);
  for (std::size_t i = 0; i < option_specs().size(); ++i) {
    const OptionSpec& spec = option_specs()[i];
    const std::string help = fmt::format("{}; {}; default {}", spec.help, spec.allowed(), spec.text(flags.defaults));
    verb.add_option(flag_of(spec), flags.given[i], help)->type_name(type_of(spec))->group(group);
  }
  verb.add_flag("--no-reasons", flags.no_reasons, "short for --reasons off")->group(group);
}

void add_ignore_flag(CLI::App& verb, std::vector<std::string>& ignore) {
  verb.add_option("--ignore", ignore,
                  "columns to exclude; names, or patterns in which * stands for any characters and ? for one")
      ->type_name("COL[,COL]")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_model_argument(CLI::App& verb, std::string& file) {
  verb.add_option("MODEL", file, "model file saved by `pidforest fit`")->type_name("MODEL")->required();
}

void add_min_bits_flag(CLI::App& verb, std::optional<double>& min_bits) {
  verb.add_option("--min-bits", min_bits,
                  "flag rows with at least X bits as anomalies; overrides the threshold of the model")
      ->type_name("X")
      ->check(number());
}

void add_fail_flag(CLI::App& verb, bool& fail) {
  verb.add_flag("--fail-on-anomaly", fail, "exit with code 10 if at least one row is an anomaly");
}

void check_fail_flag(bool fail, bool has_limit) {
  if (fail && !has_limit)
    throw InvalidOption(
        "--fail-on-anomaly requires a threshold: --min-bits, or a fit with --contamination other than none.");
}

CLI::Validator number() {
  const auto check = [](const std::string& text) -> std::string {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return {};
    return fmt::format("must be a number; got {}.", text);
  };
  return {check, "", "number"};
}

CLI::Validator whole_number(std::int64_t low, std::int64_t high) {
  const auto check = [low, high](const std::string& text) -> std::string {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= low && value <= high) return {};
    return fmt::format("must be a whole number between {} and {}; got {}.", low, high, text);
  };
  return {check, "", "whole number"};
}

}  // namespace pidforest::cli
