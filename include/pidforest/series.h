// SPDX-License-Identifier: Apache-2.0
// Rows that follow each other: a time series as a table of windows, and a detector that follows a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/model.h"
#include "pidforest/options.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest {

struct SeriesOptions {
  /// The samples of a shingle.
  std::size_t window = 10;
  /// The column of times, which never go back within a series; empty: only the order of the rows is known.
  std::string time = {};
  /// The column that tells several series apart; empty: there is one.
  std::string by = {};
  /// A step between samples that is longer, in microseconds, starts a new segment, and no shingle crosses it.
  std::optional<std::int64_t> max_gap = {};
  /// Over how many samples, the last of the shingle and those before it, each metric has its mean as a further column:
  /// "cpu mean of 288 samples", or "cpu mean over 1 d". At the beginning of a segment it is that of the samples so far.
  std::vector<std::size_t> means = {};
  /// Whether the time of the shingle's last sample is a column, too: its hour and weekday, as far as they vary.
  bool calendar = false;
};

/// Throws InvalidOption that names the option and its range.
void validate(const SeriesOptions& options);

/// The period of the samples, which makes a good window: the lag at which their autocorrelation, the mean of those of
/// the metrics, has its first peak of at least 0.9 times the highest, or the highest up to a quarter beyond it. A peak
/// is at least 0.3 high, and 0.2 above the lowest point before it; up to half the longest segment and 2000 samples are
/// looked at. `options.window` does not matter. Throws what the constructor of Series does, and InvalidInput if there
/// is no peak.
std::size_t suggest_window(const Batches& samples, const SeriesOptions& options, const Schema& declared = {});

/// Which shingle a time point has its score from: the one that begins there, the one that ends there (which is known at
/// once), or the rarest of all that hold it.
enum class Align : std::uint8_t { start, end, max };

/// The shingles of all segments, series by series in the order in which they first come. A column is a metric so many
/// samples earlier, the earliest first: "cpu 2 samples earlier", "cpu 1 sample earlier", "cpu"; where all steps between
/// samples are the same they are named by time: "cpu 10 min earlier". Missing values stay missing.
///
/// Holds a copy of the samples, which the columns view: a longer window takes no more memory.
class Series : public Batches {
 public:
  /// Of a time point that no shingle is for.
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  /// Every column besides time and by is a metric, unless `declared` ignores it; what else that says of the columns
  /// holds for all their lags. Throws InvalidOption, or InvalidInput: for a lacking column, a metric that holds no
  /// numbers, a time that is missing or goes back, and if no segment is as long as the window.
  Series(const Batches& samples, const SeriesOptions& options, const Schema& declared = {});
  ~Series() override;
  Series(Series&&) noexcept;
  Series& operator=(Series&&) noexcept;
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;

  /// The number of shingles.
  [[nodiscard]] std::size_t n_rows() const override;
  [[nodiscard]] Table columns() const override;
  /// A batch is a segment.
  void for_each(const std::function<void(const Table& batch)>& visit) const override;
  /// What is known of the shingles' columns before they are looked at, for infer_schema.
  [[nodiscard]] Schema declared() const;

  [[nodiscard]] std::size_t n_samples() const;
  /// The number of the shingle that each sample, in the order in which they were given, has its score from, or `none`.
  /// `bits` are the scores of all shingles; of equal ones the earliest is taken.
  [[nodiscard]] std::vector<std::size_t> shingles_of_samples(Align align, std::span<const double> bits) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct StreamOptions {
  /// Fewer trees than a batch has by default, since they are grown again and again. `count_rows` must be all rows: a
  /// stream counts the rows of its horizon.
  Options forest = {.n_estimators = 25};
  /// How many of the last events the model counts; older ones are forgotten.
  std::size_t horizon = 2048;
  /// The rows that the first trees are grown on. Nothing is scored before there are this many. At most the horizon.
  std::size_t warm_up = 256;
  /// The number of successive events that make a row. Of times only the last event's are used.
  std::size_t window = 1;

  bool operator==(const StreamOptions&) const = default;
};

/// Throws InvalidOption that names the option, its range and the value.
void validate(const StreamOptions& options);

/// What the columns of events mean: infer_schema, but a time has only its hour and its weekday. All other derivations
/// would find every later event outside of the range.
Schema infer_event_schema(const Batches& events);

/// The score of an event.
struct Scored {
  /// NaN if there is no score: the stream is warming up, or the event does not end a whole window.
  double bits;
  /// Whether the score is above the threshold of that time.
  bool is_anomaly = false;
};

/// What gives an event its bits, and what would make it normal.
struct EventReasons {
  /// The columns of the stream's schema that give the event bits, the most first. They add up to the mean of its bits
  /// over the trees.
  std::vector<ColumnBits> column_bits = {};
  /// The nearest change that makes the event normal, as for nearest_normal; nullopt if there is none.
  std::optional<std::vector<Condition>> normal_if = {};
};

/// Whether an event may be learned, by its time.
enum class Arrival : std::uint8_t {
  next,      ///< it comes after the last
  late,      ///< it is of an earlier time than the last
  duplicate  ///< it is the last event once more
};

/// A detector that scores each event by the last events, then learns it. The forest counts the events of the horizon:
/// an event is scored by the counts of the events before it, then added to them, and the oldest is subtracted. Each
/// tree is grown again, on a sample of the horizon, once while two horizons of events pass; its root cube is the range
/// of the events in the horizon, and grows with events that are learned beyond it. The threshold is set by the scores
/// of the horizon as `contamination` says, and renewed eight times while the horizon fills with new events.
///
/// Equal events and options give equal scores, regardless of how many events are given at once.
class Stream {
 public:
  /// Without a schema the meaning of the columns is inferred from the events of the warm-up. Throws InvalidOption, or
  /// InvalidInput for a schema that contradicts itself.
  explicit Stream(const StreamOptions& options = {}, std::optional<Schema> schema = {});
  ~Stream();
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Scores each event and then learns it. Throws InvalidInput for events that do not fit; the stream stays as it is.
  std::vector<Scored> update(const Table& events);
  /// Scores an event, the only row of the table, as if it came next. Learns nothing.
  [[nodiscard]] Scored score(const Table& event);
  /// Learns events without returning their scores.
  void learn(const Table& events);

