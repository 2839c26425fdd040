// SPDX-License-Identifier: Apache-2.0
#include "stream/sliding_forest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "forest/aggregate.h"
#include "forest/route.h"
#include "forest/score.h"
#include "forest/stretch.h"
#include "geometry/logarithm.h"
#include "stream/widen.h"

namespace pidforest::stream {

SlidingForest::SlidingForest(const Options& options, SlidingRows rows)
    : options_(options),
      rows_(std::move(rows)),
      medians_(static_cast<std::size_t>(options.n_estimators)),
      ends_(medians_.size()),
      last_bits_(medians_.size()) {
  log2_count_.push_back(-1);
}

std::span<std::uint32_t> SlidingForest::ends_of(std::uint64_t number) {
  const std::size_t n_trees = ends_.size();
  const std::size_t begin = static_cast<std::size_t>(number % rows_.horizon()) * n_trees;
  if (ring_.size() < begin + n_trees) ring_.resize(begin + n_trees);
  return std::span(ring_).subspan(begin, n_trees);
}

void SlidingForest::plant(std::size_t place, forest::Tree tree, forest::Root root) {
  if (place == trees_.size()) {
    trees_.emplace_back();
    roots_.emplace_back();
    walks_.emplace_back(forest::Tree{}, rows_.offsets());
    end_nodes_.emplace_back();
  }
  walks_[place] = WalkTree(tree, rows_.offsets());
  trees_[place] = std::move(tree);
  roots_[place] = std::move(root);
  walk_pointers_.clear();
  for (const WalkTree& one : walks_) walk_pointers_.push_back(&one);
  count_all(place);
  constants_.find(roots_, rows_);
  set_bits_off_constants();
  find_common_root();
}

void SlidingForest::set_bits_off_constants() {
  for (const Constants::News& one : constants_.take_news(rows_.n_rows()))
    for (forest::Root& root : roots_)
      if (root[one.axis].low == one.value && root[one.axis].high == one.value) root[one.axis].bits_off = one.bits;
}

void SlidingForest::count_all(std::size_t place) {
  const forest::Tree& tree = trees_[place];
  std::vector<End>& nodes = end_nodes_[place];
  nodes.assign(tree.nodes.size(), {});
  for (std::size_t v = 0; v < nodes.size(); ++v) nodes[v].log2_volume = tree.log2_volumes[v];
  std::vector<std::uint32_t> ends(rows_.n_samples());
  const bool is_plain = walks_[place].is_plain();
  if (is_plain) walk_rows(walks_[place], rows_.at(0), rows_.stride(), ends);
  const forest::Rows rows = rows_.rows();
  std::size_t slot = static_cast<std::size_t>(rows_.n_dropped() % rows_.horizon()) * ends_.size() + place;
  for (std::size_t i = 0; i < ends.size(); ++i, slot += ends_.size()) {
    if (slot >= rows_.horizon() * ends_.size()) slot = place;
    if (!rows_.is_row(i)) continue;
    if (!is_plain || rows_.has_missing(i)) ends[i] = forest::route_plain(tree, rows, i);
    ++nodes[ends[i]].n_rows;
    ring_[slot] = ends[i];
  }
}

void SlidingForest::find_common_root() {
  common_low_.resize(rows_.features().size());
  common_high_.resize(common_low_.size());
  for (std::size_t axis = 0; axis < common_low_.size(); ++axis) find_common_root_of(axis);
}

void SlidingForest::find_common_root_of(std::size_t axis) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low = -infinity;
  double high = infinity;
  for (const forest::Root& root : roots_) {
    if (root[axis].has_levels()) continue;
    low = std::max(low, root[axis].low);
    high = std::min(high, root[axis].high);
  }
  common_low_[axis] = isolated_.empty() ? low : std::max(low, isolated_[axis].core_low());
  common_high_[axis] = isolated_.empty() ? high : std::min(high, isolated_[axis].core_high());
}

void SlidingForest::set_isolated(std::vector<geometry::IsolatedParts> isolated) {
  isolated_ = std::move(isolated);
  find_common_root();
}

double SlidingForest::isolated_bits(std::size_t i) const {
  double most = 0;
  for (std::size_t axis = 0; axis < isolated_.size(); ++axis)
    most = std::max(most, forest::isolated_bits(isolated_, axis, rows_.at(i)[rows_.offsets()[axis]]));
  return most;
}

