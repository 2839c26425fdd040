// SPDX-License-Identifier: Apache-2.0
#include "pidforest/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "pidforest/error.h"
#include "schema/format_json.h"
#include "schema/schema_words.h"
#include "schema/windows_json.h"
#include "values/excerpt.h"
#include "values/first_repeat.h"
#include "values/number_form.h"
#include "values/number_text.h"
#include "values/read_text.h"
#include "values/utf8.h"

namespace pidforest {

namespace {

using schema::ColumnPlace;
using values::excerpt;
using values::shortest_text;

/// Doubles represent all whole numbers up to this one.
constexpr double largest_whole = 9007199254740992;

void check_text(std::string_view text, const ColumnPlace& place, std::string_view key) {
  if (!values::is_utf8(text)) place.refuse(key, fmt::format("must be UTF-8; got '{}'", excerpt(text)));
}

void check_level(const std::string& level, bool is_numeric, const ColumnPlace& place, std::size_t i) {
  const auto refuse = [&](std::string_view demand) {
    place.refuse(fmt::format("levels[{}]", i), fmt::format("{}; got '{}'", demand, excerpt(level)));
  };
  if (!values::is_utf8(level)) refuse("must be UTF-8");
  if (!is_numeric) return;
  const double number = values::read_number(level).value;
  if (!std::isfinite(number)) refuse("must be a finite number, as the levels are numeric");
  if (shortest_text(number) != level)
    refuse(fmt::format("must be the shortest form of its number, {}", shortest_text(number)));
}

void check_levels(const ColumnSchema& column, const ColumnPlace& place) {
  if (column.numeric_levels && column.levels.empty()) place.refuse("levels", "must be given if they are numeric");
  if (column.levels.size() > std::numeric_limits<std::uint32_t>::max())
    place.refuse("levels", fmt::format("must be fewer than 2^32; got {}", column.levels.size()));
  const auto level = [&](std::size_t i) -> const std::string& { return column.levels[i]; };
  const auto repeat = values::first_repeat(column.levels.size(), level);
  for (std::size_t i = 0; i < column.levels.size(); ++i) {
    check_level(column.levels[i], column.numeric_levels, place, i);
    if (i == repeat)
      place.refuse(fmt::format("levels[{}]", i),
                   fmt::format("levels must differ; got '{}' twice", excerpt(column.levels[i])));
  }
}

/// The names of a hierarchy by number, and the parent of each.
class Tree {
 public:
  using Node = std::size_t;
  static constexpr Node none = std::numeric_limits<Node>::max();

  Tree(const ColumnPlace& place, std::size_t n_children) : place_(place) {
    names_.reserve(n_children + 1);
    parents_.reserve(n_children + 1);
  }

  void add(std::string_view child, std::string_view parent) {
    if (child == parent) refuse(fmt::format("a level or branch must not be its own parent; got '{}'", excerpt(child)));
    const Node below = node_of(child);
    if (parents_[below] != none)
      refuse(fmt::format("a level or branch must have one parent; '{}' has '{}' and '{}'", excerpt(child),
                         excerpt(names_[parents_[below]]), excerpt(parent)));
    const Node above = node_of(parent);
    parents_[below] = above;
    is_parent_[above] = true;
  }

  /// Each walk upwards ends at a root or at a node seen by an earlier walk. A walk that meets itself has found a cycle.
  void check_cycles() const {
    constexpr Node unseen = none;
    std::vector<Node> seen_by(names_.size(), unseen);
    for (Node first = 0; first < names_.size(); ++first) {
      Node node = first;
      for (; node != none && seen_by[node] == unseen; node = parents_[node]) seen_by[node] = first;
      if (node != none && seen_by[node] == first) refuse_cycle(node);
    }
  }

