// SPDX-License-Identifier: Apache-2.0
#include "file/options_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/json.h"
#include "values/number_text.h"

namespace pidforest {

namespace {

bool is_word(const OptionSpec& spec, const std::string& text) {
  return std::ranges::any_of(spec.words, [&](const Word& word) { return word.text == text; });
}

/// The value as `set_option` reads it.
std::string text_of(const data::JsonChild& member) {
  if (const auto word = member.value.text()) return std::string(*word);
  if (const auto number = member.value.number()) return data::shortest_text(*number);
  throw InvalidInput(fmt::format("options: {}: must be a number or a text; got {}.", data::excerpt(member.key),
                                 data::describe(member.value)));
}

}  // namespace

std::string to_json(const Options& options) {
  std::string json = "{";
  for (const OptionSpec& spec : option_specs()) {
    const std::string text = spec.text(options);
    json += fmt::format("{}\n  \"{}\": {}", json.size() > 1 ? "," : "", spec.name,
                        is_word(spec, text) ? data::quoted(text) : text);
  }
  return json + "\n}\n";
}

Options parse_options(std::string_view json) {
  constexpr std::size_t an_object_of_plain_values = 1;
  const data::JsonDocument document = data::parse_json({"options", json, an_object_of_plain_values});
  const data::Json object(document);
  if (object.kind() != data::JsonKind::object)
    throw InvalidInput(fmt::format("options: must be an object; got {}.", data::describe(object)));
  Options options;
  for (const data::JsonChild& member : object.children())
    set_option(options, data::excerpt(member.key), text_of(member));
  validate(options);
  return options;
}

}  // namespace pidforest
