// SPDX-License-Identifier: Apache-2.0
#include "flags/config_file.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "flags/declarations.h"
#include "flags/flag_values.h"
#include "in/input_file.h"
#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/nearest_word.h"
#include "values/read_text.h"

namespace pidforest::cli {

namespace {

using Words = std::vector<std::string>;

constexpr std::string_view config_flag = "--config";

/// The file of --config; empty without it.
std::string path_in(const Words& words) {
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] == config_flag && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with(fmt::format("{}=", config_flag))) return words[i].substr(config_flag.size() + 1);
  }
  return "";
}

/// Whether the words have a flag under one of its names.
bool is_given(const DeclaredFlag& flag, const Words& words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    for (const std::string& name : flag.names) {
      const bool is_short = !name.starts_with("--");
      if (word == name || word.starts_with(name + "=") || (is_short && word.starts_with(name))) return true;
    }
  }
  return false;
}

/// The flags that a file may set.
std::vector<DeclaredFlag> keys_of(const DeclaredVerb& verb) {
  std::vector<DeclaredFlag> flags;
  for (const DeclaredFlag& flag : verb.flags) {
    const std::string& name = flag.names.back();
    if (!flag.is_positional && name != config_flag && name != "--help") flags.push_back(flag);
  }
  return flags;
}

bool takes_config(const DeclaredVerb& verb) {
  return std::ranges::any_of(verb.flags, [](const DeclaredFlag& flag) { return flag.names.back() == config_flag; });
}

std::string key_of(const DeclaredFlag& flag) { return flag.names.back().substr(2); }

const DeclaredFlag* find_key(const std::vector<DeclaredFlag>& flags, std::string key) {
  std::ranges::replace(key, '_', '-');
  const auto found = std::ranges::find(flags, key, key_of);
  return found == flags.end() ? nullptr : &*found;
}

/// A key with its place.
struct Entry {
  /// Empty above all sections.
  std::string section;
  std::string key;
  Words values;
  std::size_t line;
};

/// Where the keys stand: sections and keys, with their lines. Throws InvalidOption for a line that is neither.
std::multimap<std::pair<std::string, std::string>, std::size_t> lines_of(const std::string& path,
                                                                         const std::string& text) {
  std::multimap<std::pair<std::string, std::string>, std::size_t> lines;
  std::istringstream rest(text);
  std::string section;
  std::size_t number = 0;
  for (std::string line; std::getline(rest, line);) {
    ++number;
    const std::string_view trimmed = values::trimmed(line);
    const std::size_t equals = trimmed.find('=');
    if (trimmed.starts_with('[') && trimmed.find(']') != std::string_view::npos) {
      section = trimmed.substr(1, trimmed.find(']') - 1);
      lines.emplace(std::pair(section, ""), number);
    } else if (!trimmed.empty() && !trimmed.starts_with('#')) {
      if (equals == std::string_view::npos)
        throw InvalidOption(
            fmt::format("{}, line {}: must be a key such as top = 5, a [section] or a # comment; got '{}'.", path,
                        number, values::excerpt(trimmed)));
      lines.emplace(std::pair(section, std::string(values::trimmed(trimmed.substr(0, equals)))), number);
    }
  }
  return lines;
}

class ConfigReader {
 public:
  ConfigReader(const CLI::App& app, const std::string& path, const std::string& text)
      : path_(path), lines_(lines_of(path, text)), verbs_(declared_verbs(app)) {
    std::erase_if(verbs_, [](const DeclaredVerb& verb) { return !takes_config(verb); });
    std::istringstream stream(text);
    try {
      items_ = CLI::ConfigTOML().from_config(stream);
    } catch (const CLI::Error& error) {
      throw InvalidOption(fmt::format("{}: must be TOML; {}.", path, error.what()));
    }
  }

  /// All entries, checked.
  [[nodiscard]] std::vector<Entry> entries() const {
    std::vector<Entry> entries;
    for (const auto& [place, line] : lines_)
      if (!place.first.empty()) check_section(place.first, line);
    for (const CLI::ConfigItem& item : items_) {
      if (item.name == "++" || item.name == "--") continue;  // the ends of sections
      Entry entry{
          .section = item.parents.empty() ? "" : item.parents[0], .key = item.name, .values = item.inputs, .line = 0};
      const auto line = lines_.find({entry.section, entry.key});
      if (line != lines_.end()) entry.line = line->second;
      check_key(entry);
      entries.push_back(std::move(entry));
    }
    return entries;
  }

 private:
  void check_section(const std::string& section, std::size_t line) const {
    Words names;
    for (const DeclaredVerb& verb : verbs_) names.push_back(verb.name);
    if (std::ranges::find(names, section) == names.end())
      refuse(line, fmt::format("a section must be one of {}; got [{}].{}", fmt::join(names, ", "),
                               values::excerpt(section), values::did_you_mean(section, names)));
  }

  void check_key(const Entry& entry) const {
    Words known;
    for (const DeclaredVerb& verb : verbs_) {
      if (!entry.section.empty() && verb.name != entry.section) continue;
      const std::vector<DeclaredFlag> flags = keys_of(verb);
      if (find_key(flags, entry.key) != nullptr) return;
      for (const DeclaredFlag& flag : flags) known.push_back(key_of(flag));
    }
    refuse(entry.line, fmt::format("a key must be a flag{} without its dashes; got '{}'.{} See `pidforest config`.",
                                   entry.section.empty() ? "" : fmt::format(" of {}", entry.section),
                                   values::excerpt(entry.key), values::did_you_mean(entry.key, known)));
  }