  /// The levels must be exactly the leaves of the hierarchy.
  void check_levels(const std::vector<std::string>& levels) const {
    std::vector<bool> is_level(names_.size());
    for (const std::string& level : levels) {
      const auto found = nodes_.find(level);
      if (found == nodes_.end())
        refuse(fmt::format("every level must have a parent; '{}' has none. Add it, or remove it from the levels",
                           excerpt(level)));
      if (is_parent_[found->second])
        refuse(fmt::format("only the lowest levels may be listed; '{}' is a level and the parent of another",
                           excerpt(level)));
      is_level[found->second] = true;
    }
    for (Node node = 0; node < names_.size(); ++node)
      if (!is_level[node] && !is_parent_[node])
        refuse(fmt::format("a name without children must be one of the levels; got '{}'. Add it to the levels",
                           excerpt(names_[node])));
  }

 private:
  Node node_of(std::string_view name) {
    const auto [found, is_new] = nodes_.try_emplace(name, names_.size());
    if (is_new) {
      if (!values::is_utf8(name)) refuse(fmt::format("must be UTF-8; got '{}'", excerpt(name)));
      names_.push_back(name);
      parents_.push_back(none);
      is_parent_.push_back(false);
    }
    return found->second;
  }

  [[noreturn]] void refuse_cycle(Node first) const {
    constexpr int most_shown = 6;
    std::string cycle = fmt::format("'{}'", excerpt(names_[first]));
    Node node = parents_[first];
    for (int n_shown = 1; node != first && n_shown < most_shown; ++n_shown, node = parents_[node])
      cycle += fmt::format(" -> '{}'", excerpt(names_[node]));
    if (node != first) cycle += " -> ...";
    refuse(fmt::format("must not form a cycle; got {} -> '{}'", cycle, excerpt(names_[first])));
  }

  [[noreturn]] void refuse(std::string_view complaint) const { place_.refuse("parents", complaint); }

