// SPDX-License-Identifier: Apache-2.0
#include "report/spread.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "explain/wording.h"
#include "system/parallel.h"

namespace pidforest::report {

namespace {

constexpr std::size_t most_sampled = 8192;
/// With more rows than this, a pair of axes is drawn as cells instead of points.
constexpr std::size_t most_points = 2000;

/// Takes the facts of one axis from a batch whose first row is row `begin` of all `n_rows`.
void look_at(const Column& values, std::size_t n, std::size_t begin, std::size_t n_rows, AxisFacts& facts) {
  const std::size_t every = (n_rows + most_sampled - 1) / most_sampled;
  for (std::size_t i = 0; i < n; ++i) {
    const double value = values.number(i);
    if (std::isnan(value)) {
      ++facts.n_missing;
      continue;
    }
    facts.low = std::min(facts.low, value);
    facts.high = std::max(facts.high, value);
    if (!facts.levels.empty()) ++facts.levels[std::min(static_cast<std::size_t>(value), facts.levels.size() - 1)];
    if ((begin + i) % every == 0) facts.sample.push_back(value);
  }
}

/// The bar of each row of a batch, for one axis.
using Bars = std::vector<std::uint8_t>;
constexpr auto no_bar = std::numeric_limits<std::uint8_t>::max();

Bars bars_of(const AxisPicture& picture, const Column& values, std::size_t n) {
  Bars bars(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double value = values.number(i);
    bars[i] = std::isnan(value) ? no_bar : static_cast<std::uint8_t>(picture.bar_of(value));
  }
  return bars;
}

/// The rows of a pair in all its cells.
class CellCounts {
 public:
  CellCounts(std::size_t n_x, std::size_t n_y) : n_y_(n_y), counts_(n_x * n_y, 0) {}

  void add(const Bars& x, const Bars& y, std::uint64_t& n_missing) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] == no_bar || y[i] == no_bar)
        ++n_missing;
      else
        ++counts_[x[i] * n_y_ + y[i]];
    }
  }

  [[nodiscard]] std::vector<ReportData::Pair::Cell> cells() const {
    std::vector<ReportData::Pair::Cell> cells;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] > 0) cells.push_back({.x = i / n_y_, .y = i % n_y_, .n = counts_[i]});
    return cells;
  }

 private:
  std::size_t n_y_;
  std::vector<std::uint64_t> counts_;
};

void add_points(const AxisPicture& x, const AxisPicture& y, const Table& batch, ReportData::Pair& pair) {
  const Column& xs = batch.columns()[pair.x_axis];
  const Column& ys = batch.columns()[pair.y_axis];
  for (std::size_t i = 0; i < batch.n_rows(); ++i)
    if (!std::isnan(xs.number(i)) && !std::isnan(ys.number(i)))
      pair.points.emplace_back(x.place_of(xs.number(i)), y.place_of(ys.number(i)));
}

}  // namespace

std::vector<NamedAxis> named_axes(const schema::Encoder& encoder) {
  std::vector<NamedAxis> axes;
  for (std::size_t axis = 0; axis < encoder.axes().size(); ++axis) {
    const schema::AxisInfo& info = encoder.axes()[axis];
    axes.push_back({info, encoder.schema().columns[info.column], explain::derivation_of(encoder, axis)});
  }
  return axes;
}

std::vector<AxisFacts> axis_facts(const std::vector<NamedAxis>& axes, const schema::EncodedBatches& rows,
                                  const Run& run) {
  std::vector<AxisFacts> facts(axes.size());
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    if (axes[axis].has_levels()) facts[axis].levels.resize(axes[axis].info.n_cells + 1);
  rows.for_each(run, [&](const Table& batch, std::size_t begin, const Run& part) {
    system::parallel_for(axes.size(), part, "drawing", [&](std::size_t axis, unsigned) {
      look_at(batch.columns()[axis], batch.n_rows(), begin, rows.n_rows(), facts[axis]);
    });
  });
  for (AxisFacts& one : facts) std::ranges::sort(one.sample);
  return facts;
}

Spread spread_of(const std::vector<AxisPicture>& pictures,
                 const std::vector<std::pair<std::size_t, std::size_t>>& pairs, const schema::EncodedBatches& rows,
                 const Run& run) {
  Spread spread;
  std::vector<CellCounts> counts;
  for (const AxisPicture& picture : pictures) spread.axes.push_back(picture.drawn());
  for (const auto& [x, y] : pairs) {
    spread.pairs.push_back({.x_axis = x, .y_axis = y});
    counts.emplace_back(pictures[x].n_bars(), pictures[y].n_bars());
  }
  const bool has_points = rows.n_rows() <= most_points;
  rows.for_each(run, [&](const Table& batch, std::size_t, const Run& part) {
    std::vector<Bars> bars(pictures.size());
    system::parallel_for(pictures.size(), part, "drawing", [&](std::size_t axis, unsigned) {
      bars[axis] = bars_of(pictures[axis], batch.columns()[axis], batch.n_rows());
      for (const std::uint8_t bar : bars[axis])
        if (bar != no_bar) ++spread.axes[axis].bars[bar];
    });
    system::parallel_for(pairs.size(), part, "drawing", [&](std::size_t i, unsigned) {
      const auto& [x, y] = pairs[i];
      counts[i].add(bars[x], bars[y], spread.pairs[i].n_missing);
      if (has_points) add_points(pictures[x], pictures[y], batch, spread.pairs[i]);
    });
  });
  for (std::size_t i = 0; i < pairs.size() && !has_points; ++i) spread.pairs[i].cells = counts[i].cells();
  return spread;
}

}  // namespace pidforest::report
