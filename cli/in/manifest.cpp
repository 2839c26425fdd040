// SPDX-License-Identifier: Apache-2.0
#include "in/manifest.h"

#include <optional>

namespace pidforest::cli {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A quoted text; a backslash keeps the next character in a basic one. Nullopt for any other value.
std::optional<std::string> quoted_text(std::string_view value) {
  if (value.empty() || (value[0] != '"' && value[0] != '\'')) return std::nullopt;
  std::string text;
  for (std::size_t i = 1; i < value.size(); ++i) {
    if (value[i] == value[0]) return text;
    if (value[0] == '"' && value[i] == '\\' && ++i == value.size()) break;
    text += value[i];
  }
  return std::nullopt;
}

/// A key without quotes and without blanks around its dots.
std::string plain_key(std::string_view key) {
  std::string plain;
  for (const char c : key)
    if (c != '"' && c != '\'' && c != ' ' && c != '\t') plain += c;
  return plain;
}

}  // namespace

std::string_view this_platform() {
#if defined(__aarch64__)
  return "linux_arm64";
#else
  return "linux_amd64";
#endif
}

ManifestEntries parse_manifest(std::string_view toml) {
  ManifestEntries found;
  std::string table;
  const std::string platform = "Driver.shared." + std::string(this_platform());
  while (!toml.empty()) {
    const std::size_t end = toml.find('\n');
    const std::string_view line = trimmed(toml.substr(0, end));
    toml.remove_prefix(end == std::string_view::npos ? toml.size() : end + 1);
    if (line.starts_with('[')) table = plain_key(line.substr(1, line.find(']') - 1)) + ".";
    const std::size_t equals = line.find('=');
    if (line.empty() || line[0] == '[' || line[0] == '#' || equals == std::string_view::npos) continue;
    const std::string key = table + plain_key(line.substr(0, equals));
    const auto value = quoted_text(trimmed(line.substr(equals + 1)));
    if (value && (key == "Driver.shared" || key == platform)) found.library = *value;
    if (value && key == "Driver.entrypoint") found.entry = *value;
  }
  return found;
}

}  // namespace pidforest::cli
