// SPDX-License-Identifier: Apache-2.0
// Law 8 for tables of arrays: the memory layout of the values, and the pieces they come in, change no bit of a model.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "made_arrow.h"
#include "pidforest/arrow.h"
#include "pidforest/table.h"
#include "random_table.h"

namespace pidforest {
namespace {

/// Returns the lengths of pieces that add up to `n_rows`; one of them is empty.
std::vector<std::size_t> any_cuts(std::size_t n_rows) {
  const std::size_t longest = *rc::gen::inRange<std::size_t>(1, n_rows + 1);
  std::vector<std::size_t> lengths;
  for (std::size_t left = n_rows; left > 0; left -= lengths.back())
    lengths.push_back(*rc::gen::inRange<std::size_t>(1, std::min(left, longest) + 1));
  lengths.insert(lengths.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(lengths) + 1), 0);
  return lengths;
}

bool are_small_integers(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double x) {
    return std::isnan(x) || (std::floor(x) == x && std::abs(x) < 30'000 && !std::signbit(x));
  });
}

Optionals<double> present(const std::vector<double>& values) {
  Optionals<double> optionals;
  for (const double x : values) optionals.push_back(std::isnan(x) ? std::nullopt : std::optional(x));
  return optionals;
}

template <class Value>
Optionals<Value> cast(const std::vector<double>& values) {
  Optionals<Value> optionals;
  for (const double x : values)
    optionals.push_back(std::isnan(x) ? std::nullopt : std::optional(static_cast<Value>(x)));
  return optionals;
}

/// Encodes values as codes of the distinct values, in any order.
template <class Value>
MadeArray coded(const Optionals<Value>& values, const auto& made_levels) {
  Optionals<Value> levels;
  Optionals<std::int16_t> codes;
  for (const auto& value : values) {
    const auto found = std::ranges::find(levels, value);
    codes.push_back(value ? std::optional(static_cast<std::int16_t>(found - levels.begin())) : std::nullopt);
    if (value && found == levels.end()) levels.push_back(value);
  }
  return with_levels(made_numbers<std::int16_t>("s", codes, -7), made_levels(levels));
}

/// Makes a column in one of the layouts that Arrow has; `way` is the number of the layout.
MadeArray made_column(const std::vector<double>& values, bool are_small, int way) {
  switch (way) {
    case 0:
      return made_numbers<double>("g", Optionals<double>(values.begin(), values.end()));
    case 1:
      return made_numbers<double>("g", present(values), 1e300);
    case 2:
      return coded(present(values), [](const auto& levels) { return made_numbers<double>("g", levels); });
    case 3:
      return are_small ? made_numbers<std::int16_t>("s", cast<std::int16_t>(values), 99)
                       : made_numbers<double>("g", present(values));
    default:
      return are_small ? made_numbers<float>("f", cast<float>(values), 99.5F)
                       : made_numbers<double>("g", present(values));
  }
}

/// Like made_column, with other values around it, which an offset skips.
MadeArray within(std::vector<double> values, bool are_small, int way) {
  const auto n = static_cast<std::int64_t>(values.size());
  const auto n_before = *rc::gen::inRange<std::size_t>(0, 11);
  values.insert(values.begin(), n_before, 3);
  values.insert(values.end(), 2, 5);
  return made_column(values, are_small, way).sliced(static_cast<std::int64_t>(n_before), n);
}

std::vector<double> column_of(const OwnedTable& owned, std::size_t column) {
  std::vector<double> values;
  for (std::size_t i = column; i < owned.values.size(); i += owned.n_columns()) values.push_back(owned.values[i]);
  return values;
}

RC_GTEST_PROP(Law8, arrow_columns_in_any_layout_and_pieces_give_the_same_model, ()) {
  const OwnedTable owned = any_table();
  const Options options = any_options();
  Ledger ledger;
  {
    ArrayTable table(owned.n_rows());
    for (std::size_t j = 0; j < owned.n_columns(); ++j) {
      const std::vector<double> values = column_of(owned, j);
      const int way = *rc::gen::inRange(0, 5);
      const bool are_small = are_small_integers(values);
      MadeStream made{.schema = within({}, are_small, way)};
      auto next = values.begin();
      for (const std::size_t n : any_cuts(owned.n_rows())) {
        const auto end = next + static_cast<std::ptrdiff_t>(n);
        made.arrays.push_back(within({next, end}, are_small, way));
        next = end;
      }
      ArrowArrayStream stream = give_stream(std::move(made), ledger);
      table.add_arrow(fmt::format("x{}", j), &stream);
    }
    RC_ASSERT(Model::fit(table, owned.schema(), options).to_bytes() == owned.fit(options).to_bytes());
  }
  RC_ASSERT(ledger.n_given == ledger.n_released);
}