  /// Starts a new segment: no window holds events from before and after this call.
  void start_segment();

  /// Whether an event of this time, in microseconds, may be learned. `fingerprint` stands for the content of the event.
  /// An event with an earlier time than the last is late. After 16 late events in a row, none earlier than the one
  /// before it, the clock is taken to have been set back and a new segment begins. A step of more than `max_gap`, if it
  /// is set, begins a new segment too.
  Arrival arrive(std::int64_t time, std::uint64_t fingerprint, std::optional<std::int64_t> max_gap = {});

  /// Why the event that was last scored is rare: a cube around it that holds few of the horizon's events for its size,
  /// with their number now. Call it after a score. The cube is chosen as by Explainer, among the leaves of the three
  /// trees in which the event has most bits and the values beyond all root cubes. Throws InvalidInput during the
  /// warm-up.
  [[nodiscard]] Witness explain_last() const;
  /// The column bits of the event that was last scored, and the nearest change that brings its score to `most_normal`
  /// or below, if that is given; both by the counts of now. Call it after `score` and before the event is learned: then
  /// the counts are those that it was scored by. Throws InvalidInput during the warm-up.
  [[nodiscard]] EventReasons reasons_of_last(std::optional<double> most_normal) const;

  /// The stream as a model of its horizon: the trees, each with its root cube, and the counts and threshold of now. It
  /// gives a row the score that the stream would give it next, and keeps it while the stream goes on. Its rows are
  /// windows, with the columns of `schema()`. Throws InvalidInput during the warm-up.
  [[nodiscard]] Model model() const;

  [[nodiscard]] const StreamOptions& options() const;
  /// Rows still needed before the first score; 0 after the warm-up.
  [[nodiscard]] std::size_t n_to_warm_up() const;
  /// The events learned so far.
  [[nodiscard]] std::uint64_t n_learned() const;
  /// nullopt during the warm-up, and if `contamination` is none.
  [[nodiscard]] std::optional<double> threshold() const;
  /// What the columns of rows mean; columns of a window are named by their lag: "cpu 2 samples earlier". Null during
  /// the warm-up.
  [[nodiscard]] const Schema* schema() const;
  /// How many of the rows of the horizon reach each node of each tree.
  [[nodiscard]] Counts counts() const;

  /// The whole stream as bytes; equal streams have equal bytes.
  [[nodiscard]] std::string to_bytes() const;
  /// Restores a stream, which then continues as the saved one would have. Throws BadFile.
  static Stream from_bytes(std::string_view bytes);

  /// What a stream is made of; defined in src/model/stream_state.h for the library's own use.
  struct State;
  explicit Stream(std::unique_ptr<State> state);
  [[nodiscard]] const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// A stream for each key, and at most `most_keys` of them: when there are more keys, the one whose last event is the
/// oldest is forgotten, and warms up again if it comes back.
class KeyedStreams {
 public:
  KeyedStreams(const StreamOptions& options, std::optional<Schema> schema, std::size_t most_keys);

  /// The stream of a key, which is made for a new key.
  Stream& of(std::string_view key);
  [[nodiscard]] std::size_t n_keys() const { return streams_.size(); }
  [[nodiscard]] std::uint64_t n_forgotten() const { return n_forgotten_; }

  /// Writes all streams and `note` to a file atomically: the old file or the new one is there, whole. Throws FileError.
  void save(const std::string& path, std::string_view note) const;
  /// Reads streams and note. The options and the schema are those of the file. Throws FileError or BadFile.
  static std::pair<KeyedStreams, std::string> load(const std::string& path, std::size_t most_keys);

  [[nodiscard]] const StreamOptions& options() const { return options_; }
  [[nodiscard]] const std::optional<Schema>& schema() const { return schema_; }

 private:
  struct Entry {
    Stream stream;
    std::uint64_t last_used;
  };
  void forget_oldest();

  StreamOptions options_;
  std::optional<Schema> schema_;
  std::size_t most_keys_;
  std::uint64_t n_uses_ = 0;
  std::uint64_t n_forgotten_ = 0;
  std::map<std::string, Entry, std::less<>> streams_;
  /// Keys by when they were last used.
  std::map<std::uint64_t, std::string> by_use_;
};

}  // namespace pidforest
