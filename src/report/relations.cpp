// SPDX-License-Identifier: Apache-2.0
#include "report/relations.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "values/excerpt.h"

namespace pidforest::report {

namespace {

using Group = std::vector<std::size_t>;

/// The columns by number, in the order in which relations name them first.
class Numbering {
 public:
  explicit Numbering(std::span<const RelatedColumns> related) {
    for (const RelatedColumns& one : related)
      for (const std::string_view name : {std::string_view(one.first), std::string_view(one.second)})
        if (numbers_.try_emplace(name, names_.size()).second) names_.push_back(name);
  }

  [[nodiscard]] std::size_t number_of(std::string_view name) const { return numbers_.at(name); }
  [[nodiscard]] const std::vector<std::string_view>& names() const { return names_; }

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<std::string_view> names_;
};

/// Appends a group to another. The column `of_first` of the one and `of_second` of the other come as near to each other
/// as turning the groups allows.
void join(Group& first, std::size_t of_first, Group& second, std::size_t of_second) {
  if (first.front() == of_first) std::ranges::reverse(first);
  if (second.back() == of_second) std::ranges::reverse(second);
  first.insert(first.end(), second.begin(), second.end());
  second.clear();
}

/// The numbers of `n` columns, with the groups that relations join side by side.
Group ordered(std::size_t n, std::span<const ReportData::Relation> relations) {
  std::vector<Group> groups(n);
  std::vector<std::size_t> group_of(n);
  for (std::size_t i = 0; i < n; ++i) groups[group_of[i] = i] = {i};
  for (const ReportData::Relation& one : relations) {
    auto [kept, joined] = std::pair(one.first, one.second);
    if (group_of[kept] > group_of[joined]) std::swap(kept, joined);
    Group& first = groups[group_of[kept]];
    Group& second = groups[group_of[joined]];
    if (&first == &second) continue;
    for (const std::size_t column : second) group_of[column] = group_of[kept];
    join(first, kept, second, joined);
  }
  Group order;
  for (const Group& group : groups) order.insert(order.end(), group.begin(), group.end());
  return order;
}

}  // namespace

ReportData::Relations relations_of(std::span<const RelatedColumns> related) {
  const Numbering columns(related);
  ReportData::Relations drawn{.n_columns = columns.names().size(), .n_pairs = related.size()};
  const std::size_t n = std::min(most_related, drawn.n_columns);
  for (const RelatedColumns& one : related) {
    const std::size_t first = columns.number_of(one.first);
    const std::size_t second = columns.number_of(one.second);
    if (first < n && second < n) drawn.pairs.push_back({first, second, one.information});
  }
  const Group order = ordered(n, drawn.pairs);
  std::vector<std::size_t> places(n);
  for (std::size_t place = 0; place < n; ++place) {
    places[order[place]] = place;
    drawn.names.push_back(values::excerpt(columns.names()[order[place]]));
  }
  for (ReportData::Relation& one : drawn.pairs)
    std::tie(one.first, one.second) = std::minmax({places[one.first], places[one.second]});
  return drawn;
}

}  // namespace pidforest::report
