// SPDX-License-Identifier: Apache-2.0
#include "verbs/stream_setting.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "flags/option_flags.h"
#include "in/fingerprint.h"
#include "pidforest/error.h"
#include "pidforest/schema.h"

namespace pidforest::cli {

namespace {

/// A flag that is not listed here is bound: a new flag cannot be forgotten.
constexpr std::array<std::string_view, 13> free_flags{"--help",
                                                      // The input may have moved; its bytes are compared.
                                                      "FILE", "--replayed",
                                                      // Where, when and which lines are written.
                                                      "--output", "--anomalies-only", "--min-bits", "--excel-safe",
                                                      "--state", "--save-every", "--quiet",
                                                      // The oldest keys beyond the maximum are dropped.
                                                      "--max-keys",
                                                      // They stand for other flags, which are bound.
                                                      "--preset", "--no-reasons"};

std::string value_in(const std::map<std::string, std::string>& setting, const std::string& flag) {
  const auto found = setting.find(flag);
  return found == setting.end() ? "" : found->second;
}

}  // namespace

std::map<std::string, std::string> setting_of(const StreamRequest& request) {
  std::map<std::string, std::string> setting = request.flags;
  for (const std::string_view flag : free_flags) setting.erase(std::string(flag));
  setting["--format"] = request.table.text_format().form == TextFormat::Form::csv ? "csv" : "jsonl";
  if (const auto& schema = request.columns.schema)
    setting["--schema"] = fmt::format("content {:016x}", Fingerprint().add(to_json(*schema)).value());
  const Options options = request.options.options();
  for (const OptionSpec& spec : option_specs()) setting[flag_of(spec)] = spec.text(options);
  return setting;
}

void check_setting(const std::map<std::string, std::string>& written, const StreamRequest& request) {
  const std::map<std::string, std::string> now = setting_of(request);
  std::map<std::string, std::string> all = now;
  all.insert(written.begin(), written.end());
  std::string before;
  std::string after;
  for (const auto& [flag, unused] : all) {
    if (value_in(written, flag) == value_in(now, flag)) continue;
    before += fmt::format(" {} '{}'", flag, value_in(written, flag));
    after += fmt::format(" {} '{}'", flag, value_in(now, flag));
  }
  if (!before.empty())
    throw InvalidOption(fmt::format(
        "the state file '{}' was written with{}; got{}. Use the values that it was written with, or another "
        "state file.",
        request.state, before, after));
}

}  // namespace pidforest::cli
