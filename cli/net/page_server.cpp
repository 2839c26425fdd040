// SPDX-License-Identifier: Apache-2.0
#include "net/page_server.h"

#include <httplib.h>

#include <exception>
#include <thread>

namespace pidforest::cli {

namespace {

class PageServer final : public HttpServer {
 public:
  PageServer(const std::string& host, int port, const std::string& path, const HttpPage& page) {
    constexpr std::size_t n_threads = 2;
    server_.new_task_queue = [] { return new httplib::ThreadPool(n_threads); };
    server_.set_payload_max_length(1);
    server_.set_address_family(AF_UNSPEC);
    // Only one program may have the port; the default lets several share it.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_.Get(path, [page](const httplib::Request&, httplib::Response& answer) {
      answer.set_content(page(), "text/plain; version=0.0.4; charset=utf-8");
    });
    if (port == 0)
      port_ = server_.bind_to_any_port(host);
    else
      port_ = server_.bind_to_port(host, port) ? port : -1;
    if (port_ > 0) thread_ = std::thread([this] { server_.listen_after_bind(); });
  }
  ~PageServer() override {
    if (!thread_.joinable()) return;
    while (!server_.is_running()) std::this_thread::yield();
    server_.stop();
    thread_.join();
  }
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;
  PageServer(PageServer&&) = delete;
  PageServer& operator=(PageServer&&) = delete;

  [[nodiscard]] int port() const override { return port_; }

 private:
  httplib::Server server_;
  int port_ = -1;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<HttpServer> serve_page(const std::string& host, int port, const std::string& path,
                                       const HttpPage& page) noexcept {
  try {
    auto server = std::make_unique<PageServer>(host, port, path, page);
    if (server->port() > 0) return server;
  } catch (const std::exception&) {
    return nullptr;
  }
  return nullptr;
}

}  // namespace pidforest::cli
