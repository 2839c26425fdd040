// SPDX-License-Identifier: Apache-2.0
// Lines of CSV or JSON as events of a stream: any bytes are rejected with InvalidInput, or give equal scores and states
// for batches of any size, and for a stream that is saved and loaded on the way.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/same_scores.h"
#include "pidforest/error.h"
#include "pidforest/reader.h"
#include "pidforest/series.h"

namespace {

using pidforest::Stream;

/// The first bytes of an input.
struct Choices {
  static constexpr std::size_t n = 4;
  unsigned form, sizes, batch, rest;
};

pidforest::StreamOptions options_of(const Choices& choices) {
  pidforest::StreamOptions options;
  options.forest.n_estimators = 1 + choices.rest % 4;
  options.forest.max_samples = 16;
  options.warm_up = 2 + choices.sizes % 16;
  options.horizon = options.warm_up + choices.sizes / 16;
  options.window = std::min<std::size_t>(1 + choices.rest / 4 % 4, options.horizon);
  if ((choices.rest & 64U) != 0) options.forest.contamination = pidforest::Options::none;
  return options;
}

std::optional<pidforest::TableStore> read(std::string_view text, unsigned form) {
  pidforest::TextFormat format{.skip_bad_rows = true};
  if ((form & 1U) != 0) format.form = pidforest::TextFormat::Form::json_lines;
  if ((form & 2U) != 0) format.missing = {"NA"};
  try {
    pidforest::TableReader reader(pidforest::bytes_of(text), format, {}, {.threads = 1});
    pidforest::TableStore rows;
    while (const std::optional<pidforest::Table> batch = reader.next()) rows.append(*batch);
    return rows;
  } catch (const pidforest::InvalidInput&) {
    return std::nullopt;
  }
}

/// Saves and loads the stream between two halves.
std::vector<pidforest::EventScore> updated_with_a_break(Stream& stream, const pidforest::Table& events,
                                                        std::size_t n_at_once) {
  const std::size_t half = events.n_rows() / 2;
  auto scores = pidforest::fuzz::updated(stream, events.rows(0, half), n_at_once);
  stream = Stream::from_bytes(stream.to_bytes());
  const auto rest = pidforest::fuzz::updated(stream, events.rows(half, events.n_rows()), n_at_once);
  scores.insert(scores.end(), rest.begin(), rest.end());
  return scores;
}

void check(const pidforest::Table& events, const Choices& choices) {
  const pidforest::StreamOptions options = options_of(choices);
  Stream one_by_one(options);
  Stream in_batches(options);
  const auto scores = pidforest::fuzz::updated(one_by_one, events, 1);
  const std::size_t n_at_once = 2 + choices.batch % 64;
  pidforest::fuzz::require_same(scores, choices.batch < 128 ? pidforest::fuzz::updated(in_batches, events, n_at_once)
                                                            : updated_with_a_break(in_batches, events, n_at_once));
  if (one_by_one.to_bytes() != in_batches.to_bytes()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < Choices::n) return 0;
  const Choices choices{data[0], data[1], data[2], data[3]};
  const std::string_view text(reinterpret_cast<const char*>(data + Choices::n), size - Choices::n);
  const auto events = read(text, choices.form);
  if (!events) return 0;
  events->for_each([&](const pidforest::Table& batch) {
    constexpr std::size_t most_rows = 80;  // more than a horizon
    check(batch.rows(0, std::min(batch.n_rows(), most_rows)), choices);
  });
  return 0;
}
