// SPDX-License-Identifier: Apache-2.0
// HTTP as the module that has it offers it to the command.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace pidforest::cli {

struct HttpRequest {
  /// Without credentials.
  std::string url;
  /// POST with this body, or GET without one.
  std::optional<std::string> body = {};
  std::string content_type = {};
  std::string user = {};
  std::string password = {};
  /// Sent as "Authorization: Bearer".
  std::string token = {};
  /// From the beginning of the connection to the end of the answer.
  std::chrono::milliseconds timeout = std::chrono::seconds(5);
  /// A longer answer is an error.
  std::size_t most_bytes = std::size_t{1} << 20;
  /// Ends the request soon after it is raised.
  const std::atomic<bool>* cancel = nullptr;
};

struct HttpAnswer {
  /// 0 without an answer.
  int status = 0;
  std::string body = {};
  /// Why there is no answer; says nothing about the address.
  std::string error = {};

  [[nodiscard]] bool is_success() const { return status >= 200 && status < 300; }
};

class HttpServer {
 public:
  HttpServer() = default;
  virtual ~HttpServer() = default;
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  HttpServer(HttpServer&&) = delete;
  HttpServer& operator=(HttpServer&&) = delete;

  [[nodiscard]] virtual int port() const = 0;
};

/// The text of a page at the time of a request; called on other threads.
using HttpPage = std::function<std::string()>;

/// No function throws.
struct HttpModule {
  HttpAnswer (*send)(const HttpRequest& request) noexcept;
  /// Serves one page as text until the server is destroyed; port 0 takes a free one. Null if the address cannot be
  /// used.
  std::unique_ptr<HttpServer> (*serve)(const std::string& host, int port, const std::string& path,
                                       const HttpPage& page) noexcept;
};

/// Loads the module. `flag` is what needs it. Throws InvalidOption if this build has none, or FileError if it cannot be
/// loaded.
const HttpModule& http_for(const std::string& flag);

}  // namespace pidforest::cli
