// SPDX-License-Identifier: Apache-2.0
// Files whose reasons cannot be true are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "unit/file/refusal.h"
#include "unit/file/true_model.h"

namespace pidforest {
namespace {

/// A genuine model with reasons.
const Model& model_with_reasons() {
  static const Model model = [] {
    OwnedTable owned = random_table(
        {ColumnSort::sometimes_missing, ColumnSort::category, ColumnSort::cyclic, ColumnSort::even, ColumnSort::even},
        1500, 3);
    for (std::size_t row = 0; row < owned.n_rows(); ++row)  // the last two columns are never high together
      if (owned.at(row, 3) + owned.at(row, 4) > 1) owned.at(row, 4) = 0;
    return owned.fit({.n_estimators = 20, .contamination = 0.05});
  }();
  return model;
}
ForgedFile file_with_reasons() { return ForgedFile(model_with_reasons().to_bytes()); }

template <class T>
ForgedFile with_reason(std::string_view section, std::size_t i, T number) {
  ForgedFile file = file_with_reasons();
  file.set_at(section, i, number);
  return file;
}

TEST(ForgedReasons, are_there_if_and_only_if_the_options_say_so) {
  EXPECT_EQ(model_with_reasons().to_bytes()[10], 5);  // the minor version
  EXPECT_EQ(refusal_of(file_with_reasons().bytes()), "no error");
  const auto with_option = [](ForgedFile file, std::string_view before, std::string_view after) {
    std::string options = file.text("options");
    options.replace(options.find(before), before.size(), after);
    file.set_text("options", options);
    return file;
  };
  expect_refused(with_option(true_file(), R"("seed")", R"("reasons": "on", "seed")"), "if and only if");
  expect_refused(with_option(file_with_reasons(), R"("reasons": "on")", R"("reasons": "off")"), "if and only if");
}

TEST(ForgedReasons, must_have_arrays_of_fitting_lengths) {
  for (const std::string& name : file_with_reasons().names()) {
    const std::string_view group = std::string_view(name).substr(0, 5);
    if (group != "part." && group != "level" && group != "cube." && group != "leaf." && group != "line." &&
        group != "near.")
      continue;
    ForgedFile file = file_with_reasons();
    file.set_text(name, file.text(name) + std::string(8, '\0'));
    EXPECT_NE(refusal_of(file.bytes()), "no error") << name;
    if (file_with_reasons().text(name).empty()) continue;
    file.set_text(name, "");
    EXPECT_NE(refusal_of(file.bytes()), "no error") << name;
  }
}

TEST(ForgedReasons, parts_must_be_of_their_axes_and_in_order) {
  const std::size_t n = file_with_reasons().numbers<std::uint32_t>("part.axis").size();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_NE(refusal_of(with_reason("part.axis", i, std::uint32_t{5}).bytes()), "no error") << i;
    ASSERT_NE(refusal_of(with_reason("part.kind", i, std::uint8_t{77}).bytes()), "no error") << i;
    ASSERT_NE(refusal_of(with_reason("part.low", i, std::nan("")).bytes()), "no error") << i;
    ASSERT_NE(refusal_of(with_reason("part.high", i, std::nan("")).bytes()), "no error") << i;
    ASSERT_NE(refusal_of(with_reason("part.n_levels", i, std::numeric_limits<std::uint32_t>::max()).bytes()),
              "no error")
        << i;
  }
  expect_refused(with_reason("level.end", 0, std::uint32_t{0}), "must hold values");
}

TEST(ForgedReasons, cubes_must_have_their_subsets_and_no_more_rows_than_they) {
  const std::size_t n = file_with_reasons().numbers<std::uint64_t>("cube.count").size();
  ASSERT_GT(n, 3U);
  expect_refused(with_reason("cube.count", 0, std::uint64_t{0}), "must be the root cube");
  expect_refused(with_reason("cube.count", 1, std::uint64_t{1501}), "must have at most the 1500 rows");
  expect_refused(with_reason("cube.parent", 1, std::uint32_t{1}), "its parent must come before it");
  expect_refused(with_reason("cube.part", 1, std::numeric_limits<std::uint32_t>::max()), "must be one of the parts");
  const auto part = file_with_reasons().numbers<std::uint32_t>("cube.part");
  expect_refused(with_reason("cube.part", 2, part[1]), "must not be there twice");
  const auto parent = file_with_reasons().numbers<std::uint32_t>("cube.parent");
  const auto pair = static_cast<std::size_t>(
      std::ranges::find_if(parent, [](std::uint32_t cube) { return cube != 0; }) - parent.begin());
  ASSERT_LT(pair, n);
  ForgedFile alone = with_reason("cube.parent", pair, std::uint32_t{0});
  EXPECT_NE(refusal_of(alone.bytes()), "no error");
}

TEST(ForgedReasons, leaves_and_values_must_have_cubes) {
  const auto n = static_cast<std::uint32_t>(file_with_reasons().numbers<std::uint64_t>("cube.count").size());
  expect_refused(with_reason("leaf.cube", 0, n), "each of its leaves must have one of the cubes");
  expect_refused(with_reason("line.cube", 0, n), "must have cubes of the axis alone");
  const auto part_of_cube = file_with_reasons().numbers<std::uint32_t>("cube.part");
  const auto axis_of_part = file_with_reasons().numbers<std::uint32_t>("part.axis");
  for (std::uint32_t cube = 1; cube < n; ++cube)
    if (axis_of_part[part_of_cube[cube]] != 0)
      expect_refused(with_reason("line.cube", 0, cube), "must have cubes of the axis alone");
  for (const double bad : {std::numeric_limits<double>::infinity(), std::nan("")})
    expect_refused(with_reason("line.border", 0, bad), "its borders must increase");
}

}  // namespace
}  // namespace pidforest