RC_GTEST_PROP(Law8, arrays_of_any_element_and_stride_give_the_same_model, ()) {
  const OwnedTable owned = any_table();
  const Options options = any_options();
  const auto row_size = static_cast<std::ptrdiff_t>(owned.n_columns() * sizeof(double));
  std::vector<std::vector<std::int16_t>> integers(owned.n_columns());
  std::vector<std::vector<std::uint8_t>> masks(owned.n_columns());
  ArrayTable table(owned.n_rows());
  for (std::size_t j = 0; j < owned.n_columns(); ++j) {
    const std::string name = fmt::format("x{}", j);
    const std::vector<double> values = column_of(owned, j);
    for (const double x : values) masks[j].push_back(std::isnan(x) ? 1 : 0);
    if (are_small_integers(values) && *rc::gen::arbitrary<bool>()) {
      for (const double x : values)
        integers[j].push_back(std::isnan(x) ? std::int16_t{-1} : static_cast<std::int16_t>(x));
      std::ranges::reverse(integers[j]);
      table.add_numbers(name, ElementType::int16,
                        {.first = &integers[j].back(), .stride = -2, .missing = masks[j].data()});
    } else {
      table.add_numbers(name, ElementType::float64, {.first = &owned.values[j], .stride = row_size});
    }
  }
  RC_ASSERT(Model::fit(table, owned.schema(), options).to_bytes() == owned.fit(options).to_bytes());
}

RC_GTEST_PROP(Law8, codes_of_texts_score_as_the_texts_do, ()) {
  const auto n_rows = *rc::gen::inRange<std::size_t>(2, 300);
  const auto draw = [&](const std::vector<std::string>& from) {
    Optionals<std::string> texts;
    for (std::size_t i = 0; i < n_rows; ++i)
      texts.push_back(*rc::gen::inRange(0, 9) == 0 ? std::nullopt : std::optional(*rc::gen::elementOf(from)));
    texts[0] = from[0];
    return texts;
  };
  const Optionals<std::string> fruits = draw({"pear", "apple", "an unseen fruit"});
  const Optionals<std::string> colours = draw({"red", "green"});
  const auto views = [](const Optionals<std::string>& texts) {
    std::vector<std::string_view> result;
    for (const auto& text : texts) result.push_back(text ? std::string_view(*text) : std::string_view());
    return result;
  };
  const auto fruit_views = views(fruits);
  const auto colour_views = views(colours);
  const Table plain(n_rows,
                    {Column::of_texts("fruit", fruit_views.data()), Column::of_texts("colour", colour_views.data())});
  Options options;
  options.n_estimators = 5;
  const Model expected = Model::fit(plain, options);

  const std::string format = *rc::gen::elementOf(std::vector<std::string>{"u", "U", "vu"});
  const auto made_levels = [&](const auto& levels) { return made_texts(format, levels); };
  MadeStream made;
  std::size_t begin = 0;
  for (const std::size_t n : any_cuts(n_rows)) {
    const auto piece = [&](const Optionals<std::string>& texts) {
      const auto first = texts.begin() + static_cast<std::ptrdiff_t>(begin);
      return Optionals<std::string>(first, first + static_cast<std::ptrdiff_t>(n));
    };
    made.arrays.push_back(made_batch(
        static_cast<std::int64_t>(n),
        {made_texts(format, piece(fruits)).named("fruit"), coded(piece(colours), made_levels).named("colour")}));
    begin += n;
  }
  made.schema = made.arrays.front();
  Ledger ledger;
  ArrowArrayStream stream = give_stream(made, ledger);
  const ArrayTable table = ArrayTable::from_arrow(&stream);
  RC_ASSERT(Model::fit(table, expected.schema(), options).to_bytes() ==
            Model::fit(plain, expected.schema(), options).to_bytes());
  const Model model = Model::fit(table, infer_schema(table, table.declared()), options);
  std::vector<double> scores;
  ArrowArrayStream again = give_stream(made, ledger);
  for_each_batch(&again, [&](const ArrayTable& batch) {
    batch.for_each([&](const Table& rows) {
      const std::vector<double> bits = model.score(rows);
      scores.insert(scores.end(), bits.begin(), bits.end());
    });
  });
  RC_ASSERT(scores == expected.score(plain));
}

RC_GTEST_PROP(Law8, rows_with_weights_give_the_model_of_rows_repeated, ()) {
  const OwnedTable owned = any_table();
  const Options options = any_options();
  auto weights = *rc::gen::container<std::vector<std::uint64_t>>(owned.n_rows(), rc::gen::inRange<std::uint64_t>(0, 5));
  weights[*rc::gen::inRange<std::size_t>(0, weights.size())] = 3;
  OwnedTable repeated{owned.sorts, {}};
  for (std::size_t i = 0; i < owned.n_rows(); ++i)
    for (std::uint64_t k = 0; k < weights[i]; ++k)
      for (std::size_t j = 0; j < owned.n_columns(); ++j)
        repeated.values.push_back(owned.values[i * owned.n_columns() + j]);
  const Table table = owned.table();
  RC_ASSERT(Model::fit(RepeatedBatches(table, weights), owned.schema(), options).to_bytes() ==
            repeated.fit(options).to_bytes());
}

}  // namespace
}  // namespace pidforest
