// SPDX-License-Identifier: Apache-2.0
#include "verbs/stream_setting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <vector>

#include "flags/option_flags.h"
#include "in/fingerprint.h"
#include "pidforest/error.h"
#include "pidforest/schema.h"

namespace pidforest::cli {

namespace {

/// A flag that is not listed here is bound: a new flag cannot be forgotten.
constexpr auto free_flags =
    std::to_array<std::string_view>({"--help",
                                     // The input may have moved; its bytes are compared.
                                     "FILE", "--replayed",
                                     // Learned before the state was first written.
                                     "--history", "--sql", "--db", "--driver",
                                     // Where, when and which lines are written.
                                     "--output", "--anomalies-only", "--fail-on-anomaly", "--min-bits", "--excel-safe",
                                     "--state", "--save-every", "--quiet", "--until-idle",
                                     // The oldest keys beyond the maximum are dropped.
                                     "--max-keys", "--silent-after",
                                     // Holds credentials, which are in no state.
                                     "--notify", "--url", "--bearer-token-file",
                                     // How and for how long series are read and shown.
                                     "--timeout", "--range", "--watch", "--listen", "--color",
                                     // They stand for other flags, which are bound.
                                     "--preset", "--no-reasons", "--config"});

std::string value_in(const std::map<std::string, std::string>& setting, const std::string& flag) {
  const auto found = setting.find(flag);
  return found == setting.end() ? "" : found->second;
}

/// A flag without a value that was not given, or a list without elements.
bool is_absent(const std::string& value) { return value.empty() || value == "[]"; }

/// "with --window 2", "without --json". `other` is the value of another run: a flag without a value is "on" or absent.
std::string words_of(const std::string& flag, const std::string& value, const std::string& other) {
  if (is_absent(value)) return "without " + flag;
  const bool is_list = value.starts_with('[') && value.ends_with(']');
  const bool is_switch = value == "on" && other.empty();
  return fmt::format("with {}{}{}", flag, is_switch ? "" : " ",
                     is_switch ? ""
                     : is_list ? value.substr(1, value.size() - 2)
                               : value);
}

}  // namespace

std::map<std::string, std::string> setting_of(const StreamRequest& request) {
  std::map<std::string, std::string> setting = request.flags;
  for (const std::string_view flag : free_flags) setting.erase(std::string(flag));
  const std::optional<double>& budget = request.incidents.alerts_per_day;
  setting["--alerts-per-day"] = budget ? fmt::format("{}", *budget) : "";
  setting["--every-event"] = request.writes_events() ? "on" : "";
  const TextFormat format = request.table.text_format();
  setting["--format"] = format.form == TextFormat::Form::json_lines ? "jsonl" : "csv";
  setting["--decimal"] = std::string(1, format.decimal);
  if (const auto& schema = request.columns.schema)
    setting["--schema"] = fmt::format("content {:016x}", Fingerprint().add(to_json(*schema)).value());
  const Options options = request.options.options();
  for (const OptionSpec& spec : option_specs()) setting[flag_of(spec)] = spec.text(options);
  return setting;
}

void check_setting(const std::map<std::string, std::string>& written, const StreamRequest& request,
                   const std::string& path) {
  std::map<std::string, std::string> now = setting_of(request);
  const bool is_open = request.table.text_format().form == TextFormat::Form::any;
  if (is_open && written.contains("--format")) now["--format"] = value_in(written, "--format");
  std::map<std::string, std::string> all = now;
  all.insert(written.begin(), written.end());
  std::vector<std::string> before;
  std::vector<std::string> after;
  for (const auto& [flag, unused] : all) {
    const std::string was = value_in(written, flag);
    const std::string is = value_in(now, flag);
    if (was == is) continue;
    before.push_back(words_of(flag, was, is));
    after.push_back(words_of(flag, is, was));
  }
  if (!before.empty())
    throw InvalidOption(fmt::format(
        "the state file '{}' was written {}; this run is {}. Use the flags that it was written with, or another state "
        "file.",
        path, fmt::join(before, ", "), fmt::join(after, ", ")));
}

}  // namespace pidforest::cli
