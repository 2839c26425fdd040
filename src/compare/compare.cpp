// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/compare.h.
#include "pidforest/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include "compare/surprise.h"
#include "explain/wording.h"
#include "geometry/isolated.h"
#include "geometry/part.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "schema/encoded_table.h"
#include "schema/level_names.h"
#include "system/parallel.h"
#include "values/number_words.h"

namespace pidforest {

namespace compare_rows {

namespace {

/// One axis in the later rows.
struct AxisCounts {
  std::uint64_t n_beyond = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  /// With the bins of the fit.
  model::AxisProfile profile = {};
};

/// The strongest of some tests, in words.
struct Strongest {
  double surprise = 0;
  std::string words = {};
  std::size_t n_tests = 0;

  template <class Words>
  void offer(double other, const Words& words_of) {
    ++n_tests;
    if (other <= surprise) return;
    surprise = other;
    words = words_of();
  }
};

std::string share_text(double share) { return share == 0 ? "0 %" : values::share_words(share); }

std::string number_text(double x) { return values::number_words(x, 6); }

class Comparing {
 public:
  Comparing(const Model& model, const Run& run)
      : model_(model),
        state_(model::state_of(model)),
        run_(run),
        space_{state_.encoder, state_.axis_order, state_.forest->root} {
    if (!state_.profile)
      throw InvalidInput(
          "the model does not say how the values of its fit are distributed, which a comparison needs; fit it again, "
          "without --no-reasons.");
    for (const model::AxisProfile& fitted : state_.profile->axes)
      axes_.push_back(
          {.profile = {.borders = fitted.borders, .counts = std::vector<std::uint64_t>(fitted.counts.size())}});
    n_then_ = state_.counts.trees.empty() || state_.counts.trees[0].empty() ? 0 : state_.counts.trees[0][0];
  }

  TableComparison compare(const Batches& rows, double level) {
    TableComparison found{.n_then = n_then_, .n_now = rows.n_rows()};
    if (rows.n_rows() == 0) throw InvalidInput("the table has no rows; a comparison requires at least one.");
    n_now_ = rows.n_rows();
    const schema::EncodedBatches encoded(state_.encoder, rows);
    encoded.for_each(run_, [&](const Table& batch, std::size_t, const Run& run) {
      count(model::in_order(batch, state_.axis_order), run);
    });
    if (const auto threshold = model_.threshold()) {
      const std::vector<double> bits = model_.score(rows, run_);
      const auto n = std::ranges::count_if(bits, [&](double x) { return x > *threshold; });
      found.anomalies_now = static_cast<double>(n) / static_cast<double>(n_now_);
    }
    find_changes(found, level);
    return found;
  }

 private:
  [[nodiscard]] const schema::AxisInfo& info(std::uint32_t axis) const {
    return state_.encoder.axes()[state_.axis_order[axis]];
  }

  void count(const forest::Rows& rows, const Run& run) {
    system::parallel_for(axes_.size(), run, "comparing", [&](std::size_t axis, unsigned) {
      const forest::StridedColumn& values = rows.columns[axis];
      AxisCounts& counts = axes_[axis];
      const bool is_category = is_of_levels(axis);
      model::add_axis(values, rows.n, counts.profile, is_category);
      if (is_category) return;
      const double low = low_of(axis);
      const double high = high_of(axis);
      for (std::size_t row = 0; row < rows.n; ++row) {
        const double x = values[row];
        if (std::isnan(x)) continue;
        counts.low = std::min(counts.low, x);
        counts.high = std::max(counts.high, x);
        counts.n_beyond += x < low || x > high ? 1 : 0;
      }
    });
  }

  [[nodiscard]] bool is_of_levels(std::size_t axis) const {
    return info(static_cast<std::uint32_t>(axis)).kind == geometry::AxisKind::category;
  }
  /// The isolated parts of an axis, outside of the root cube; null if there are none.
  [[nodiscard]] const geometry::IsolatedParts* isolated(std::size_t axis) const {
    const auto& all = state_.forest->isolated;
    return all.empty() || all[axis].empty() ? nullptr : &all[axis];
  }
  /// Where the fitted values begin and end; infinite where isolated values lie beyond, whose ends are not known.
  [[nodiscard]] double low_of(std::size_t axis) const {
    const auto* parts = isolated(axis);
    const bool goes_on = parts != nullptr && std::isfinite(parts->core_low());
    return goes_on ? -std::numeric_limits<double>::infinity() : state_.forest->root[axis].low;
  }
  [[nodiscard]] double high_of(std::size_t axis) const {
    const auto* parts = isolated(axis);
    const bool goes_on = parts != nullptr && std::isfinite(parts->core_high());
    return goes_on ? std::numeric_limits<double>::infinity() : state_.forest->root[axis].high;
  }

