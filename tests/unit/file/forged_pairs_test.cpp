// SPDX-License-Identifier: Apache-2.0
// Files whose rare pairs cannot be true are refused.
#include <gtest/gtest.h>

#include <limits>

#include "forged_file.h"
#include "random_table.h"
#include "unit/file/refusal.h"

namespace pidforest {
namespace {

/// Two categories that agree and a number beside them.
const Model& model_with_pairs() {
  static const Model model = [] {
    OwnedTable owned = random_table({ColumnSort::category, ColumnSort::category, ColumnSort::normal}, 3000, 3);
    for (std::size_t row = 0; row < owned.n_rows(); ++row) {
      owned.at(row, 0) = static_cast<double>(row % 4);
      owned.at(row, 1) = row % 997 == 0 ? 3 : static_cast<double>(row % 4);
    }
    return owned.fit({.n_estimators = 9, .contamination = Options::none, .reasons = false});
  }();
  return model;
}
ForgedFile file_with_pairs() { return ForgedFile(model_with_pairs().to_bytes()); }

template <class T>
void expect_refused(std::string_view section, std::size_t i, T number, std::string_view words) {
  ForgedFile file = file_with_pairs();
  file.set_at(section, i, number);
  const std::string refusal = refusal_of(file.bytes());
  EXPECT_NE(refusal.find(words), std::string::npos) << section << ": " << refusal;
}

TEST(ForgedPairs, the_genuine_file_loads) {
  EXPECT_EQ(refusal_of(file_with_pairs().bytes()), "no error");
  EXPECT_GE(file_with_pairs().numbers<double>("pair.bits").size(), 8U);
}

TEST(ForgedPairs, axes_groups_and_counts_must_make_sense) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused<std::uint32_t>("pair.second", 1, 7, "rare pair 1 must join two of 3 axes; got 7");
  expect_refused<std::uint32_t>("pair.second", 0, 0, "rare pair 0 must have the lower axis first");
  expect_refused<double>("pair.high1", 0, -1, "rare pair 0 must have groups with their ends in order");
  expect_refused<double>("pair.high1", 0, nan, "rare pair 0 must have groups with their ends in order");
  expect_refused<double>("pair.high2", 0, 100, "rare pair 0 must have one known level of a category");
  expect_refused<std::uint64_t>("pair.rows", 2, 3001, "rare pair 2 must not have more rows than the model");
  expect_refused<double>("pair.expected", 0, 0, "rare pair 0 must have a number of rows to expect");
  expect_refused<double>("pair.bits", 0, 0, "rare pair 0 must have bits");
  expect_refused<double>("pair.bits", 1, 1000, "rare pair 1 must have no more bits than the one before it");
}

TEST(ForgedPairs, arrays_must_have_one_length) {
  ForgedFile file = file_with_pairs();
  file.set<double>("pair.bits", {3});
  EXPECT_NE(refusal_of(file.bytes()).find("arrays of rare pairs"), std::string::npos) << refusal_of(file.bytes());
  file = file_with_pairs();
  file.set<std::uint64_t>("pair.fitted", {3000, 3000});
  EXPECT_NE(refusal_of(file.bytes()).find("arrays of rare pairs"), std::string::npos) << refusal_of(file.bytes());
}

TEST(ForgedPairs, a_model_without_the_option_has_no_pairs) {
  ForgedFile file = file_with_pairs();
  std::string options = file.text("options");
  constexpr std::string_view on = R"("rare_pairs": "on")";
  const std::size_t at = options.find(on);
  ASSERT_NE(at, std::string::npos) << options;
  file.set_text("options", options.replace(at, on.size(), R"("rare_pairs": "off")"));
  EXPECT_NE(refusal_of(file.bytes()).find("rare pairs"), std::string::npos) << refusal_of(file.bytes());
}

}  // namespace
}  // namespace pidforest
