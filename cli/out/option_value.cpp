// SPDX-License-Identifier: Apache-2.0
#include "out/option_value.h"

#include <algorithm>
#include <cstdint>

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

Json value_of(const OptionSpec& spec, const Options& options) {
  const double value = spec.get(options);
  const bool is_word =
      std::any_of(spec.words.begin(), spec.words.end(), [&](const OptionWord& w) { return w.value == value; });
  if (is_word) return spec.text(options);
  return spec.type == OptionSpec::Type::integer ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

}  // namespace

nlohmann::ordered_json options_as_json(const Options& options) {
  Json values = Json::object();
  for (const OptionSpec& spec : option_specs()) values[std::string(spec.name)] = value_of(spec, options);
  return values;
}

}  // namespace pidforest::cli
