// SPDX-License-Identifier: Apache-2.0
#include "net/web_address.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

/// Percent-encoded bytes as they are.
std::string decoded(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const std::string_view digits = text.substr(std::min(i + 1, text.size()), 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    const bool is_encoded = text[i] == '%' && error == std::errc() && end == digits.data() + 2;
    bytes += is_encoded ? static_cast<char>(byte) : text[i];
    if (is_encoded) i += 2;
  }
  return bytes;
}

[[noreturn]] void refuse(std::string_view flag) {
  throw InvalidOption(
      fmt::format("{} must be an http or https URL, such as https://host/path, or @FILE with one in it.", flag));
}

}  // namespace

std::string first_line_of(std::string_view flag, const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!file) throw FileError(fmt::format("cannot read the file of {}: '{}'.", flag, path));
  std::getline(file, line);
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
  if (line.empty()) throw InvalidInput(fmt::format("the first line of '{}', the file of {}, is empty.", path, flag));
  return line;
}

WebAddress::WebAddress(std::string_view flag, const std::string& text) {
  const std::string all = text.starts_with('@') ? first_line_of(flag, text.substr(1)) : text;
  const std::size_t scheme = all.find("://");
  if (scheme == std::string::npos || (all.substr(0, scheme) != "http" && all.substr(0, scheme) != "https"))
    refuse(flag);
  const std::size_t begin = scheme + 3;
  const std::size_t end = std::min(all.find_first_of("/?#", begin), all.size());
  for (const char c : all)
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7F) refuse(flag);
  std::string host = all.substr(begin, end - begin);
  if (const std::size_t at = host.rfind('@'); at != std::string::npos) {
    const std::string credentials = host.substr(0, at);
    const std::size_t colon = std::min(credentials.find(':'), credentials.size());
    user_ = decoded(credentials.substr(0, colon));
    if (colon < credentials.size()) password_ = decoded(credentials.substr(colon + 1));
    host.erase(0, at + 1);
  }
  if (host.empty()) refuse(flag);
  shown_ = all.substr(0, begin) + host;
  url_ = shown_ + all.substr(end);
}

}  // namespace pidforest::cli
