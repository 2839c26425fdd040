// SPDX-License-Identifier: Apache-2.0
// The state of a tracker as bytes.
// Declared in pidforest/incidents.h.
#include <algorithm>
#include <cmath>
#include <utility>

#include "file/byte_reader.h"
#include "file/little_endian.h"
#include "incidents/tracker_state.h"
#include "pidforest/error.h"

namespace pidforest {

namespace incidents {

namespace {

constexpr std::string_view section = "incidents";
constexpr std::uint32_t version = 1;

/// Appends numbers and texts.
class Writer {
 public:
  template <class T>
  Writer& add(T number) {
    file::append_little_endian(bytes_, number);
    return *this;
  }
  Writer& add(bool is_so) { return add(static_cast<std::uint8_t>(is_so)); }
  Writer& add(std::string_view text) {
    file::append_text(bytes_, text);
    return *this;
  }
  Writer& add_size(std::size_t n) { return add(static_cast<std::uint64_t>(n)); }
  template <class Items, class Add>
  Writer& add_all(const Items& items, const Add& add_one) {
    add_size(items.size());
    for (const auto& item : items) add_one(item);
    return *this;
  }
  template <class T, class Add>
  Writer& add_optional(const std::optional<T>& item, const Add& add_one) {
    add(item.has_value());
    if (item) add_one(*item);
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

void write(Writer& out, const Budget& budget) {
  const AlertRates::State& state = budget.rates.state();
  out.add(state.has_time).add(state.last_time).add(state.days_seen).add(state.days).add(state.days_since_decay);
  out.add(state.n_events).add(state.n_opened);
  for (const double n : state.events) out.add(n);
  for (const double n : state.openings) out.add(n);
  out.add_all(budget.openings, [&](std::int64_t time) { out.add(time); });
}

void write(Writer& out, const OpenIncident& open) {
  const TimedIncident& one = open.so_far;
  out.add(one.number).add(one.begin).add(one.end).add(one.worst).add(one.bits);
  out.add(one.first_row).add(one.last_row).add(one.n_events).add(one.n_anomalies).add(std::string_view(one.reason));
  out.add(open.cool_down).add(open.n_events_since_begin);
  out.add_all(open.worst, [&](const WorstRow& row) {
    out.add(row.row).add(row.bits);
    out.add_all(row.metrics, [&](const Blame& blame) { out.add(std::string_view(blame.metric)).add(blame.bits); });
  });
}

void write(Writer& out, const TrackedKey& key) {
  out.add(key.last_used).add(key.n_events).add(key.last_time).add(key.step.n_steps());
  out.add_all(key.step.steps(), [&](std::int64_t step) { out.add(step); });
  out.add_optional(key.open, [&](const OpenIncident& open) { write(out, open); });
  out.add_all(key.last_reached, [&](std::int64_t time) { out.add(time); });
  out.add_optional(key.budget, [&](const Budget& budget) { write(out, budget); });
}

/// Reads what a Writer wrote. Throws BadFile.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes, section) {}

  template <class T>
  T take() {
    return bytes_.take<T>();
  }
  bool take_bool() {
    const auto byte = take<std::uint8_t>();
    require(byte <= 1);
    return byte == 1;
  }
  /// A finite number of at least 0.
  double take_amount() {
    const auto amount = take<double>();
    require(std::isfinite(amount) && amount >= 0);
    return amount;
  }
  std::string take_text() { return std::string(bytes_.take_text()); }
  template <class TakeOne>
  auto take_all(std::uint64_t most, const TakeOne& take_one) {
    const auto n = take<std::uint64_t>();
    require(n <= most);
    std::vector<decltype(take_one())> items;
    for (std::uint64_t i = 0; i < n; ++i) items.push_back(take_one());
    return items;
  }
  void end() { require(bytes_.is_at_end()); }
  static void require(bool is_so) {
    if (!is_so) throw BadFile("its section 'incidents' has values that no tracker can have.");
  }

 private:
  file::ByteReader bytes_;
};

Budget read_budget(Reader& in, double alerts_per_day) {
  AlertRates::State state;
  state.has_time = in.take_bool();
  state.last_time = in.take<std::int64_t>();
  state.days_seen = in.take_amount();
  state.days = in.take_amount();
  state.days_since_decay = in.take_amount();
  // So that decays of half a period catch up soon.
  Reader::require(state.days_since_decay <= 1 / std::min(1.0, alerts_per_day));
  state.n_events = in.take_amount();
  state.n_opened = in.take_amount();
  for (double& n : state.events) n = in.take_amount();
  for (double& n : state.openings) n = in.take_amount();
  Budget budget{.rates = AlertRates(alerts_per_day)};
  budget.rates.restore(state);
  const auto most = static_cast<std::uint64_t>(std::max(1.0, alerts_per_day));
  for (const std::int64_t time : in.take_all(most, [&] { return in.take<std::int64_t>(); }))
    budget.openings.push_back(time);
  return budget;
}

WorstRow read_worst_row(Reader& in) {
  WorstRow row{.row = in.take<std::uint64_t>(), .bits = in.take<double>()};
  Reader::require(!std::isnan(row.bits));
  row.metrics = in.take_all(n_blamed, [&] {
    Blame blame{.metric = in.take_text(), .bits = in.take<double>()};
    Reader::require(!std::isnan(blame.bits));
    return blame;
  });
  return row;
}

OpenIncident read_open(Reader& in, const std::string& key, std::uint64_t n_opened) {
  OpenIncident open;
  TimedIncident& one = open.so_far;
  one.key = key;
  one.number = in.take<std::uint64_t>();
  one.begin = in.take<std::int64_t>();
  one.end = in.take<std::int64_t>();
  one.worst = in.take<std::int64_t>();
  one.bits = in.take<double>();
  one.first_row = in.take<std::uint64_t>();
  one.last_row = in.take<std::uint64_t>();
  one.n_events = in.take<std::uint64_t>();
  one.n_anomalies = in.take<std::uint64_t>();
  one.reason = in.take_text();
  open.cool_down = in.take<std::int64_t>();
  open.n_events_since_begin = in.take<std::uint64_t>();
  open.worst = in.take_all(n_worst_rows, [&] { return read_worst_row(in); });
  Reader::require(one.number >= 1 && one.number <= n_opened && !std::isnan(one.bits) && one.n_anomalies >= 1 &&
                  one.n_anomalies <= one.n_events && one.n_events <= open.n_events_since_begin && open.cool_down >= 0 &&
                  one.begin <= one.worst && one.worst <= one.end && !open.worst.empty() &&
                  std::ranges::is_sorted(open.worst, std::ranges::greater{}, &WorstRow::bits));
  return open;
}

TrackedKey read_key(Reader& in, const std::string& name, const TrackerState& all) {
  TrackedKey key{.last_used = in.take<std::uint64_t>(),
                 .n_events = in.take<std::uint64_t>(),
                 .last_time = in.take<std::int64_t>()};
  const auto n_steps = in.take<std::uint64_t>();
  std::vector<std::int64_t> steps = in.take_all(UsualStep::n_kept, [&] {
    const auto step = in.take<std::int64_t>();
    Reader::require(step > 0);
    return step;
  });
  Reader::require(steps.size() == std::min<std::uint64_t>(n_steps, UsualStep::n_kept));
  key.step = UsualStep(std::move(steps), n_steps);
  if (in.take_bool()) key.open = read_open(in, name, all.n_opened);
  key.last_reached = in.take_all(n_levels, [&] { return in.take<std::int64_t>(); });
  if (in.take_bool()) key.budget = read_budget(in, all.options.alerts_per_day.value_or(1));
  Reader::require(!key.budget || all.options.is_budget_per_key);
  Reader::require(all.options.alerts_per_day || key.last_reached.empty());
  return key;
}

std::string bytes_of(const TrackerState& all) {
  Writer out;
  out.add(version);
  out.add_optional(all.options.cool_down, [&](std::int64_t span) { out.add(span); });
  out.add_optional(all.options.alerts_per_day, [&](double n) { out.add(n); });
  out.add(all.options.is_budget_per_key).add(all.n_opened).add(all.n_over_budget).add(all.n_events);
  out.add_optional(all.budget, [&](const Budget& budget) { write(out, budget); });
  out.add_all(all.keys, [&](const auto& entry) {
    out.add(std::string_view(entry.first));
    write(out, entry.second);
  });
  return out.take();
}

void read_bytes(std::string_view bytes, TrackerState& all) {
  Reader in(bytes);
  Reader::require(in.take<std::uint32_t>() == version);
  if (in.take_bool()) all.options.cool_down = in.take<std::int64_t>();
  if (in.take_bool()) all.options.alerts_per_day = in.take<double>();
  all.options.is_budget_per_key = in.take_bool();
  try {
    validate(all.options);
  } catch (const InvalidOption&) {
    Reader::require(false);
  }
  all.n_opened = in.take<std::uint64_t>();
  all.n_over_budget = in.take<std::uint64_t>();
  all.n_events = in.take<std::uint64_t>();
  if (in.take_bool()) all.budget = read_budget(in, all.options.alerts_per_day.value_or(1));
  Reader::require(all.budget.has_value() == (all.options.alerts_per_day && !all.options.is_budget_per_key));
  const auto n_keys = in.take<std::uint64_t>();
  for (std::uint64_t i = 0; i < n_keys; ++i) {
    const std::string name = in.take_text();
    Reader::require(all.keys.empty() || all.keys.rbegin()->first < name);
    const auto key = all.keys.emplace_hint(all.keys.end(), name, read_key(in, name, all));
    Reader::require(key->second.last_used < all.n_events && all.by_use.emplace(key->second.last_used, name).second);
  }
  in.end();
}

}  // namespace

}  // namespace incidents

std::string IncidentTracker::to_bytes() const { return incidents::bytes_of(*state_); }

IncidentTracker IncidentTracker::from_bytes(std::string_view bytes, std::size_t most_keys) {
  IncidentTracker tracker;
  incidents::read_bytes(bytes, *tracker.state_);
  tracker.state_->options.most_keys = most_keys;
  return tracker;
}

}  // namespace pidforest
