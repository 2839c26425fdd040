// SPDX-License-Identifier: Apache-2.0
// The part of a category in a search: some of the children of one branch, among them the target's. In a flat category,
// any set of levels.
// Declared in exact/part_choice.h.
#include <algorithm>

#include "exact/part_choice.h"

namespace pidforest::exact {

namespace {

/// The branches above the target are its path: place 0 is its level, the last place is the root. A level meets the path
/// at the lowest branch of the path that holds it.
class BranchChoice final : public PartChoice {
 public:
  explicit BranchChoice(const AxisCells& cells)
      : PartChoice(cells), n_levels_of_(cells.parents.size(), 0), meetings_(cells.n_values) {
    const auto whole = static_cast<std::uint32_t>(cells.parents.size() - 1);
    for (std::uint32_t level = 0; level < cells.n_values; ++level) {
      std::uint32_t branch = level;
      for (; branch != whole; branch = cells.parents[branch]) ++n_levels_of_[branch];
      ++n_levels_of_[whole];
    }
  }

 private:
  struct Meeting {
    std::uint32_t place = 0;
    std::uint32_t child = 0;
  };

  void set_target_value(std::uint32_t cell) override {
    const auto& parents = cells().parents;
    const auto whole = static_cast<std::uint32_t>(parents.size() - 1);
    path_ = {cell};
    while (path_.back() != whole) path_.push_back(parents[path_.back()]);
    for (std::uint32_t level = 0; level < cells().n_values; ++level) {
      std::uint32_t child = level;
      auto place = std::ranges::find(path_, level);
      while (place == path_.end()) {
        place = std::ranges::find(path_, parents[child]);
        if (place == path_.end()) child = parents[child];
      }
      meetings_[level] = {static_cast<std::uint32_t>(place - path_.begin()), child};
    }
  }
  void start_values() override {
    top_ = static_cast<std::uint32_t>(path_.size() - 1);
    n_levels_ = n_levels_at(top_);
    is_out_.assign(n_levels_of_.size(), false);
    inner_top_ = 0;
    is_in_.assign(n_levels_of_.size(), false);
  }
  void leave_out_value(std::uint32_t cell) override {
    const auto [place, child] = meetings_[cell];
    if (!may_hold_value(cell)) return;
    if (place < top_) {
      top_ = place;
      n_levels_ = n_levels_at(place);
    }
    is_out_[child] = true;
    n_levels_ -= n_levels_of_[child];
  }
  void take_in_value(std::uint32_t cell) override {
    const auto [place, child] = meetings_[cell];
    inner_top_ = std::max(inner_top_, place);
    is_in_[child] = true;
  }
  [[nodiscard]] bool may_hold_value(std::uint32_t cell) const override {
    const auto [place, child] = meetings_[cell];
    return place < top_ || (place == top_ && !is_out_[child]);
  }
  [[nodiscard]] bool must_hold_value(std::uint32_t cell) const override {
    const auto [place, child] = meetings_[cell];
    return place == 0 || place < inner_top_ || (place == inner_top_ && is_in_[child]);
  }
  [[nodiscard]] double share_of_values() const override { return share_of_levels(n_levels_); }
  [[nodiscard]] double share_without_value(std::uint32_t cell) const override {
    const auto [place, child] = meetings_[cell];
    const std::uint32_t n = place < top_ ? n_levels_at(place) : n_levels_;
    return share_of_levels(n - n_levels_of_[child]);
  }
  void add_value_steps(std::span<const double> rows, Sides& sides) const override {
    add_children(rows, sides);
    if (top_ > 1) add_descent(rows, sides);
  }
  void describe(geometry::Part& part) const override {
    for (std::uint32_t level = 0; level < cells().n_values; ++level) {
      if (!may_hold_value(level)) continue;
      if (!part.levels.empty() && part.levels.back().end == level)
        ++part.levels.back().end;
      else
        part.levels.push_back({level, level + 1});
    }
    if (n_levels_ == cells().n_values) ++part.levels.back().end;  // any level, also an unseen one
  }

  /// Every child of a branch of the path is a side of its own: the bits of several add up to at most those of all.
  void add_children(std::span<const double> rows, Sides& sides) const {
    std::uint32_t last_child = no_cell;
    for (std::uint32_t level = 0; level < cells().n_values; ++level) {
      if (rows[level] == 0 || !may_hold_value(level) || must_hold_value(level)) continue;
      const auto [place, child] = meetings_[level];
      if (child == last_child) {  // the levels of a branch lie side by side
        sides.steps.back().rows += rows[level];
        continue;
      }
      last_child = child;
      const double n = place < top_ ? n_levels_at(place) : n_levels_;
      sides.steps.push_back({rows[level], loss_of(n, n - n_levels_of_[child]), place < top_ ? no_cell : level});
      sides.end_side();
    }
  }
  /// The part of a lower branch leaves out what meets the path above it.
  void add_descent(std::span<const double> rows, Sides& sides) const {
    for (std::uint32_t place = top_ - 1; place >= std::max(inner_top_, 1U); --place) {
      double left_out = 0;
      for (std::uint32_t level = 0; level < cells().n_values; ++level)
        if (may_hold_value(level) && meetings_[level].place > place) left_out += rows[level];
      if (left_out > 0) sides.steps.push_back({left_out, loss_of(n_levels_, n_levels_at(place)), no_cell});
    }
    sides.end_side();
  }
  [[nodiscard]] double share_of_levels(double n) const { return n / cells().n_values; }
  [[nodiscard]] std::uint32_t n_levels_at(std::uint32_t place) const { return n_levels_of_[path_[place]]; }

  /// The number of levels of each branch.
  std::vector<std::uint32_t> n_levels_of_;
  std::vector<std::uint32_t> path_;
  std::vector<Meeting> meetings_;
  /// The place on the path whose children the part may have, how many levels they have, and the children left out.
  std::uint32_t top_ = 0;
  std::uint32_t n_levels_ = 0;
  std::vector<bool> is_out_;
  /// The lowest place whose children the part can be made of, and those of its children that must be held; with more
  /// than one place below it, the target's own child is held as a whole.
  std::uint32_t inner_top_ = 0;
  std::vector<bool> is_in_;
};

}  // namespace

std::unique_ptr<PartChoice> choose_branch(const AxisCells& cells) { return std::make_unique<BranchChoice>(cells); }

}  // namespace pidforest::exact
