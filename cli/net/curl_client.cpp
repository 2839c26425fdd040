// SPDX-License-Identifier: Apache-2.0
#include "net/curl_client.h"

#include <curl/curl.h>

#include <exception>
#include <memory>
#include <string>

namespace pidforest::cli {

namespace {

struct Received {
  std::string body;
  std::size_t most_bytes;
};

std::size_t receive(const char* bytes, std::size_t size, std::size_t n, void* to) noexcept {
  auto& received = *static_cast<Received*>(to);
  if (received.body.size() + size * n > received.most_bytes) return CURL_WRITEFUNC_ERROR;
  try {
    received.body.append(bytes, size * n);
  } catch (const std::exception&) {
    return CURL_WRITEFUNC_ERROR;
  }
  return size * n;
}

int is_cancelled(void* request, curl_off_t, curl_off_t, curl_off_t, curl_off_t) noexcept {
  const auto* cancel = static_cast<const HttpRequest*>(request)->cancel;
  return cancel != nullptr && *cancel ? 1 : 0;
}

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using List = std::unique_ptr<curl_slist, FreeList>;

/// The message of libcurl for a code; never the address or a part of it.
std::string words_of(CURLcode code, const HttpRequest& request) {
  if (code == CURLE_OPERATION_TIMEDOUT) return "no answer within " + std::to_string(request.timeout.count()) + " ms";
  if (code == CURLE_WRITE_ERROR) return "the answer is longer than " + std::to_string(request.most_bytes) + " bytes";
  return curl_easy_strerror(code);
}

HttpAnswer sent(const HttpRequest& request) {
  static const CURLcode begun = curl_global_init(CURL_GLOBAL_DEFAULT);
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(begun == CURLE_OK ? curl_easy_init() : nullptr, curl_easy_cleanup);
  if (!curl) return {.error = "libcurl cannot be started"};
  CURL* const c = curl.get();
  Received received{.body = {}, .most_bytes = request.most_bytes};
  curl_easy_setopt(c, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
  curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(c, CURLOPT_WRITEDATA, &received);
  curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, is_cancelled);
  curl_easy_setopt(c, CURLOPT_XFERINFODATA, &request);
  curl_easy_setopt(c, CURLOPT_USERAGENT, "pidforest");
  List headers;
  const auto add_header = [&](const std::string& line) {
    headers.reset(curl_slist_append(headers.release(), line.c_str()));
  };
  if (!request.user.empty() || !request.password.empty()) {
    curl_easy_setopt(c, CURLOPT_USERNAME, request.user.c_str());
    curl_easy_setopt(c, CURLOPT_PASSWORD, request.password.c_str());
  }
  if (!request.token.empty()) add_header("Authorization: Bearer " + request.token);
  if (request.body) {
    add_header("Content-Type: " + request.content_type);
    add_header("Expect:");
    curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body->size()));
    curl_easy_setopt(c, CURLOPT_POSTFIELDS, request.body->data());
  }
  curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers.get());
  const CURLcode code = curl_easy_perform(c);
  if (code != CURLE_OK) return {.error = words_of(code, request)};
  long status = 0;
  curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
  return {.status = static_cast<int>(status), .body = std::move(received.body)};
}

}  // namespace

HttpAnswer send_by_curl(const HttpRequest& request) noexcept {
  try {
    return sent(request);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace pidforest::cli
