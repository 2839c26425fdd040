// SPDX-License-Identifier: Apache-2.0
#include "file/options_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/json.h"
#include "values/number_text.h"

namespace pidforest::file {

namespace {

bool is_word(const OptionSpec& spec, const std::string& text) {
  return std::ranges::any_of(spec.words, [&](const OptionWord& word) { return word.text == text; });
}

/// The options of a file that does not name them: options that came with version 1.2 are off.
constexpr Options unnamed_options{.related_share = 0, .isolated = false, .rare_pairs = false, .reasons = false};

/// Whether versions before 1.2 did not have the option.
bool is_later(const OptionSpec& spec) { return spec.get(unnamed_options) != spec.get(Options()); }

/// Whether a file must name the option. A later option that is off is left out, so that earlier readers know the rest.
bool is_named(const OptionSpec& spec, const Options& options) {
  return !is_later(spec) || spec.get(options) != spec.get(unnamed_options);
}

/// Returns the value in the form that `set_option` parses.
std::string text_of(const values::JsonChild& member) {
  if (const auto word = member.value.text()) return std::string(*word);
  if (const auto number = member.value.number()) return values::shortest_text(*number);
  throw InvalidInput(fmt::format("options: {}: must be a number or a string; got {}.", values::excerpt(member.key),
                                 values::describe(member.value)));
}

}  // namespace

std::string to_json(const Options& options) {
  std::string json = "{";
  for (const OptionSpec& spec : option_specs()) {
    if (!is_named(spec, options)) continue;
    const std::string text = spec.text(options);
    json += fmt::format("{}\n  \"{}\": {}", json.size() > 1 ? "," : "", spec.name,
                        is_word(spec, text) ? values::quoted(text) : text);
  }
  return json + "\n}\n";
}

bool has_later_options(const Options& options) {
  return options.aggregate == Aggregate::odds || std::ranges::any_of(option_specs(), [&](const OptionSpec& spec) {
           return is_later(spec) && is_named(spec, options);
         });
}

Options parse_options(std::string_view json) {
  constexpr std::size_t an_object_of_plain_values = 1;
  const values::JsonDocument document = values::parse_json({"options", json, an_object_of_plain_values});
  const values::Json object(document);
  if (object.kind() != values::JsonKind::object)
    throw InvalidInput(fmt::format("options: must be an object; got {}.", values::describe(object)));
  Options options = unnamed_options;
  for (const values::JsonChild& member : object.children())
    set_option(options, values::excerpt(member.key), text_of(member));
  validate(options);
  return options;
}

}  // namespace pidforest::file