  const ColumnPlace& place_;
  std::unordered_map<std::string_view, Node> nodes_;
  std::vector<std::string_view> names_;
  std::vector<Node> parents_;
  std::vector<bool> is_parent_;
};

void check_parents(const ColumnSchema& column, const ColumnPlace& place) {
  if (column.parents.empty()) return;
  Tree tree(place, column.parents.size());
  for (const auto& [child, parent] : column.parents) tree.add(child, parent);
  tree.check_cycles();
  if (!column.levels.empty()) tree.check_levels(column.levels);
}

void check_range(const ColumnSchema& column, const ColumnPlace& place) {
  if (!column.range) return;
  const double low = column.range->first;
  const double high = column.range->second;
  const auto refuse = [&](std::string_view demand) {
    place.refuse("range", fmt::format("{}; got [{}, {}]", demand, shortest_text(low), shortest_text(high)));
  };
  const auto is_whole = [](double x) { return std::trunc(x) == x && std::abs(x) <= largest_whole; };
  if (!std::isfinite(low) || !std::isfinite(high) || low >= high)
    refuse("must be [low, high], two finite numbers with low < high");
  if (!std::isfinite(high - low)) refuse("high - low must be at most 1.8e308");
  if (column.kind == Kind::ordinal && !(is_whole(low) && is_whole(high)))
    refuse("must be two whole numbers of at most 9007199254740992 in magnitude");
}

void check_period(const ColumnSchema& column, const ColumnPlace& place) {
  const auto check_above_0 = [&](std::string_view key, double number) {
    if (!(number > 0 && std::isfinite(number)))
      place.refuse(key, fmt::format("must be a finite number above 0; got {}", shortest_text(number)));
  };
  check_above_0("period", column.period);
  if (column.step == 0) return;
  check_above_0("step", column.step);
  constexpr double rounding = 1e-9;
  const double n_steps = column.period / column.step;
  const double nearest = std::round(n_steps);
  if (!(nearest >= 2 && nearest <= largest_whole && std::abs(n_steps - nearest) <= rounding * nearest))
    place.refuse("step", fmt::format("the period must be a whole number of steps, 2 or more; {} is {} steps of {}",
                                     shortest_text(column.period), shortest_text(n_steps), shortest_text(column.step)));
}

void check_ordinal(const ColumnSchema& column, const ColumnPlace& place) {
  if (!column.levels.empty() && column.range)
    place.refuse("range", "an ordinal column may have levels or a range; got both");
}

void check_cyclic(const ColumnSchema& column, const ColumnPlace& place) {
  if (column.levels.empty() && column.period == 0)
    place.refuse("", "a cyclic column must have a period or levels; got neither");
  if (column.levels.empty()) return check_period(column, place);
  if (column.levels.size() == 1) place.refuse("levels", "a circle must have 2 levels or more; got 1");
  if (column.period != 0) place.refuse("period", "a cyclic column may have levels or a period; got both");
  if (column.step != 0) place.refuse("step", "must come with a period; got levels");
  if (!column.unit.empty()) place.refuse("unit", "must come with a period; got levels");
}

void check_time(const ColumnSchema& column, const ColumnPlace& place) {
  if (!column.unit.empty())
    place.refuse("unit", fmt::format("must be an epoch unit for a time column; got '{}'", excerpt(column.unit)));
  std::vector<bool> seen(schema::derivation_names.size());
  for (std::size_t i = 0; i < column.derive.size(); ++i) {
    const auto derivation = static_cast<std::size_t>(column.derive[i]);
    if (seen[derivation])
      place.refuse(fmt::format("derive[{}]", i),
                   fmt::format("derivations must differ; got '{}' twice", schema::derivation_names[derivation]));
    seen[derivation] = true;
  }
}

void check_kind(const ColumnSchema& column, const ColumnPlace& place) {
  if (column.kind == Kind::ordinal) check_ordinal(column, place);
  if (column.kind == Kind::cyclic) check_cyclic(column, place);
  if (column.kind == Kind::time) check_time(column, place);
  if (column.kind != Kind::time && column.epoch_unit != EpochUnit::none)
    place.refuse("unit",
                 fmt::format("an epoch unit must belong to a column of kind time; got {}", name_of(column.kind)));
}

void check_keys(const ColumnSchema& column, const ColumnPlace& place) {
  for (const schema::SchemaKey& key : schema::schema_keys())
    if (key.is_given(column) && !key.is_allowed(column.kind)) place.refuse_key(key.name, column.kind);
}

void check_missing_share(const ColumnSchema& column, const ColumnPlace& place) {
  if (column.missing_share && !(*column.missing_share > 0 && *column.missing_share < 1))
    place.refuse("missing_share",
                 fmt::format("must be a number above 0 and below 1; got {}", shortest_text(*column.missing_share)));
}

void check_column(const ColumnSchema& column, const ColumnPlace& place) {
  if (column.name.empty()) place.refuse("name", "must be a non-empty string; got ''");
  check_text(column.name, place, "name");
  check_text(column.zone, place, "zone");
  check_text(column.unit, place, "unit");
  check_text(column.note, place, "note");
  check_text(column.written, place, "written");
  check_text(column.rise_of, place, "rise_of");
  for (const std::string& view : column.views) check_text(view, place, "views");
  if (!column.written.empty() && !values::NumberForm::parse(column.written))
    place.refuse("written", fmt::format("must be 1234.5 as the column would write it, such as $1,234.5; got '{}'",
                                        excerpt(column.written)));
  check_keys(column, place);
  check_levels(column, place);
  check_parents(column, place);
  check_range(column, place);
  check_missing_share(column, place);
  check_kind(column, place);
}

}  // namespace

namespace {

void validate_windows(const WindowRecipe& windows) {
  schema::validate(windows);
  for (std::size_t i = 0; i < windows.metrics.size(); ++i)
    check_column(windows.metrics[i], {i, windows.metrics[i].name, "windows.metrics"});
  if (!windows.time.name.empty()) check_column(windows.time, {0, windows.time.name, "windows.time"});
}

}  // namespace

void validate(const Schema& schema) {
  if (schema.columns.empty()) throw InvalidInput("schema: columns: must contain at least one column; got none.");
  std::unordered_map<std::string_view, std::size_t> index_of;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const ColumnSchema& column = schema.columns[i];
    const ColumnPlace place{i, column.name};
    check_column(column, place);
    const auto [found, is_new] = index_of.try_emplace(column.name, i);
    if (!is_new) place.refuse("name", fmt::format("column names must differ; columns[{}] has it too", found->second));
  }
  schema::validate(schema.format);
  if (schema.windows) validate_windows(*schema.windows);
}

}  // namespace pidforest
