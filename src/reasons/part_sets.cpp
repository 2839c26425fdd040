// SPDX-License-Identifier: Apache-2.0
#include "reasons/part_sets.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "geometry/sorted_numbers.h"

namespace pidforest::reasons {

using forest::CodeBook;
using geometry::AxisKind;
using geometry::Part;
using geometry::Stretch;

namespace {

/// The end of a stretch that no value reaches; the code 0 is reached by every value.
constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

/// The code of an end of a part's stretch. Nullopt if it is no cut.
std::optional<std::uint32_t> code_of(double end, const Part& part, const CodeBook::AxisCuts& axis) {
  const bool is_level = part.kind == AxisKind::category;
  if (is_level ? end <= 0 : end == -std::numeric_limits<double>::infinity()) return 0;
  if (is_level ? end >= unreached : end == std::numeric_limits<double>::infinity()) return unreached;
  const auto cuts = std::span(axis.cuts).first(axis.n_codes - 1);
  const std::size_t cut = geometry::n_below(cuts, end);
  if (cut == cuts.size() || cuts[cut] != end) return std::nullopt;
  return static_cast<std::uint32_t>(cut) + 1;
}

void put_in(BlockSet& set, std::size_t row) {
  set[row / forest::word_rows] |= forest::RowSet{1} << (row % forest::word_rows);
}

template <class Visit>
void for_each_row(const BlockSet& set, const Visit& visit) {
  for (std::size_t word = 0; word < forest::block_words; ++word)
    for (forest::RowSet left = set[word]; left != 0; left &= left - 1)
      visit(word * forest::word_rows + static_cast<std::size_t>(std::countr_zero(left)));
}

}  // namespace

PartSets::PartSets(const forest::Forest& forest, const CodeBook& book, std::span<const Part> parts)
    : forest_(forest), book_(book), parts_(parts), first_difference_{0} {
  // Places come first, codes instead of them until the cuts of an axis are known.
  std::vector<NeededCodes> needed(forest.root.size());
  std::vector<bool> is_loose(parts.size());
  for (std::size_t number = 0; number < parts.size(); ++number) {
    NeededCodes& of_axis = needed[parts[number].axis];
    if (of_axis.empty()) of_axis.resize(book.axis(parts[number].axis).n_codes);
    is_loose[number] = !add_codes(parts[number], of_axis);
    first_difference_.push_back(static_cast<std::uint32_t>(differences_.size()));
  }
  std::vector<std::size_t> place(forest.root.size());
  for (std::uint32_t axis = 0; axis < forest.root.size(); ++axis) {
    place[axis] = axes_.size();
    if (!needed[axis].empty()) place_axis(axis, needed[axis]);
  }
  for (std::uint32_t number = 0; number < parts.size(); ++number) {
    const std::uint32_t axis = parts[number].axis;
    place_part(axes_[place[axis]], needed[axis], number);
    if (is_loose[number]) add_loose(number);
  }
}

/// Appends the codes of all ends of a part as differences. False if an end is no cut; then it appends none.
bool PartSets::add_codes(const Part& part, NeededCodes& needed) {
  const std::size_t n_before = differences_.size();
  for (const Stretch& stretch : part.stretches()) {
    const auto low = code_of(stretch.low, part, book_.axis(part.axis));
    const auto high = code_of(stretch.high, part, book_.axis(part.axis));
    if (!low || !high) {
      differences_.resize(n_before);
      return false;
    }
    differences_.push_back({*low, *high});
    for (const std::uint32_t code : {*low, *high})
      if (code != unreached) needed[code] = 1;
  }
  if (part.is_missing) differences_.push_back({});
  return true;
}

/// Replaces the needed codes by their places among the cuts.
void PartSets::place_axis(std::uint32_t axis, NeededCodes& needed) {
  CodedAxis coded{.axis = axis, .first = n_sets_};
  for (std::uint32_t code = 1; code < needed.size(); ++code) {
    if (needed[code] == 0) continue;
    needed[code] = static_cast<std::uint32_t>(coded.cuts.size());
    coded.cuts.push_back(code);
  }
  if (!book_.axis(axis).is_category)
    for (const std::uint32_t code : coded.cuts)
      for (unsigned bit = 0; bit < book_.n_bits(); ++bit) coded.zero_bits.push_back((code >> bit & 1U) != 0 ? 0 : ~0U);
  n_sets_ += 2 + static_cast<std::uint32_t>(coded.cuts.size());
  axes_.push_back(std::move(coded));
}

/// Replaces the codes of a part's ends by places of sets.
void PartSets::place_part(const CodedAxis& axis, std::span<const std::uint32_t> place_of_code, std::uint32_t number) {
  const auto own = std::span(differences_)
                       .subspan(first_difference_[number], first_difference_[number + 1] - first_difference_[number]);
  if (parts_[number].is_missing) {
    own[0] = {.from = axis.first + 1};
    return;
  }
  const auto place_of = [&](std::uint32_t code) -> std::uint32_t {
    if (code == unreached) return 0;
    if (code == 0) return axis.first;
    return axis.first + 2 + place_of_code[code];
  };
  for (Difference& one : own) one = {place_of(one.from), place_of(one.without)};
}

void PartSets::add_loose(std::uint32_t number) {
  const Part& part = parts_[number];
  const geometry::Interval& root = forest_.root[part.axis];
  loose_.push_back({number, !root.has_levels() && (part.high <= root.low || part.low > root.high)});
}

void PartSets::find(const forest::RowBlock& block, const forest::Rows& rows, std::size_t begin,
                    std::vector<BlockSet>& sets, BlockSet* inside, std::size_t step) const {
  sets.resize(n_sets_);
  sets[0] = {};
  for (const CodedAxis& axis : axes_) {
    BlockSet& present = sets[axis.first];
    BlockSet& missing = sets[axis.first + 1];
    for (std::size_t word = 0; word < forest::block_words; ++word) {
      missing[word] = block.missing(axis.axis)[word] & block.rows()[word];
      present[word] = block.rows()[word] & ~missing[word];
    }
    const auto reach = std::span(sets).subspan(axis.first + 2, axis.cuts.size());
    if (book_.axis(axis.axis).is_category)
      find_levels(axis, block, reach);
    else
      find_reach(block.bits(axis.axis), axis.zero_bits, present, reach);
  }
  unite(differences_, first_difference_, sets, inside, step);
  for (const LoosePart& loose : loose_) find_loose(loose, block, rows, begin, inside[loose.part * step]);
}

void PartSets::find_levels(const CodedAxis& axis, const forest::RowBlock& block, std::span<BlockSet> reach) {
  std::ranges::fill(reach, BlockSet{});
  const auto codes = block.codes(axis.axis);
  for (std::size_t row = 0; row < block.n_rows(); ++row) {
    const auto after = std::ranges::upper_bound(axis.cuts, codes[row]);
    const bool is_missing = (block.missing(axis.axis)[row / forest::word_rows] >> (row % forest::word_rows) & 1U) != 0;
    if (after != axis.cuts.begin() && !is_missing)
      put_in(reach[static_cast<std::size_t>(after - axis.cuts.begin()) - 1], row);
  }
  for (std::size_t i = reach.size(); i > 1; --i)
    for (std::size_t word = 0; word < forest::block_words; ++word) reach[i - 2][word] |= reach[i - 1][word];
}

void PartSets::find_loose(const LoosePart& loose, const forest::RowBlock& block, const forest::Rows& rows,
                          std::size_t begin, BlockSet& inside) const {
  const Part& part = parts_[loose.part];
  for_each_row(loose.is_outside ? block.outside() : block.rows(), [&](std::size_t row) {
    if (part.holds(rows.columns[part.axis][begin + row])) put_in(inside, row);
  });
}

}  // namespace pidforest::reasons
