// SPDX-License-Identifier: Apache-2.0
#include "exact/bound.h"

#include <algorithm>
#include <limits>

#include "geometry/logarithm.h"

namespace pidforest::exact {

namespace {

bool is_cheaper(const Step& a, const Step& b) { return a.loss * b.rows < b.loss * a.rows; }

/// Adds one side's steps as pieces of their lower convex hull, each dearer per row than the one before.
void add_hull(const Step* step, const Step* end, std::vector<Step>& segments) {
  const std::size_t first = segments.size();
  Step before{};
  for (; step != end; ++step) {
    Step piece{step->rows - before.rows, step->loss - before.loss};
    before = *step;
    while (segments.size() > first && !is_cheaper(segments.back(), piece)) {
      piece = {piece.rows + segments.back().rows, piece.loss + segments.back().loss};
      segments.pop_back();
    }
    segments.push_back(piece);
  }
}

/// The least cost of leaving out rows, for increasing numbers of rows. Takes the cheapest pieces first.
class LeastLoss {
 public:
  LeastLoss(const Sides& sides, std::vector<Step>& segments) : segments_(segments) {
    segments.clear();
    std::size_t begin = 0;
    for (const std::size_t end : sides.ends) {
      add_hull(sides.steps.data() + begin, sides.steps.data() + end, segments);
      begin = end;
    }
    std::ranges::sort(segments, is_cheaper);
  }

  /// Infinite if there are fewer rows to leave out.
  double of(double rows) {
    while (place_ < segments_.size() && rows_ + segments_[place_].rows < rows) {
      rows_ += segments_[place_].rows;
      loss_ += segments_[place_].loss;
      ++place_;
    }
    if (place_ == segments_.size()) return rows > rows_ ? std::numeric_limits<double>::infinity() : loss_;
    const Step& piece = segments_[place_];
    return loss_ + piece.loss * (rows - rows_) / piece.rows;
  }

 private:
  const std::vector<Step>& segments_;
  std::size_t place_ = 0;
  double rows_ = 0;
  double loss_ = 0;
};

}  // namespace

double most_bits(double n_rows, std::vector<Exclusion>& exclusions, const Sides& sides, BoundRoom& room) {
  std::ranges::sort(exclusions, {}, &Exclusion::loss);
  LeastLoss least(sides, room.segments);
  double most = -geometry::portable_log2(n_rows);
  double left_out = 0;
  for (const Exclusion& one : exclusions) {
    const double loss = std::max(one.loss, least.of(left_out + 1));
    left_out += one.rows;
    // The logarithm is computed only if it can matter.
    if (-loss > most) most = std::max(most, -loss - geometry::portable_log2(n_rows - left_out));
  }
  return most;
}

}  // namespace pidforest::exact