  [[noreturn]] void refuse(std::size_t line, const std::string& words) const {
    throw InvalidOption(fmt::format("{}, line {}: {}", path_, line, words));
  }

  std::string path_;
  std::multimap<std::pair<std::string, std::string>, std::size_t> lines_;
  std::vector<DeclaredVerb> verbs_;
  std::vector<CLI::ConfigItem> items_;
};

/// The words that set a flag as an entry says.
Words words_of(const Entry& entry, const DeclaredFlag& flag, const std::string& path) {
  const std::string& name = flag.names.back();
  Words words;
  if (!flag.type.empty()) {
    for (const std::string& value : entry.values)
      if (!value.empty()) words.push_back(fmt::format("{}={}", name, value));
    return words;
  }
  const auto is_on = entry.values.size() == 1 ? values::read_boolean(entry.values[0]) : std::nullopt;
  if (!is_on)
    throw InvalidOption(fmt::format("{}, line {}: {} must be true or false; got {}.", path, entry.line, entry.key,
                                    values::excerpt(fmt::format("{}", fmt::join(entry.values, ", ")))));
  if (*is_on) words.push_back(name);
  return words;
}

/// The place after a flag in a text, where its name ends; nullopt if the text does not have it.
bool names_flag(const std::string& text, const std::string& flag) {
  for (std::size_t at = text.find(flag); at != std::string::npos; at = text.find(flag, at + 1)) {
    const std::size_t end = at + flag.size();
    const bool goes_on = end < text.size() && (text[end] == '-' || (text[end] >= 'a' && text[end] <= 'z'));
    if (!goes_on) return true;
  }
  return false;
}

/// A value as TOML: numbers and lists of names have their own forms.
std::string as_toml(const DeclaredFlag& flag, const std::string& value) {
  if (flag.type.empty()) return "false";
  const bool is_list = flag.type.find("[,") != std::string::npos || flag.type.find(",...") != std::string::npos;
  const std::string shown =
      value.empty() || value == "[]" || value == "{}" ? flag.type.substr(0, flag.type.find('[')) : value;
  const bool is_number = values::read_number(shown).form == values::NumberReading::Form::number;
  const std::string one = is_number ? shown : fmt::format("\"{}\"", shown);
  return is_list ? fmt::format("[{}]", one) : one;
}

}  // namespace

void add_config_flag(CLI::App& verb, std::string& file) {
  verb.add_option("--config", file,
                  "TOML file with flags as keys, such as top = 5; flags of the command line come first; `pidforest "
                  "config` prints one")
      ->type_name("FILE");
}

ConfiguredWords::ConfiguredWords(const CLI::App& app, std::vector<std::string> words) : words_(std::move(words)) {
  const std::vector<DeclaredVerb> verbs = declared_verbs(app);
  const auto verb = words_.empty() ? verbs.end() : std::ranges::find(verbs, words_[0], &DeclaredVerb::name);
  if (verb == verbs.end() || !takes_config(*verb)) return;
  path_ = path_in(words_);
  if (path_.empty()) return;
  const std::vector<DeclaredFlag> flags = keys_of(*verb);
  // An entry of the verb's own section takes the place of one above all sections.
  std::map<std::string, std::pair<Entry, const DeclaredFlag*>> chosen;
  for (Entry& entry : ConfigReader(app, path_, read_input(path_, {})).entries()) {
    const DeclaredFlag* flag = find_key(flags, entry.key);
    const bool is_for_verb = flag != nullptr && (entry.section.empty() || entry.section == verb->name);
    if (!is_for_verb || is_given(*flag, words_)) continue;
    const auto known = chosen.find(key_of(*flag));
    if (known != chosen.end() && entry.section.empty()) continue;
    chosen.insert_or_assign(key_of(*flag), std::pair(std::move(entry), flag));
  }
  Words added;
  for (const auto& [key, one] : chosen) {
    const Words more = words_of(one.first, *one.second, path_);
    added.insert(added.end(), more.begin(), more.end());
    added_.push_back({one.second->names.back(), one.first.line});
  }
  words_.insert(words_.begin() + 1, added.begin(), added.end());
}

std::string ConfiguredWords::with_place(const std::string& complaint) const {
  for (const Added& one : added_)
    if (names_flag(complaint, one.flag)) return fmt::format("{}, line {}: {}", path_, one.line, complaint);
  return complaint;
}

std::string example_config(CLI::App& app, const std::string& verb) {
  std::string text =
      "# Flags for pidforest: give this file with --config. A section has the flags of one command; keys above all\n"
      "# sections are for each command that has the flag. Flags of the command line come first. Remove the # before a "
      "key\n"
      "# to set its flag.\n";
  for (const DeclaredVerb& one : declared_verbs(app)) {
    if (!takes_config(one) || (!verb.empty() && one.name != verb)) continue;
    text += fmt::format("\n[{}]\n", one.name);
    const auto values = flag_values(*app.get_subcommand(one.name));
    for (const DeclaredFlag& flag : keys_of(one)) {
      const auto value = values.find(flag.names.back());
      text += fmt::format("# {}\n# {} = {}\n", flag.help, key_of(flag),
                          as_toml(flag, value == values.end() ? "" : value->second));
    }
  }
  return text;
}

}  // namespace pidforest::cli
