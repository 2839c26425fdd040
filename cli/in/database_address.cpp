// SPDX-License-Identifier: Apache-2.0
#include "in/database_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

constexpr std::string_view stars = "***";

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  while (!text.empty()) {
    unsigned value = 0;
    const bool is_code = text.size() > 2 && text[0] == '%' &&
                         std::from_chars(text.data() + 1, text.data() + 3, value, 16).ptr == text.data() + 3;
    decoded += is_code ? static_cast<char>(value) : text[0];
    text.remove_prefix(is_code ? 3 : 1);
  }
  return decoded;
}

void replace_all(std::string& text, std::string_view old, std::string_view other) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + other.size()))
    text.replace(at, old.size(), other);
}

}  // namespace

std::string_view name_of(DatabaseKind kind) {
  switch (kind) {
    case DatabaseKind::duckdb:
      return "duckdb";
    case DatabaseKind::sqlite:
      return "sqlite";
    default:
      return "postgresql";
  }
}

DatabaseAddress::DatabaseAddress(const std::string& text) : shown_(text) {
  for (const DatabaseKind kind : {DatabaseKind::duckdb, DatabaseKind::sqlite}) {
    const std::string scheme = fmt::format("{}:", name_of(kind));
    if (!text.starts_with(scheme)) continue;
    kind_ = kind;
    place_ = text.substr(scheme.size());
    if (place_ == ":memory:") place_.clear();
    return;
  }
  take_url(text);
}

void DatabaseAddress::take_url(const std::string& text) {
  const std::size_t scheme_end = text.find("://");
  const std::string scheme = text.substr(0, scheme_end);
  if (scheme_end == std::string::npos || (scheme != "postgresql" && scheme != "postgres"))
    throw InvalidOption(fmt::format(
        "--db must be duckdb:FILE, sqlite:FILE or postgresql://USER@HOST/NAME; got an address that begins with '{}'.",
        text.substr(0, text.find_first_of(":/@"))));
  const std::size_t begin = scheme_end + 3;
  const std::size_t at = text.find('@', begin);
  if (at != std::string::npos && (text.find('@', at + 1) != std::string::npos || text.find_first_of("/?#", begin) < at))
    throw InvalidOption(
        "the password in --db must be percent-encoded: %40 for @, %2F for /, %3F for ?, %23 for #. Or leave it out, "
        "and "
        "give it in PGPASSWORD or ~/.pgpass.");
  kind_ = DatabaseKind::postgresql;
  place_ = text;
  // From the end to the beginning, so that the places in the text stay.
  constexpr std::string_view key = "password=";
  for (std::size_t found = text.rfind(key); found != std::string::npos && found > begin;
       found = text.rfind(key, found - 1))
    hide(found + key.size(), std::min(text.find('&', found), text.size()));
  const std::size_t colon = text.find(':', begin);
  if (at != std::string::npos && colon < at) hide(colon + 1, at);
}

void DatabaseAddress::hide(std::size_t begin, std::size_t end) {
  if (begin == end) return;
  const std::string password = place_.substr(begin, end - begin);
  passwords_.push_back(password);
  passwords_.push_back(percent_decoded(password));
  shown_.replace(begin, password.size(), stars);
}

std::string DatabaseAddress::without_password(std::string text) const {
  if (passwords_.empty()) return text;
  replace_all(text, place_, shown_);
  for (const std::string& password : passwords_) replace_all(text, password, stars);
  return text;
}

}  // namespace pidforest::cli
