// SPDX-License-Identifier: Apache-2.0
#include "file/pair_sections.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pidforest/error.h"

namespace pidforest::file {

using geometry::Interval;
using pairs::Group;
using pairs::RarePair;

namespace {

[[noreturn]] void refuse(std::size_t i, std::string_view demand) {
  throw BadFile(fmt::format("rare pair {} {}.", i, demand));
}

/// A group of levels is one known level.
void check_group(std::size_t i, const Group& group, std::span<const Interval> root) {
  if (group.axis >= root.size()) refuse(i, fmt::format("must join two of {} axes; got {}", root.size(), group.axis));
  if (!(group.low < group.high)) refuse(i, "must have groups with their ends in order");
  const Interval& interval = root[group.axis];
  const bool is_level = group.low == std::floor(group.low) && group.high == group.low + 1 && group.low >= 0 &&
                        group.high <= interval.high;
  if (interval.has_levels() && !is_level) refuse(i, "must have one known level of a category");
}

void check_pair(std::size_t i, const RarePair& pair, std::uint64_t n_rows, std::span<const Interval> root) {
  check_group(i, pair.first, root);
  check_group(i, pair.second, root);
  if (pair.first.axis >= pair.second.axis) refuse(i, "must have the lower axis first");
  if (pair.n_rows > n_rows) refuse(i, "must not have more rows than the model");
  if (!(pair.n_unrelated > 0 && std::isfinite(pair.n_unrelated))) refuse(i, "must have a number of rows to expect");
  if (!(pair.bits > 0 && std::isfinite(pair.bits))) refuse(i, "must have bits");
}

}  // namespace

void add_pairs(SectionWriter& file, const pairs::RarePairs& pairs) {
  if (pairs.empty()) return;
  const std::vector<RarePair>& all = pairs.all();
  file.add_array("pair.fitted", std::vector<std::uint64_t>{pairs.n_rows()}, [](std::uint64_t n) { return n; });
  file.add_array("pair.first", all, [](const RarePair& pair) { return pair.first.axis; });
  file.add_array("pair.low1", all, [](const RarePair& pair) { return pair.first.low; });
  file.add_array("pair.high1", all, [](const RarePair& pair) { return pair.first.high; });
  file.add_array("pair.second", all, [](const RarePair& pair) { return pair.second.axis; });
  file.add_array("pair.low2", all, [](const RarePair& pair) { return pair.second.low; });
  file.add_array("pair.high2", all, [](const RarePair& pair) { return pair.second.high; });
  file.add_array("pair.rows", all, [](const RarePair& pair) { return pair.n_rows; });
  file.add_array("pair.expected", all, [](const RarePair& pair) { return pair.n_unrelated; });
  file.add_array("pair.bits", all, [](const RarePair& pair) { return pair.bits; });
}

pairs::RarePairs read_pairs(SectionReader& file, std::span<const Interval> root) {
  if (!file.has("pair.fitted")) return {};
  const auto fitted = file.take_array<std::uint64_t>("pair.fitted");
  const auto first = file.take_array<std::uint32_t>("pair.first");
  const auto low1 = file.take_array<double>("pair.low1");
  const auto high1 = file.take_array<double>("pair.high1");
  const auto second = file.take_array<std::uint32_t>("pair.second");
  const auto low2 = file.take_array<double>("pair.low2");
  const auto high2 = file.take_array<double>("pair.high2");
  const auto n_rows = file.take_array<std::uint64_t>("pair.rows");
  const auto n_unrelated = file.take_array<double>("pair.expected");
  const auto bits = file.take_array<double>("pair.bits");
  for (const std::size_t size : {low1.size(), high1.size(), second.size(), low2.size(), high2.size(), n_rows.size(),
                                 n_unrelated.size(), bits.size()})
    if (size != first.size() || size == 0 || fitted.size() != 1)
      throw BadFile("its arrays of rare pairs have wrong lengths.");
  std::vector<RarePair> pairs;
  for (std::size_t i = 0; i < first.size(); ++i) {
    pairs.push_back({.first = {first[i], low1[i], high1[i]},
                     .second = {second[i], low2[i], high2[i]},
                     .n_rows = n_rows[i],
                     .n_unrelated = n_unrelated[i],
                     .bits = bits[i]});
    check_pair(i, pairs.back(), fitted[0], root);
    if (i > 0 && pairs[i].bits > pairs[i - 1].bits) refuse(i, "must have no more bits than the one before it");
  }
  return {std::move(pairs), fitted[0]};
}

}  // namespace pidforest::file
