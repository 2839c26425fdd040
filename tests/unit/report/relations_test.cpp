// SPDX-License-Identifier: Apache-2.0
#include "report/relations.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pidforest::report {
namespace {

using Names = std::vector<std::string>;
using Pairs = std::vector<ReportData::Relation>;

TEST(Relations, of_no_pair_nothing_is_drawn) {
  const ReportData::Relations drawn = relations_of({});
  EXPECT_TRUE(drawn.names.empty());
  EXPECT_TRUE(drawn.pairs.empty());
  EXPECT_EQ(drawn.n_columns, 0U);
}

TEST(Relations, groups_stay_together_and_pairs_name_places) {
  const std::vector<RelatedColumns> related{{"a", "b", 0.5}, {"x", "y", 0.4}, {"c", "a", 0.3}, {"y", "z", 0.2}};
  const ReportData::Relations drawn = relations_of(related);
  EXPECT_EQ(drawn.names, (Names{"b", "a", "c", "x", "y", "z"}));
  EXPECT_EQ(drawn.pairs, (Pairs{{0, 1, 0.5}, {3, 4, 0.4}, {1, 2, 0.3}, {4, 5, 0.2}}));
  EXPECT_EQ(drawn.n_columns, 6U);
  EXPECT_EQ(drawn.n_pairs, 4U);
}

TEST(Relations, every_pair_between_drawn_columns_names_its_own_columns) {
  std::vector<RelatedColumns> related;
  for (int i = 0; i < 30; ++i)
    for (int j = i + 1; j < 30; j += 1 + i % 3)
      related.push_back(
          {"c" + std::to_string(i), "c" + std::to_string(j), 1.0 / (1 + static_cast<double>(related.size()))});
  const ReportData::Relations drawn = relations_of(related);
  ASSERT_EQ(drawn.pairs.size(), related.size());
  for (std::size_t i = 0; i < related.size(); ++i) {
    EXPECT_LT(drawn.pairs[i].first, drawn.pairs[i].second);
    const Names found{drawn.names[drawn.pairs[i].first], drawn.names[drawn.pairs[i].second]};
    EXPECT_TRUE(
        (found == Names{related[i].first, related[i].second} || found == Names{related[i].second, related[i].first}));
  }
}

TEST(Relations, of_many_columns_those_with_the_strongest_relations_are_drawn) {
  std::vector<RelatedColumns> related;
  for (int i = 0; i < 100; ++i) related.push_back({"a" + std::to_string(i), "b" + std::to_string(i), 1.0 / (1 + i)});
  const ReportData::Relations drawn = relations_of(related);
  EXPECT_EQ(drawn.names.size(), most_related);
  EXPECT_EQ(drawn.pairs.size(), most_related / 2);
  EXPECT_EQ(drawn.names.back(), "b29");
  EXPECT_EQ(drawn.n_columns, 200U);
  EXPECT_EQ(drawn.n_pairs, 100U);
}

TEST(Relations, long_names_are_cut_and_broken_ones_made_readable) {
  const std::vector<RelatedColumns> related{{std::string(1000, 'x'), "two\nlines", 0.5}};
  const ReportData::Relations drawn = relations_of(related);
  EXPECT_LT(drawn.names[0].size(), 60U);
  EXPECT_EQ(drawn.names[1].find('\n'), std::string::npos);
}

}  // namespace
}  // namespace pidforest::report