double SlidingForest::next_isolated_bits(std::size_t axis) const {
  return forest::isolated_bits(isolated_, axis, rows_.at(rows_.n_samples())[rows_.offsets()[axis]]);
}

bool SlidingForest::is_next_isolated() const {
  return std::ranges::any_of(
      outside_, [&](std::size_t axis) { return rows_.features()[axis].lag == 0 && next_isolated_bits(axis) > 0; });
}

void SlidingForest::find_next_ends() {
  const std::size_t next = rows_.n_samples();
  const bool has_missing = rows_.has_missing(next);
  if (!has_missing) walk(walk_pointers_, rows_.at(next), ends_);
  const auto is_walked = [&](const WalkTree& tree) { return !has_missing && tree.is_plain(); };
  if (std::ranges::all_of(walks_, is_walked)) return;
  const forest::Rows rows = rows_.rows();
  for (std::size_t t = 0; t < trees_.size(); ++t)
    if (!is_walked(walks_[t])) ends_[t] = forest::route_plain(trees_[t], rows, next);
}

void SlidingForest::find_outside() {
  outside_.clear();
  const double* const row = rows_.at(rows_.n_samples());
  for (std::size_t axis = 0; axis < common_low_.size(); ++axis) {
    const double x = row[rows_.offsets()[axis]];
    if (x < common_low_[axis] || x > common_high_[axis]) outside_.push_back(axis);
  }
}

void SlidingForest::find_beyond() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  last_beyond_.reset();
  double farthest = 0;
  for (const std::size_t axis : outside_) {
    if (!rows_.features()[axis].is_line) continue;
    double low = infinity;
    double high = -infinity;
    for (const forest::Root& root : roots_) {
      if (std::isinf(root[axis].high)) continue;
      low = std::min(low, root[axis].low);
      high = std::max(high, root[axis].high);
    }
    const double x = rows_.at(rows_.n_samples())[rows_.offsets()[axis]];
    const double distance = std::max(x - high, low - x) / (high - low);
    if (!(distance > farthest)) continue;
    farthest = distance;
    last_beyond_ = x > high ? geometry::Part{.axis = static_cast<std::uint32_t>(axis), .low = std::nextafter(high, x)}
                            : geometry::Part{.axis = static_cast<std::uint32_t>(axis), .high = low};
  }
}

std::uint32_t SlidingForest::n_reached(std::size_t tree, std::uint32_t number) const {
  const forest::Node& node = trees_[tree].nodes[number];
  std::uint32_t n = end_nodes_[tree][number].n_rows;
  for (std::uint32_t i = 0; !node.is_leaf() && i < node.n_children(); ++i) n += n_reached(tree, node.first_child + i);
  return n;
}

double SlidingForest::bits_at(std::size_t tree, std::uint32_t node, double log2_n, std::uint32_t n_less) const {
  return end_nodes_[tree][node].log2_volume + log2_n - log2_count_[n_reached(tree, node) - n_less];
}

double SlidingForest::stretch_bits(std::size_t tree, const forest::Rows& rows) const {
  const std::size_t next = rows_.n_samples();
  double bits = 0;
  for (const std::size_t axis : outside_) {
    const double x = rows.columns[axis][next];
    const geometry::Interval& whole = roots_[tree][axis];
    const bool joins_rows = !isolated_.empty() && isolated_[axis].joins_rows(x);
    if (!whole.has_levels() && (x < whole.low || x > whole.high) && !joins_rows)
      bits += forest::stretch_bits(roots_[tree], trees_[tree], rows, {next, axis});
  }
  return bits;
}

double SlidingForest::aggregate_bits() {
  scratch_.assign(last_bits_.begin(), last_bits_.end());
  return forest::aggregate(scratch_, options_, medians_);
}

double SlidingForest::score_next(std::span<const double> sample) {
  rows_.set_next(sample, true);
  find_next_ends();
  find_outside();
  const double log2_n = log2_count_[rows_.n_rows()];
  for (std::size_t t = 0; t < trees_.size(); ++t) last_bits_[t] = bits_at(t, ends_[t], log2_n, 0);
  find_beyond();
  double isolated = 0;
  if (!outside_.empty()) {
    const forest::Rows rows = rows_.rows();
    for (std::size_t t = 0; t < trees_.size(); ++t) last_bits_[t] += stretch_bits(t, rows);
    for (const std::size_t axis : outside_) isolated = std::max(isolated, next_isolated_bits(axis));
  }
  return forest::score_with_isolated(isolated, aggregate_bits(), forest::head_start(options_));
}