  [[nodiscard]] double then() const { return static_cast<double>(n_then_); }
  [[nodiscard]] double now() const { return static_cast<double>(n_now_); }

  [[nodiscard]] double n_sample() const { return static_cast<double>(state_.profile->n_rows); }
  [[nodiscard]] const model::AxisProfile& fitted(std::size_t axis) const { return state_.profile->axes[axis]; }

  /// The tests of one axis; the facts of its column are those of its first axis.
  void test(std::uint32_t axis, bool is_first, ColumnChange& change, Strongest& strongest) const {
    if (is_first) test_missing(axis, change, strongest);
    if (is_of_levels(axis))
      test_levels(axis, change, strongest);
    else if (info(axis).kind == geometry::AxisKind::ordered)
      test_range(axis, change, strongest);
    test_bins(axis, change, strongest);
  }

  void test_missing(std::uint32_t axis, ColumnChange& change, Strongest& strongest) const {
    const Share before{static_cast<double>(fitted(axis).n_missing), n_sample()};
    const Share after{static_cast<double>(axes_[axis].profile.n_missing), now()};
    change.missing_then = before.share();
    change.missing_now = after.share();
    const double surprise =
        before.k == 0 ? surprise_of_new(after.k, after.n, before.n, 0) : surprise_of_shares(before, after);
    strongest.offer(surprise, [&] {
      return fmt::format("missing {}, was {}", share_text(after.share()), share_text(before.share()));
    });
  }

  void test_levels(std::uint32_t axis, ColumnChange& change, Strongest& strongest) const {
    const std::vector<std::uint64_t>& counts = axes_[axis].profile.counts;
    if (counts.empty()) return;
    change.n_new_levels += counts.back();
    const auto n_once = std::ranges::count(fitted(axis).counts, 1U);
    strongest.offer(
        surprise_of_new(static_cast<double>(counts.back()), now(), n_sample(), static_cast<double>(n_once)), [&] {
          return fmt::format("new levels in {} of the rows", share_text(static_cast<double>(counts.back()) / now()));
        });
    constexpr std::size_t most_vanished = 20;
    const schema::LevelNames levels(state_.encoder.schema().columns[info(axis).column],
                                    explain::derivation_of(state_.encoder, state_.axis_order[axis]));
    for (std::size_t level = 0; level + 1 < counts.size() && change.vanished.size() < most_vanished; ++level)
      if (counts[level] == 0 && level < levels.size()) change.vanished.push_back(levels.names()[level]);
  }

  void test_range(std::uint32_t axis, ColumnChange& change, Strongest& strongest) const {
    const AxisCounts& counts = axes_[axis];
    const auto& root = state_.forest->root[axis];
    const bool is_column = !explain::derivation_of(state_.encoder, state_.axis_order[axis]) && info(axis).n_cells == 0;
    if (is_column) change.range_then = {root.low, root.high};
    if (is_column && counts.low <= counts.high) change.range_now = {counts.low, counts.high};
    if (is_column) change.n_beyond_range = counts.n_beyond;
    // Two ends, at each of which one row in n_then + 1 is expected to go beyond.
    constexpr double ln_2 = 0.6931471805599453;
    const double surprise = surprise_of_new(static_cast<double>(counts.n_beyond), now(), then(), 0) - ln_2;
    strongest.offer(is_column ? surprise : 0, [&] {
      return fmt::format("{} of the values beyond the range {} to {}: from {} to {}",
                         share_text(static_cast<double>(counts.n_beyond) / now()), number_text(root.low),
                         number_text(root.high), number_text(counts.low), number_text(counts.high));
    });
  }

