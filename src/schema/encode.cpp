// SPDX-License-Identifier: Apache-2.0
#include "schema/encode.h"

#include <utility>

#include "schema/codec.h"
#include "schema/match.h"

namespace pidforest::schema {

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
  for (std::size_t j = 0; j < columns.size(); ++j)
    if (columns[j] != nullptr) check_type(shared_->schema.columns[j], *columns[j], ", as in the fit");
  return columns;
}

bool Encoder::is_plain(std::size_t axis, const Column& column) const {
  return column.type != ColumnType::text && shared_->encodings[axes()[axis].column].are_numbers_plain;
}

void Encoder::encode(std::size_t axis, const Column& column, std::size_t begin, std::span<double> out) const {
  shared_->encodings[axes()[axis].column].encode(shared_->derivations[axis], column, begin, out);
}

}  // namespace pidforest::schema
