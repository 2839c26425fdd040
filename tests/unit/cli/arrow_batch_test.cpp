// SPDX-License-Identifier: Apache-2.0
#include "in/arrow_batch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pidforest/table.h"

namespace pidforest::cli {
namespace {

ArrayTable read_back(ArrowBatch& batch) {
  ArrowOwned<ArrowSchema> schema = batch.schema();
  ArrowOwned<ArrowArray> array = batch.array();
  return ArrayTable::from_arrow(schema.get(), array.get());
}

TEST(ArrowBatch, is_read_back_with_its_values_and_nulls) {
  ArrowBatch batch(3);
  batch.add_integers("row", {1, std::nullopt, -3});
  batch.add_numbers("score", {0.5, 2.25, std::nullopt});
  batch.add_booleans("is_anomaly", {true, false, std::nullopt});
  batch.add_texts("reason", {std::nullopt, "", "a \"reason\""});
  const ArrayTable table = read_back(batch);
  std::size_t n_visits = 0;
  table.for_each([&](const Table& rows) {
    ++n_visits;
    ASSERT_EQ(rows.n_rows(), 3);
    const std::vector<Column>& columns = rows.columns();
    EXPECT_EQ(columns[0].name, "row");
    EXPECT_EQ(columns[0].number(2), -3);
    EXPECT_TRUE(std::isnan(columns[0].number(1)));
    EXPECT_EQ(columns[1].number(1), 2.25);
    EXPECT_EQ(columns[2].type, ColumnType::boolean);
    EXPECT_EQ(columns[2].number(0), 1);
    EXPECT_TRUE(std::isnan(columns[2].number(2)));
    EXPECT_EQ(columns[3].text(0).data(), nullptr);
    EXPECT_NE(columns[3].text(1).data(), nullptr);
    EXPECT_EQ(columns[3].text(2), "a \"reason\"");
  });
  EXPECT_EQ(n_visits, 1);
}

TEST(ArrowBatch, may_have_more_rows_than_bits_in_a_byte_and_may_have_none) {
  std::vector<std::optional<bool>> flags(1000);
  for (std::size_t i = 0; i < flags.size(); i += 3) flags[i] = i % 2 == 0;
  ArrowBatch batch(flags.size());
  batch.add_booleans("flag", flags);
  read_back(batch).for_each([&](const Table& rows) {
    for (std::size_t i = 0; i < flags.size(); ++i) {
      const double value = rows.columns()[0].number(i);
      EXPECT_EQ(flags[i] ? std::optional(value != 0) : std::nullopt,
                std::isnan(value) ? std::nullopt : std::optional(value != 0));
    }
  });
  ArrowBatch empty(0);
  empty.add_texts("x", {});
  EXPECT_EQ(read_back(empty).n_rows(), 0);
}

TEST(ArrowBatch, that_is_never_taken_is_freed) {
  ArrowBatch batch(1);
  batch.add_texts("x", {"a text that is too long for the string itself"});
}

}  // namespace
}  // namespace pidforest::cli