double SlidingForest::score_without_itself(std::size_t i) {
  const double log2_n = log2_count_[rows_.n_rows() - 1];
  const std::span<const std::uint32_t> ends = ends_of(rows_.n_dropped() + i);
  for (std::size_t t = 0; t < trees_.size(); ++t) last_bits_[t] = bits_at(t, ends[t], log2_n, 1);
  return forest::score_with_isolated(isolated_bits(i), aggregate_bits(), forest::head_start(options_));
}

/// An event that is learned lies in the root cubes from then on, and so do the windows that follow: all lags of the
/// column are widened, by a little more than needed, since the next event may lie a little further. So are its rises.
/// An isolated value stays outside.
void SlidingForest::widen_roots() {
  for (const std::size_t outside : outside_) {
    const Feature& feature = rows_.features()[outside];
    if (feature.lag > 0 || !feature.is_line || next_isolated_bits(outside) > 0) continue;
    const std::size_t place = rows_.place_of(outside);
    for (std::size_t t = 0; t < trees_.size(); ++t) widen_root(t, place);
    for (const std::size_t axis : rows_.features_at(place)) find_common_root_of(axis);
  }
}

void SlidingForest::widen_root(std::size_t tree, std::size_t place) {
  constexpr double slack = 1.0 / 16;
  constexpr double largest = std::numeric_limits<double>::max();
  forest::Root& root = roots_[tree];
  bool has_other_volumes = false;
  const double x = rows_.at(rows_.n_samples())[place];
  for (const std::size_t axis : rows_.features_at(place)) {
    const auto [low, high] = std::pair(root[axis].low, root[axis].high);
    if (low == high || !(x < low || x > high)) continue;
    const bool is_other = widen(trees_[tree], root, axis, x < low ? std::max(x - slack * (high - x), -largest) : low,
                                x > high ? std::min(x + slack * (x - low), largest) : high);
    has_other_volumes = has_other_volumes || is_other;
  }
  if (!has_other_volumes) return;
  for (std::size_t v = 0; v < end_nodes_[tree].size(); ++v)
    end_nodes_[tree][v].log2_volume = trees_[tree].log2_volumes[v];
}

void SlidingForest::take_scored(bool ends_row) {
  widen_roots();
  const std::span<std::uint32_t> slot = ends_of(rows_.n_dropped() + rows_.n_samples());
  if (rows_.n_samples() == rows_.horizon() && rows_.is_row(0))
    for (std::size_t t = 0; t < trees_.size(); ++t) --end_nodes_[t][slot[t]].n_rows;
  if (ends_row) {
    std::ranges::copy(ends_, slot.begin());
    for (std::size_t t = 0; t < trees_.size(); ++t) ++end_nodes_[t][ends_[t]].n_rows;
  }
  constants_.take(rows_, ends_row);
  rows_.take(ends_row);
  set_bits_off_constants();
  if (log2_count_.size() <= rows_.n_rows())
    log2_count_.push_back(geometry::portable_log2(static_cast<double>(log2_count_.size())));
}

void SlidingForest::take(std::span<const double> sample, bool ends_row) {
  rows_.set_next(sample, ends_row);
  outside_.clear();
  if (!trees_.empty()) find_outside();
  if (ends_row && !trees_.empty()) find_next_ends();
  take_scored(ends_row);
}

Counts SlidingForest::counts() const {
  Counts counts;
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    std::vector<std::uint64_t>& of_tree = counts.trees.emplace_back();
    for (const End& end : end_nodes_[t]) of_tree.push_back(end.n_rows);
    const std::vector<forest::Node>& nodes = trees_[t].nodes;
    for (std::size_t v = nodes.size(); v-- > 0;)  // children come after their parents
      for (std::uint32_t i = 0; !nodes[v].is_leaf() && i < nodes[v].n_children(); ++i)
        of_tree[v] += of_tree[nodes[v].first_child + i];
  }
  return counts;
}

void SlidingForest::find_medians() {
  const Counts all = counts();
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    const forest::Tree& tree = trees_[t];
    medians_[t] = forest::median_bits(tree, all.trees[t], forest::ranked_nodes(forest::node_bits(tree, all.trees[t])));
  }
}

}  // namespace pidforest::stream