  /// The values up to a border of an ordered axis, the bins of a circle and the levels, one by one; and all bins
  /// together.
  void test_bins(std::uint32_t axis, ColumnChange& change, Strongest& strongest) const {
    const std::vector<std::uint64_t>& before = fitted(axis).counts;
    const std::vector<std::uint64_t>& after = axes_[axis].profile.counts;
    if (before.size() < 2) return;
    const bool is_ordered = info(axis).kind == geometry::AxisKind::ordered;
    Share then{0, n_sample() - static_cast<double>(fitted(axis).n_missing)};
    Share later{0, now() - static_cast<double>(axes_[axis].profile.n_missing)};
    double best = -1;
    std::optional<Shift> shift;
    double of_all = 0;
    std::size_t n_bins = 0;
    for (std::size_t bin = 0; bin < before.size(); ++bin) {
      const Share own{static_cast<double>(before[bin]), then.n};
      const Share own_later{static_cast<double>(after[bin]), later.n};
      then.k = is_ordered ? then.k + own.k : own.k;
      later.k = is_ordered ? later.k + own_later.k : own_later.k;
      if (const auto one = ratio_of_bin(own, own_later)) {
        of_all += *one;
        ++n_bins;
      }
      const bool is_unseen = is_of_levels(axis) && bin + 1 == before.size();
      if (is_unseen || (is_ordered && bin + 1 == before.size())) continue;
      const double surprise = surprise_of_shares(then, later);
      strongest.offer(surprise, [] { return ""; });
      if (surprise <= best) continue;
      best = surprise;
      shift = Shift{.condition = explain::condition_of(part_of_bin(axis, bin), space_),
                    .share_then = then.share(),
                    .share_now = later.share()};
    }
    strongest.offer(surprise_of_bins(of_all, n_bins), [] { return ""; });
    if (!shift || (change.shift && best <= shift_surprise_)) return;
    shift_surprise_ = best;
    change.shift = std::move(shift);
  }

  /// The condition that `test_bins` speaks of.
  [[nodiscard]] geometry::Part part_of_bin(std::uint32_t axis, std::size_t bin) const {
    geometry::Part part{.axis = axis, .kind = info(axis).kind};
    const std::vector<double>& borders = fitted(axis).borders;
    if (is_of_levels(axis)) {
      part.levels = {{static_cast<std::uint32_t>(bin), static_cast<std::uint32_t>(bin) + 1}};
    } else if (part.kind == geometry::AxisKind::ordered) {
      part.high = borders[bin];
    } else {
      // The first and the last bin of a circle meet at 0, and are told apart there.
      part.low = bin == 0 ? 0 : borders[bin - 1];
      part.high = bin < borders.size() ? borders[bin] : info(axis).period;
    }
    return part;
  }

  void find_changes(TableComparison& found, double level) const {
    const std::vector<ColumnSchema>& columns = state_.encoder.schema().columns;
    std::vector<Strongest> strongest(columns.size());
    std::vector<ColumnChange> changes(columns.size());
    for (std::size_t column = 0; column < columns.size(); ++column) {
      shift_surprise_ = 0;
      changes[column].column = columns[column].name;
      bool is_first = true;
      for (std::uint32_t axis = 0; axis < axes_.size(); ++axis) {
        if (info(axis).column != column) continue;
        test(axis, is_first, changes[column], strongest[column]);
        is_first = false;
      }
    }
    const auto n_columns =
        static_cast<double>(std::ranges::count_if(strongest, [](const Strongest& one) { return one.n_tests > 0; }));
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (strongest[column].n_tests == 0) continue;
      ColumnChange& change = changes[column];
      const double tests = n_columns * static_cast<double>(strongest[column].n_tests);
      change.strength = 2 * strongest[column].surprise;
      change.p = std::min(1.0, tests * std::exp(-strongest[column].surprise));
      change.is_changed = change.p < level;
      change.words = strongest[column].words.empty() ? shift_words(change) : strongest[column].words;
      found.columns.push_back(std::move(change));
    }
    std::ranges::stable_sort(found.columns, [](const ColumnChange& a, const ColumnChange& b) {
      return a.is_changed != b.is_changed ? a.is_changed : a.strength > b.strength;
    });
  }

  [[nodiscard]] std::string shift_words(const ColumnChange& change) const {
    if (!change.shift) return "as before";
    return fmt::format("{} in {} of the rows, was {}", to_words(change.shift->condition, state_.encoder.schema()),
                       share_text(change.shift->share_now), share_text(change.shift->share_then));
  }

  const Model& model_;
  const model::State& state_;
  const Run& run_;
  explain::Space space_;
  std::uint64_t n_then_ = 0;
  std::uint64_t n_now_ = 0;
  std::vector<AxisCounts> axes_;
  /// The surprise of the shift that the column at work has.
  mutable double shift_surprise_ = 0;
};

}  // namespace

}  // namespace compare_rows

std::uint64_t TableComparison::n_changed() const {
  return static_cast<std::uint64_t>(std::ranges::count(columns, true, &ColumnChange::is_changed));
}

TableComparison compare(const Model& model, const Batches& rows, double level, const Run& run) {
  if (!(level > 0 && level < 1))
    throw InvalidOption(fmt::format("the level of a comparison must be between 0 and 1; got {}.", level));
  return compare_rows::Comparing(model, run).compare(rows, level);
}

}  // namespace pidforest
