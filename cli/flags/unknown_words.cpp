// SPDX-License-Identifier: Apache-2.0
#include "flags/unknown_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "flags/declarations.h"

namespace pidforest::cli {

namespace {

/// The fewest characters to insert, delete or replace that make one word the other.
std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t replaced = diagonal + (one[i] == other[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

/// " Did you mean --top?" if a known word is at most two edits away, and at most half as far as the word is long.
std::string guess_of(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t most_edits = 2;
  constexpr std::size_t longest = 64;
  word = word.substr(0, word.find('='));
  if (known.empty() || word.size() > longest) return "";
  const auto distance = [&](const std::string& one) { return edit_distance(word, one); };
  const std::string& nearest = *std::ranges::min_element(known, {}, distance);
  const std::size_t n_letters = word.size() - std::min(word.size(), word.find_first_not_of('-'));
  return distance(nearest) <= std::min(most_edits, (n_letters + 1) / 2) ? fmt::format(" Did you mean {}?", nearest)
                                                                        : "";
}

std::vector<std::string> flags_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const DeclaredFlag& flag : declared_command(verb).flags)
    if (!flag.is_positional) names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

}  // namespace

std::string unknown_verb_words(const CLI::App& app, const std::string& word) {
  std::vector<std::string> verbs;
  for (const DeclaredVerb& verb : declared_verbs(app)) verbs.push_back(verb.name);
  return fmt::format("the command must be one of {}; got {}.{} See --help.", fmt::join(verbs, ", "),
                     word.empty() ? "nothing" : word, guess_of(word, verbs));
}

std::string unknown_argument_words(const CLI::App& app) {
  const bool is_of_command = !app.remaining().empty() || app.get_subcommands().empty();
  const CLI::App& verb = is_of_command ? app : *app.get_subcommands().front();
  const std::vector<std::string> left = verb.remaining();
  const auto flag = std::ranges::find_if(left, [](const std::string& word) { return word.starts_with('-'); });
  return fmt::format("{} does not take the argument{} {}.{} See --help.", verb.get_name(), left.size() == 1 ? "" : "s",
                     fmt::join(left, " "), flag == left.end() ? "" : guess_of(*flag, flags_of(verb)));
}

}  // namespace pidforest::cli
