// SPDX-License-Identifier: Apache-2.0
// Rows in the order of time: a time series as a table of windows, and a detector that follows a stream of events.
//
//   pidforest::Stream stream({.warm_up = 64});
//   std::vector<double> load(300, 20.0);
//   stream.learn(pidforest::Table::row_major(load, 1, {"load"}));
//   const double spike = 95;
//   std::cout << (stream.score(pidforest::Table(1, {{"load", &spike}})).bits > 5);  // prints 1
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
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

namespace [[gnu::visibility("default")]] pidforest {

namespace stream {
struct StreamAccess;  // how the library's own sources reach the state of a stream
}

/// A group of columns of windows. Trees take turns over the views, each cuts only the columns of its view, and a window
/// has the largest of the scores by the trees of each view.
enum class SeriesView : std::uint8_t {
  lags,     ///< the values of the window
  changes,  ///< the last values, and by how much they rose over 1, 2, 4 and 8 samples within the window
  scales,   ///< means and standard deviations over the last 4, 16, 64 and 256 samples; over 8 and 64 of several metrics
  residual  ///< two views: lags and scales of the metrics minus their usual values
};

/// "lags", "changes", "scales", "residual".
std::string_view name_of(SeriesView view);
/// Reads names that commas separate. Throws InvalidOption for another name, a repeated one and none.
std::vector<SeriesView> series_views(std::string_view names);

/// How samples become windows.
struct SeriesOptions {
  /// The number of samples in a window.
  std::size_t window = 10;
  /// The column of times, by which the samples of a series are sorted. Empty: only the order of the rows is known.
  std::string time = {};
  /// The column that tells several series apart. Empty: the table is one series.
  std::string by = {};
  /// A longer step between two samples, in microseconds, starts a new segment. No window crosses it.
  std::optional<std::int64_t> max_gap = {};
  /// Each metric gets one further column per element: its mean over this many samples up to the last of the window,
  /// such as "cpu mean of 288 samples" or "cpu mean over 1 d". Early in a segment it is the mean of the samples so far.
  std::vector<std::size_t> means = {};
  /// Adds the time of the window's last sample as a column: its hour and weekday, if they vary.
  bool calendar = false;
  /// What the trees look at. The usual value of a metric is its median in the half hour of the week, if the times
  /// spread over 21 days or more, or in that of the day, from 3 days on. Without a time column, or over less time,
  /// `residual` stands for `lags` and `scales`.
  std::vector<SeriesView> views = {SeriesView::residual};
};

/// Throws InvalidOption that names the option and its range.
void validate(const SeriesOptions& options);

/// A window for samples.
struct SuggestedWindow {
  std::size_t window = 0;
  /// The window is the period of the samples; without a period it is 10 samples, or half the longest segment if that is
  /// shorter, at least 1.
  bool is_period = false;

  bool operator==(const SuggestedWindow&) const = default;
};

/// The period of the samples, which makes a good window: the lag at the first peak of their autocorrelation (the mean
/// over the metrics) that reaches 0.9 times the highest, or the highest peak up to a quarter beyond it. A peak is at
/// least 0.3 high and 0.2 above the lowest point before it. Lags up to half the longest segment and 2000 samples are
/// searched. Without a peak, a short window. `options.window` is not used. Throws as the constructor of Series does.
SuggestedWindow suggest_window(const Batches& samples, const SeriesOptions& options, const Schema& declared = {});

/// What the times of samples are like, in the order of the table and series by series.
struct SampleOrder {
  /// Samples that come after a later one: they are sorted by time, and equal times keep their order.
  std::uint64_t n_late = 0;
  /// How often the clock was set back: at least 2 successive samples have times that as many samples before them have,
  /// and samples go on in order from there. They are not mixed with those before, but start a new segment.
  std::uint64_t n_set_back = 0;
  /// Samples with the time of the sample before them.
  std::uint64_t n_repeated = 0;

