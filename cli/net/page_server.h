// SPDX-License-Identifier: Apache-2.0
// A server of one page, by cpp-httplib.
#pragma once

#include <memory>
#include <string>

#include "net/http.h"

namespace pidforest::cli {

std::unique_ptr<HttpServer> serve_page(const std::string& host, int port, const std::string& path,
                                       const HttpPage& page) noexcept;

}  // namespace pidforest::cli
