// SPDX-License-Identifier: Apache-2.0
// What the module libpidforest_http offers.
#include "net/curl_client.h"
#include "net/http.h"
#include "net/page_server.h"

extern "C" [[gnu::visibility("default")]] const pidforest::cli::HttpModule pidforest_http{
    .send = pidforest::cli::send_by_curl, .serve = pidforest::cli::serve_page};
