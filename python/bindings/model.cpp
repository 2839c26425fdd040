// SPDX-License-Identifier: Apache-2.0
#include "pidforest/model.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "options.h"
#include "pidforest/arrow.h"
#include "pidforest/explain.h"
#include "pidforest/table.h"
#include "rows.h"
#include "run.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

using Names = std::vector<std::string>;
using Weights = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Extends a schema to all columns of a table, in table order; columns that it does not name are ignored. Columns that
/// are only in the schema stay, so that the fit reports them as missing.
Schema for_all_columns(Schema schema, const Table& table) {
  Schema all{.windows = schema.windows};
  for (const Column& column : table.columns()) {
    const auto named = std::ranges::find(schema.columns, column.name, &ColumnSchema::name);
    if (named == schema.columns.end()) {
      all.columns.push_back({.name = column.name, .kind = Kind::ignored});
    } else {
      all.columns.push_back(std::move(*named));
      schema.columns.erase(named);
    }
  }
  std::ranges::move(schema.columns, std::back_inserter(all.columns));
  return all;
}

Model fit(const Rows& rows, const std::optional<std::string>& schema, const nb::dict& options,
          const std::optional<Weights>& weights, unsigned threads, const nb::object& on_progress) {
  const Options checked = options_of(options);
  const Run run = run_of(rows.batches().n_rows(), threads, on_progress);
  const nb::gil_scoped_release unlocked;
  std::optional<RepeatedBatches> repeated;
  if (weights) repeated.emplace(rows.batches(), std::span(weights->data(), weights->size()));
  const Batches& batches = repeated ? static_cast<const Batches&>(*repeated) : rows.batches();
  const Schema known = schema ? parse_schema(*schema) : infer_schema(batches, rows.declared());
  return Model::fit(batches, for_all_columns(known, batches.header()), checked, run);
}

NumpyArray<double> score(const Model& model, const Rows& rows, unsigned threads, const nb::object& on_progress) {
  std::vector<double> bits(rows.batches().n_rows());
  {
    const Run run = run_of(bits.size(), threads, on_progress);
    const nb::gil_scoped_release unlocked;
    model.score_into(bits, rows.batches(), run);
  }
  return to_numpy(std::move(bits));
}

/// Scores rows of doubles whose columns are those of the model, in order.
NumpyArray<double> score_matrix(const Model& model,
                                const nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>& matrix, unsigned threads,
                                const nb::object& on_progress) {
  const std::vector<ColumnSchema>& schema = model.schema().columns;
  if (matrix.shape(1) != schema.size()) throw nb::value_error("the matrix must have the columns of the model.");
  std::vector<double> bits(matrix.shape(0));
  {
    const Run run = run_of(bits.size(), threads, on_progress);
    const nb::gil_scoped_release unlocked;
    std::vector<Column> columns;
    columns.reserve(schema.size());
    for (std::size_t i = 0; i < schema.size(); ++i)
      columns.push_back({.name = schema[i].name,
                         .first = matrix.data() + static_cast<std::ptrdiff_t>(i) * matrix.stride(1),
                         .stride = matrix.stride(0)});
    model.score_into(bits, Table(bits.size(), std::move(columns)), run);
  }
  return to_numpy(std::move(bits));
}

/// Scores one batch at a time, each released before the next.
NumpyArray<double> score_stream(const Model& model, const nb::capsule& stream, const Names& names, unsigned threads,
                                const nb::object& on_progress) {
  ArrowArrayStream* const pointer = stream_in(stream);
  std::vector<double> bits;
  {
    const nb::gil_scoped_release unlocked;
    for_each_batch(pointer, [&](const ArrayTable& batch) {
      const std::size_t begin = bits.size();
      bits.resize(begin + batch.n_rows());
      const Run run = run_of(bits.size(), threads, on_progress);
      const auto room = std::span(bits).subspan(begin);
      if (names.empty())
        model.score_into(room, batch, run);
      else
        model.score_into(room, NamedBatches(batch, names), run);
    });
  }
  return to_numpy(std::move(bits));
}

std::vector<bool> matches(const Model& model, const Rows& rows, const std::string& conditions) {
  const nb::gil_scoped_release unlocked;
  const RowFilter filter(model.schema(), parse_conditions(conditions));
  std::vector<bool> all;
  rows.batches().for_each([&](const Table& batch) {
    const std::vector<bool> some = filter.matches(batch);
    all.insert(all.end(), some.begin(), some.end());
  });
  return all;
}

nb::bytes bytes_of(const Model& model) {
  const std::string bytes = model.to_bytes();
  return nb::bytes(bytes.data(), bytes.size());
}

Model from_bytes(const nb::bytes& bytes) { return Model::from_bytes({bytes.c_str(), bytes.size()}); }

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A fitted forest and the counts of the rows that it has seen.")
      .def_static("fit", fit, nb::arg("rows"), nb::arg("schema").none(), nb::arg("options"), nb::arg("weights").none(),
                  nb::arg("threads"), nb::arg("on_progress").none())
      .def("score", score, nb::arg("rows"), nb::arg("threads"), nb::arg("on_progress").none())
      .def("score_matrix", score_matrix, nb::arg("matrix"), nb::arg("threads"), nb::arg("on_progress").none())
      .def("score_stream", score_stream, nb::arg("stream"), nb::arg("names"), nb::arg("threads"),
           nb::arg("on_progress").none())
      .def("matches", matches, nb::arg("rows"), nb::arg("conditions"))
      .def("save", &Model::save, nb::arg("path"))
      .def_static("load", &Model::load, nb::arg("path"))
      .def("to_bytes", bytes_of)
      .def_static("from_bytes", from_bytes, nb::arg("bytes"))
      .def("__getstate__", bytes_of)
      .def("__setstate__", [](Model& model, const nb::bytes& bytes) { new (&model) Model(from_bytes(bytes)); })
      .def(
          "__eq__", [](const Model& a, const Model& b) { return a == b; }, nb::is_operator(), nb::arg("other"),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def_prop_ro("threshold", &Model::threshold)
      .def_prop_ro("has_reasons", &Model::has_reasons)
      .def_prop_ro("relations",
                   [](const Model& model) {
                     std::vector<std::tuple<std::string, std::string, double>> relations;
                     for (const RelatedColumns& one : related_columns(model))
                       relations.emplace_back(one.first, one.second, one.information);
                     return relations;
                   })
      .def_prop_ro("isolated",
                   [](const Model& model) {
                     std::vector<std::string> witnesses;
                     for (const Witness& witness : isolated_values(model)) witnesses.push_back(to_json(witness));
                     return witnesses;
                   })
      .def_prop_ro("rare_pairs",
                   [](const Model& model) {
                     std::vector<std::string> witnesses;
                     for (const Witness& witness : rare_pairs(model)) witnesses.push_back(to_json(witness));
                     return witnesses;
                   })
      .def_prop_ro("schema", [](const Model& model) { return to_json(model.schema()); })
      .def_prop_ro("columns",
                   [](const Model& model) {
                     Names names;
                     for (const ColumnSchema& column : model.schema().columns) names.push_back(column.name);
                     return names;
                   })
      .def_prop_ro(
          "options", [](const Model& model) { return texts_of(model.options()); },
          nb::sig("def options(self) -> dict[str, str]"));
}

}  // namespace pidforest::python
