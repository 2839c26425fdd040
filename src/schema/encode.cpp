// SPDX-License-Identifier: Apache-2.0
#include "schema/encode.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "schema/codec.h"
#include "schema/match.h"
#include "table/value.h"

namespace pidforest::schema {

namespace {

/// A column of any length without a value.
const Column& missing_column(const ColumnSchema& schema) {
  static constexpr std::string_view no_text;
  static constexpr std::int64_t no_time = Column::missing_time;
  static const Column texts = Column::of_texts("", &no_text, 0);
  static const Column times = Column::of_times("", &no_time, 0);
  return schema.kind == Kind::time ? times : texts;
}

}  // namespace

struct Encoder::Shared {
  /// A codec without its axes.
  struct Encoding {
    decltype(Codec::encode) encode;
    bool are_numbers_plain;
  };

  /// The encodings keep references to it.
  Schema schema;
  /// One per column of the schema.
  std::vector<Encoding> encodings;
  std::vector<AxisInfo> axes;
  /// The index of each axis among the axes of its column.
  std::vector<std::size_t> derivations;

  explicit Shared(Schema given) : schema(std::move(given)) {
    encodings.reserve(schema.columns.size());
    for (const ColumnSchema& column : schema.columns) {
      Codec codec = make_codec(column);
      encodings.push_back({std::move(codec.encode), codec.are_numbers_plain});
      std::size_t derivation = 0;
      for (AxisInfo& axis : codec.axes) {
        axis.column = encodings.size() - 1;
        axis.missing_share = column.missing_share;
        axes.push_back(std::move(axis));
        derivations.push_back(derivation++);
      }
    }
  }
};

Encoder::Encoder(Schema schema) : shared_(std::make_shared<const Shared>(std::move(schema))) {}

const Schema& Encoder::schema() const { return shared_->schema; }

const std::vector<AxisInfo>& Encoder::axes() const { return shared_->axes; }

std::vector<const Column*> Encoder::match(const Table& table) const {
  std::vector<const Column*> columns = columns_of(shared_->schema, table, "the model was fitted on");
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const ColumnSchema& schema = shared_->schema.columns[j];
    if (columns[j] == nullptr || may_be(schema, columns[j]->type)) continue;
    // Readers guess the type of a column without values.
    if (table.n_rows() == 0 || !table::are_missing(*columns[j], table.n_rows()))
      check_type(schema, *columns[j], ", as in the fit");
    columns[j] = &missing_column(schema);
  }
  return columns;
}

bool Encoder::is_plain(std::size_t axis, const Column& column) const {
  return column.type != ColumnType::text && shared_->encodings[axes()[axis].column].are_numbers_plain;
}

void Encoder::encode(std::size_t axis, const Column& column, std::size_t begin, std::span<double> out) const {
  shared_->encodings[axes()[axis].column].encode(shared_->derivations[axis], column, begin, out);
}

}  // namespace pidforest::schema
