// SPDX-License-Identifier: Apache-2.0
// States of streams: any bytes must be rejected with BadFile, or be a stream that survives a round trip and goes on:
// it scores and learns events, equally in batches of any size, and its later states load again.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "fixed_checksums.h"
#include "forged_file.h"
#include "fuzz/same_scores.h"
#include "fuzz/schema_values.h"
#include "pidforest/error.h"
#include "pidforest/series.h"

namespace {

using pidforest::Stream;

/// The schema of the next events: that of the model, or the given one during the warm-up; empty if there is none.
pidforest::Schema events_of(const Stream& stream) {
  const pidforest::ForgedFile state(stream.to_bytes());
  const std::string& text = state.text(stream.n_to_warm_up() == 0 ? "schema" : "stream.given");
  return text.empty() ? pidforest::Schema{} : pidforest::parse_schema(text);
}

/// The times of the next events, every six hours; empty if those before had none.
std::vector<std::int64_t> times_of(const std::string& bytes, std::size_t n) {
  constexpr std::int64_t step = 6LL * 3600 * 1'000'000;
  std::vector<std::int64_t> times;
  if (pidforest::ForgedFile(bytes).numbers<std::uint64_t>("stream.events").back() != 1) return times;
  for (std::size_t i = 0; i < n; ++i) times.push_back(static_cast<std::int64_t>(i) * step);
  return times;
}

/// `stream` has state `bytes`.
void go_on(Stream& stream, const std::string& bytes) {
  const pidforest::Schema schema = events_of(stream);
  const pidforest::fuzz::SchemaValues values(schema);
  Stream other = Stream::from_bytes(bytes);
  if (stream.arrive(0, 1, 60'000'000) != other.arrive(0, 1, 60'000'000)) std::abort();
  const std::vector<std::int64_t> times = times_of(bytes, pidforest::fuzz::SchemaValues::n_rows);
  const auto scores = pidforest::fuzz::updated(stream, values.table(), pidforest::fuzz::SchemaValues::n_rows, times);
  pidforest::fuzz::require_same(scores, pidforest::fuzz::updated(other, values.table(), 7, times));
  const std::string later = stream.to_bytes();
  if (other.to_bytes() != later || Stream::from_bytes(later).to_bytes() != later) std::abort();
}

/// Longer streams than the fuzzer has time for.
bool is_large(const pidforest::StreamOptions& options) {
  return options.forest.n_estimators > 20 || options.horizon > 500 || options.window > 20;
}

std::optional<Stream> loaded(const std::string& bytes) {
  try {
    return Stream::from_bytes(bytes);
  } catch (const pidforest::BadFile&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  std::optional<Stream> stream = loaded(pidforest::with_fixed_checksums(bytes));
  if (!stream) return 0;
  const std::string again = stream->to_bytes();
  if (Stream::from_bytes(again).to_bytes() != again) std::abort();
  if (!is_large(stream->options())) go_on(*stream, again);
  return 0;
}
