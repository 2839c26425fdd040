// SPDX-License-Identifier: Apache-2.0
// The address of a web service, with credentials that no message shows.
#pragma once

#include <string>
#include <string_view>

namespace pidforest::cli {

class WebAddress {
 public:
  /// An http or https URL, with or without USER:PASSWORD@; or @FILE, a file whose first line is one, so that lists of
  /// processes do not show it. Throws InvalidOption, which names the flag and shows no part of the URL, or FileError.
  WebAddress(std::string_view flag, const std::string& text);

  /// Without credentials.
  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] const std::string& user() const { return user_; }
  [[nodiscard]] const std::string& password() const { return password_; }
  /// For messages: scheme, host and port. The rest may be secret, too.
  [[nodiscard]] const std::string& shown() const { return shown_; }

 private:
  std::string url_;
  std::string user_;
  std::string password_;
  std::string shown_;
};

/// The first line of a file. Throws FileError, or InvalidInput if it is empty.
std::string first_line_of(std::string_view flag, const std::string& path);

}  // namespace pidforest::cli