  bool operator==(const SampleOrder&) const = default;
};

/// The samples of a window, and samples before and after it.
struct WindowSamples {
  /// Their rows in the table of samples, in the order of time.
  std::vector<std::size_t> rows = {};
  /// The place of the window's first sample among them, and the number of its samples.
  std::size_t begin = 0;
  std::size_t n = 0;
};

/// The window that gives a sample its score: the window that starts there, the window that ends there (known at once),
/// or the rarest of all windows that hold it.
enum class WindowAlignment : std::uint8_t { start, end, max };

/// The windows (shingles) of all segments as a table, series by series in the order of their first samples. Each column
/// is a metric at one lag, the earliest first: "cpu 2 samples earlier", "cpu 1 sample earlier", "cpu". If all steps
/// between samples are equal, lags are named by time: "cpu 10 min earlier". Missing values stay missing. Views add
/// columns such as "cpu minus usual", "mean of cpu over the last 1 h" and "rise of cpu within 10 min".
///
/// Keeps one copy of the samples, which the lags view, and one of the samples minus their usual values; all other
/// columns are computed a batch at a time. A longer window takes no more memory.
class Series : public Batches {
 public:
  /// Marks a sample that no window covers.
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  /// Every column except `time` and `by` is a metric, unless `declared` ignores it. The declaration of a metric holds
  /// for all its lags. Throws InvalidOption; and InvalidInput for a missing column, a metric without numbers, a time
  /// that is missing, and if no segment is as long as the window.
  Series(const Batches& samples, const SeriesOptions& options, const Schema& declared = {});
  /// The windows of other samples, made as those of a fit were: `recipe` is in the schema of the model. Columns that it
  /// does not name are not used. Throws as above, and InvalidInput for a missing metric and for samples with another
  /// even step.
  static Series as_fitted(const Batches& samples, const WindowRecipe& recipe);
  ~Series() override;
  Series(Series&&) noexcept;
  Series& operator=(Series&&) noexcept;
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;

  /// The number of windows.
  [[nodiscard]] std::size_t n_rows() const override;
  [[nodiscard]] Table header() const override;
  void for_each(const std::function<void(const Table& batch)>& visit) const override;
  /// The declarations of the windows' columns, with the recipe of the windows unless their only view is `lags`. Pass it
  /// to `infer_schema`.
  [[nodiscard]] Schema declared() const;

  [[nodiscard]] std::size_t n_samples() const;
  /// How the samples had to be put in order; all zero without a time column.
  [[nodiscard]] const SampleOrder& order() const;
  /// For each sample, in the order of the input, the number of the window that gives its score, or `none`. `bits` are
  /// the scores of all windows; among equal scores the earliest window is taken.
  [[nodiscard]] std::vector<std::size_t> shingles_of_samples(WindowAlignment align, std::span<const double> bits) const;
  /// The samples of a window, with at most `n_around` more of its segment before it and after it.
  [[nodiscard]] WindowSamples samples_of(std::size_t shingle, std::size_t n_around = 0) const;

