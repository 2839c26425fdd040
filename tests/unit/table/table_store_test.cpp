// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "pidforest/error.h"
#include "pidforest/table.h"
#include "unit/table/column_table.h"
#include "unit/table/shown_rows.h"

namespace pidforest {
namespace {

ColumnTable random_values(std::size_t n_rows) {
  ColumnTable owned;
  owned.numbers("number", *rc::gen::container<Numbers>(n_rows, rc::gen::element(nan, 0.0, -1.5, 1e300)));
  owned.booleans("boolean", *rc::gen::container<Numbers>(n_rows, rc::gen::element(nan, 0.0, 1.0)));
  owned.times("time", *rc::gen::container<Times>(n_rows, rc::gen::element(Column::missing_time, Times::value_type{7})));
  owned.texts("text", *rc::gen::container<Texts>(
                          n_rows, rc::gen::element<std::optional<std::string>>(std::nullopt, "", "a", "long text")));
  return owned;
}

RC_GTEST_PROP(table_store, gives_back_what_was_appended_in_whatever_pieces, ()) {
  const auto n_rows = *rc::gen::inRange<std::size_t>(1, 60);
  const ColumnTable owned = random_values(n_rows);
  const Table values = owned.table();
  TableStore store(
      {.memory = *rc::gen::element<std::size_t>(0, 300, 1 << 20), .batch_rows = *rc::gen::inRange<std::size_t>(1, 30)});
  for (std::size_t begin = 0; begin < n_rows;) {
    const std::size_t end = std::min(n_rows, begin + *rc::gen::inRange<std::size_t>(1, 20));
    store.append(values.rows(begin, end));
    begin = end;
  }
  RC_ASSERT(store.n_rows() == n_rows);
  RC_ASSERT(shown(store) == shown(values));
  RC_ASSERT(shown(store) == shown(store));
}

TEST(table_store, a_column_of_missing_values_takes_the_type_of_what_comes) {
  TableStore store({.memory = 0, .batch_rows = 2});
  store.append(ColumnTable().numbers("x", {nan, nan, nan}).table());
  store.append(ColumnTable().texts("x", {"a"}).table());
  store.append(ColumnTable().numbers("x", {nan}).table());
  EXPECT_EQ(shown(store),
            (std::vector<std::string>{"0 x: no text", "1 x: no text", "2 x: no text", "3 x: 'a'", "4 x: no text"}));
  EXPECT_EQ(store.header().columns()[0].type, ColumnType::text);
}

TEST(table_store, a_batch_has_no_more_rows_than_fit_into_its_bytes) {
  const Numbers values(1000, 1.5);
  const Table row = Table::row_major(values, 1000);
  TableStore store({.memory = 100'000, .batch_bytes = 40'000});
  for (int i = 0; i < 100; ++i) store.append(row);
  std::vector<std::size_t> sizes;
  store.for_each([&](const Table& batch) { sizes.push_back(batch.n_rows()); });
  EXPECT_EQ(sizes, std::vector<std::size_t>(20, 5));
}

RC_GTEST_PROP(table_store, shows_the_parts_of_a_column_as_its_batches_do, ()) {
  const auto n_rows = *rc::gen::inRange<std::size_t>(1, 60);
  const ColumnTable owned = random_values(n_rows);
  TableStore store({.memory = *rc::gen::element<std::size_t>(0, 300, 1 << 20),
                    .batch_rows = *rc::gen::inRange<std::size_t>(1, 30),
                    .batch_bytes = *rc::gen::element<std::size_t>(1, 200, 1 << 20)});
  for (std::size_t row = 0; row < n_rows; ++row) store.append(owned.table().rows(row, row + 1));
  for (std::size_t j = 0; j < owned.table().n_columns(); ++j) {
    RC_ASSERT(shown_parts(store, j) == shown(Table(n_rows, {owned.table().columns()[j]})));
  }
}

TEST(table_store, further_columns_are_missing_in_the_rows_before) {
  for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 20}) {
    TableStore store({.memory = memory, .batch_rows = 2});
    store.append(ColumnTable().numbers("x", {1, 2, 3}).table());
    store.append(ColumnTable().numbers("x", {4}).table());
    store.append(ColumnTable().numbers("x", {5, 6}).texts("y", {"a", std::nullopt}).table());
    store.append(ColumnTable().numbers("x", {7}).texts("y", {"b"}).numbers("z", {8}).table());
    ColumnTable whole;
    whole.numbers("x", {1, 2, 3, 4, 5, 6, 7});
    whole.texts("y", {std::nullopt, std::nullopt, std::nullopt, std::nullopt, "a", std::nullopt, "b"});
    whole.numbers("z", {nan, nan, nan, nan, nan, nan, 8});
    EXPECT_EQ(shown(store), shown(whole.table()));
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(shown_parts(store, j), shown(Table(7, {whole.table().columns()[j]})));
    EXPECT_THROW(store.append(ColumnTable().numbers("x", {1}).table()), InvalidInput);
  }
}

TEST(table_store, other_columns_and_types_are_refused) {
  TableStore store;
  store.append(ColumnTable().numbers("x", {1}).table());
  EXPECT_THROW(store.append(ColumnTable().numbers("y", {1}).table()), InvalidInput);
  try {
    store.append(ColumnTable().texts("x", {"a"}).table());
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "column 'x' must contain numbers, as in the rows before; got text.");
  }
}

TEST(table_store, a_folder_that_is_none_is_an_error_when_it_is_needed) {
  TableStore store({.memory = 0, .folder = "/nowhere/at/all", .batch_rows = 1});
  EXPECT_THROW(store.append(ColumnTable().numbers("x", {1}).table()), FileError);
}

}  // namespace
}  // namespace pidforest
