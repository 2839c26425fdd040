// SPDX-License-Identifier: Apache-2.0
// HTTP requests by libcurl.
#pragma once

#include "net/http.h"

namespace pidforest::cli {

HttpAnswer send_by_curl(const HttpRequest& request) noexcept;

}  // namespace pidforest::cli
