// SPDX-License-Identifier: Apache-2.0
#include "verbs/stream_request.h"

#include <fmt/format.h>

#include "flags/span.h"

namespace pidforest::cli {

std::string StreamRequest::name_of_history() const { return past_source ? "" : fmt::format(" '{}'", past.shown()); }

StreamOptions StreamRequest::stream_options() const {
  StreamOptions all = sizes;
  all.forest = options.options();
  all.views = window_views(views);
  return all;
}

IncidentOptions StreamRequest::incident_options() const {
  IncidentOptions all = incidents.options(columns.time, columns.by, min_bits);
  all.most_keys = most_keys;
  return all;
}

std::optional<std::int64_t> StreamRequest::gap() const {
  return max_gap.empty() ? std::nullopt : std::optional(parse_span("--max-gap", max_gap));
}

std::optional<std::int64_t> StreamRequest::silence() const {
  return silent_after.empty() ? std::nullopt : std::optional(parse_span("--silent-after", silent_after));
}

}  // namespace pidforest::cli