 private:
  struct State;
  explicit Series(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

/// How rows of a table get their context.
struct ContextOptions {
  /// The column of times, by which the rows of a series are sorted.
  std::string time = {};
  /// The column that tells several series apart. Empty: the table is one series.
  std::string by = {};
  /// A longer step between two rows, in microseconds, ends the context: later rows have none from before it.
  std::optional<std::int64_t> max_gap = {};
};

/// Throws InvalidOption for missing or contradicting names.
void validate(const ContextOptions& options);

/// The rows of a table with what came before them in their series: by how much each column of numbers rose over 1, 2, 4
/// and 8 rows, and its mean and standard deviation over the last 8 and 64 rows (4, 16, 64 and 256 if there is one such
/// column). They are further columns in views of their own: "rise of load within 10 min", "mean of load over the last
/// 8 samples". What came before a row is decided by the times, and by the order in the table where they are equal. The
/// order of the rows in the table stays as it is.
///
/// Views the table. Memory: at most 4 KB per series and column of numbers; or 8 bytes per row and column of the context
/// if rows are not in the order of time.
class Context : public Batches {
 public:
  /// `schema` describes the columns of `rows` that are used; pass the result of `infer_schema`. Throws InvalidOption;
  /// and InvalidInput for a missing column, for a time that is missing, and without a column of numbers.
  Context(const Batches& rows, const Schema& schema, const ContextOptions& options);
  Context(const Batches&& rows, const Schema& schema, const ContextOptions& options) = delete;
  /// The context of other rows, as at the fit of a model with this schema. Throws as above.
  Context(const Batches& rows, const Schema& fitted);
  Context(const Batches&& rows, const Schema& fitted) = delete;
  ~Context() override;
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] std::size_t n_rows() const override;
  [[nodiscard]] Table header() const override;
  void for_each(const std::function<void(const Table& batch)>& visit) const override;
  /// How many rows of a series come after a later one.
  [[nodiscard]] const SampleOrder& order() const;
  /// The schema with the columns of the context, and with its recipe.
  [[nodiscard]] const Schema& schema() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether the rows of a fit were rows of a table with context, and not windows.
bool is_context(const WindowRecipe& recipe);

/// What the trees of a stream with windows look at.
enum class WindowViews : std::uint8_t {
  lags,             ///< every tree: all values of the window
  lags_and_changes  ///< every other tree: the last values, and by how much they rose over 1 to 8 events
};

/// "lags", "lags,changes": as flags and parameters have it.
std::string_view name_of(WindowViews views);
/// Throws InvalidOption for another name.
WindowViews window_views(std::string_view name);

struct StreamOptions {
  /// Fewer trees than a batch has by default, because they are grown again and again. `count_rows` must be all rows: a
  /// stream counts the rows of its horizon. `related_share` is not used: every tree sees all columns.
  Options forest = {.n_estimators = 25};
  /// The model knows this many of the latest events and forgets older ones.
  std::size_t horizon = 2048;
  /// The number of rows that the first trees are grown on, at most the horizon. No event is scored before.
  std::size_t warm_up = 256;
  /// The number of successive events in a row: 1, or the length of a window. Only the last event of a window keeps its
  /// times.
  std::size_t window = 1;
  /// What the trees look at if the window is longer than 1.
  WindowViews views = WindowViews::lags_and_changes;
  /// A second forest knows this many of the latest events only, so that it soon follows a change; an event has the
  /// lower of the two scores, less half of what the median of the last 64 scores is more than a bit above the usual
  /// one. 0: no second forest, and nothing is taken off. So it is too if this is more than half of the horizon or less
  /// than the window.
  std::size_t recent = 512;
  /// Learns what is usual for each metric at each half hour of the day and of the week, if events come with times: see
  /// Stream::update.
  bool season = true;
  /// Each metric gets one further column per element: its mean over this many events up to the last one, such as "cpu
  /// mean of 288 samples" or "cpu mean over 1 d". Early in a segment it is the mean of the events so far. An event
  /// takes time that grows with these numbers.
  std::vector<std::size_t> means = {};

  bool operator==(const StreamOptions&) const = default;
};

/// Throws InvalidOption that names the option, its range and the value.
void validate(const StreamOptions& options);

/// The schema of events: infer_schema, but a time has only its hour and its weekday, because any other derivation would
/// find every later event outside the fitted range.
Schema infer_event_schema(const Batches& events);

/// The score of one event.
struct EventScore {
  /// NaN without a score: the stream is warming up, or the event does not end a whole window.
  double bits;
  /// The score is above the threshold at that time.
  bool is_anomaly = false;
};

/// How the time of an event relates to the events before it.
enum class Arrival : std::uint8_t {
  next,      ///< not before the last event: learn it
  late,      ///< earlier than the last event
  duplicate  ///< the last event again
};

/// A detector that scores each event by the events of its horizon, then learns it and forgets the oldest. One tree at a
/// time is grown again on a sample of the horizon, each tree once per two horizons of events. Its root cube is the
/// range of the horizon and widens with later events; values off a column that was constant are the less rare the more
/// of them were learned. A metric that vanishes, with its 32nd missing value in a row or with a gap twice as long as its
/// longest one, makes one event rare. The threshold follows `contamination` on the scores of the horizon and is renewed
/// eight times per horizon.
///
/// Equal events and options give equal scores, in batches of any size.
class Stream {
 public:
  /// Without a schema it is inferred from the events of the warm-up. Throws InvalidOption, and InvalidInput for a
  /// schema that contradicts itself.
  explicit Stream(const StreamOptions& options = {}, std::optional<Schema> schema = {});
  ~Stream();
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Scores each event, then learns it. `on_score`, if given, is called between the two for each event with a score,
  /// and may call `find_last`. Throws InvalidInput for events that do not fit the schema; the stream is then unchanged.
  ///
  /// `times`, one per event, are microseconds since 1970 on the clock whose days have a season: the local one, or UTC.
  /// Either all events of a stream have times or none. As soon as a metric is known to have a season, the trees are
  /// grown again, and look at the metric minus what is usual at that time. While the steps between the events of a
  /// window are equal, lags and rises are named by time instead of by samples.
  std::vector<EventScore> update(const Table& events,
                                 const std::function<void(const EventScore& scored)>& on_score = {},
                                 std::span<const std::int64_t> times = {});
  /// Scores an event, the only row of the table, as if it were the next. Learns nothing.
  [[nodiscard]] EventScore score(const Table& event, std::optional<std::int64_t> time = {});
  /// Learns events without returning their scores.
  void learn(const Table& events, std::span<const std::int64_t> times = {});

  /// Ends the warm-up with the rows so far, as after the learned past of a stream. Fewer than 2 rows go on warming up.
  /// Throws InvalidInput as `update` does at the end of the warm-up.
  void end_warm_up();

  /// Starts a new segment: no window holds events from both sides.
  void start_segment();

  /// Classifies an event by its time, in microseconds, and by `fingerprint`, a hash of its values. After 16 late events
  /// in a row with times that do not decrease, the clock counts as set back, and a new segment starts. A step longer
  /// than `max_gap`, if given, also starts a new segment.
  Arrival arrive(std::int64_t time, std::uint64_t fingerprint, std::optional<std::int64_t> max_gap = {});

  /// Why the last scored event is rare: a cube around it that holds few events of the horizon for its size, with their
  /// current number. Call it only after a score.
  [[nodiscard]] Witness explain_last() const;
  /// The last scored event, which is the only row of `event`, with the other numbers of its window: earlier values and
  /// rises. Views `event`, and the stream until its next call that is not const.
  [[nodiscard]] Table last_window(const Table& event) const;
  /// The last scored event as a finding: its bits, the columns that contribute them and, if `most_normal` is given, the
  /// nearest change that brings its score to `most_normal` or below. Its row is the number of events learned. Counts
  /// are the current ones, so call it after `score` and before the event is learned. The witness is that of
  /// `explain_last`. Throws InvalidInput during the warm-up.
  [[nodiscard]] Finding find_last(std::optional<double> most_normal) const;

  /// The stream as a model of its horizon: the trees, each with its root cube, and the counts and threshold of now. It
  /// gives a row the score that the stream would give it next, or more where `recent` lowers that, and keeps
  /// it while the stream goes on. Its rows are windows, with the columns of `schema()`, rises included. It explains
  /// them by the rows of the horizon, unless the option `reasons` is off. Throws InvalidInput during the warm-up.
  [[nodiscard]] Model model() const;

  [[nodiscard]] const StreamOptions& options() const;
  /// Rows still needed before the first score; 0 when the stream is warm.
  [[nodiscard]] std::size_t n_to_warm_up() const;
  /// The number of events learned so far.
  [[nodiscard]] std::uint64_t n_learned() const;
  /// Without a value during the warm-up, and if `contamination` is none.
  [[nodiscard]] std::optional<double> threshold() const;
  /// The complete schema; columns of a window have their lag in the name, "cpu 2 samples earlier", and so have rises,
  /// "rise of cpu within 2 samples"; by time, "rise of cpu within 10 min", as `update` says. A metric with a season is
  /// called "cpu minus usual". Null during the warm-up.
  [[nodiscard]] const Schema* schema() const;
  /// How many rows of the horizon reach each node of each tree.
  [[nodiscard]] Counts counts() const;

  /// The whole state as bytes. Equal streams have equal bytes.
  [[nodiscard]] std::string to_bytes() const;
  /// Restores a stream, which then continues as the original would have. Throws BadFile.
  static Stream from_bytes(std::string_view bytes);

 private:
  struct State;
  friend struct stream::StreamAccess;
  explicit Stream(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

/// One stream per key, for at most `most_keys` keys. Beyond that, the stream whose last event is oldest is forgotten;
/// its key warms up again if it returns.
class KeyedStreams {
 public:
  /// Throws InvalidOption, and InvalidInput for a schema that contradicts itself.
  KeyedStreams(const StreamOptions& options, std::optional<Schema> schema, std::size_t most_keys);
  ~KeyedStreams();
  KeyedStreams(KeyedStreams&&) noexcept;
  KeyedStreams& operator=(KeyedStreams&&) noexcept;
  KeyedStreams(const KeyedStreams&) = delete;
  KeyedStreams& operator=(const KeyedStreams&) = delete;

  /// Ends the warm-up of all streams: see Stream::end_warm_up.
  void end_warm_ups();

  /// The stream of a key; creates it if needed. The reference is valid until the stream is forgotten.
  Stream& of(std::string_view key);
  [[nodiscard]] std::size_t n_keys() const;
  [[nodiscard]] std::uint64_t n_forgotten() const;

  /// Writes all streams and a note to a file, whole or not at all. Throws FileError.
  void save(const std::string& path, std::string_view note) const;
  /// Reads the streams and the note back, with the options and the schema of the file. Throws FileError or BadFile.
  static std::pair<KeyedStreams, std::string> load(const std::string& path, std::size_t most_keys);

  [[nodiscard]] const StreamOptions& options() const;
  [[nodiscard]] const std::optional<Schema>& schema() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pidforest
