// SPDX-License-Identifier: Apache-2.0
#include "rows.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "bindings.h"
#include "pidforest/arrow.h"
#include "pidforest/error.h"
#include "pidforest/table.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

using AnyArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::device::cpu>;
using Mask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

ElementType element_of(nb::dlpack::dtype type) {
  using nb::dlpack::dtype_code;
  static const std::map<std::pair<dtype_code, unsigned>, ElementType> elements = {
      {{dtype_code::Bool, 8}, ElementType::boolean},   {{dtype_code::Int, 8}, ElementType::int8},
      {{dtype_code::Int, 16}, ElementType::int16},     {{dtype_code::Int, 32}, ElementType::int32},
      {{dtype_code::Int, 64}, ElementType::int64},     {{dtype_code::UInt, 8}, ElementType::uint8},
      {{dtype_code::UInt, 16}, ElementType::uint16},   {{dtype_code::UInt, 32}, ElementType::uint32},
      {{dtype_code::UInt, 64}, ElementType::uint64},   {{dtype_code::Float, 16}, ElementType::float16},
      {{dtype_code::Float, 32}, ElementType::float32}, {{dtype_code::Float, 64}, ElementType::float64}};
  const auto found = elements.find({static_cast<dtype_code>(type.code), type.bits});
  if (found == elements.end())
    throw nb::type_error("an array must contain booleans, integers or floating-point numbers.");
  return found->second;
}

TimeUnit unit_of(std::string_view name) {
  static const std::map<std::string_view, TimeUnit> units = {
      {"D", TimeUnit::days},        {"h", TimeUnit::hours},         {"m", TimeUnit::minutes},
      {"s", TimeUnit::seconds},     {"ms", TimeUnit::milliseconds}, {"us", TimeUnit::microseconds},
      {"ns", TimeUnit::nanoseconds}};
  const auto found = units.find(name);
  if (found == units.end()) throw nb::value_error("the unit of times must be one of D, h, m, s, ms, us, ns.");
  return found->second;
}

void check_length(std::size_t length, const Batches& rows) {
  if (length != rows.n_rows()) throw nb::value_error("a column must have as many values as the table has rows.");
}

template <class Values>
ArrayView array_of(const Values& values, const std::optional<Mask>& missing, const Batches& rows) {
  check_length(values.shape(0), rows);
  if (missing) check_length(missing->shape(0), rows);
  return {.first = values.data(),
          .stride = static_cast<std::ptrdiff_t>(values.stride(0)) * static_cast<std::ptrdiff_t>(values.itemsize()),
          .missing = missing ? reinterpret_cast<const std::uint8_t*>(missing->data()) : nullptr};
}

template <class Pointed>
Pointed* pointer_in(const nb::capsule& capsule, const char* name) {
  auto* pointer = static_cast<Pointed*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (pointer == nullptr) throw nb::python_error();
  return pointer;
}

/// The UTF-8 of a Python text; valid as long as the text lives.
std::string_view text_of(nb::handle text) {
  if (!PyUnicode_Check(text.ptr())) return {};
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}

void add_numbers(Rows& rows, std::string name, const AnyArray& values, const std::optional<Mask>& missing) {
  const ArrayView array = array_of(values, missing, rows.batches());
  rows.add_to(nb::make_tuple(values, missing)).add_numbers(std::move(name), element_of(values.dtype()), array);
}

/// Adds the columns of a matrix.
void add_matrix(Rows& rows, const std::vector<std::string>& names,
                const nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>& values) {
  check_length(values.shape(0), rows.batches());
  if (values.shape(1) != names.size()) throw nb::value_error("there must be a name for each column.");
  ArrayTable& table = rows.add_to(nb::cast(values));
  const auto item = static_cast<std::ptrdiff_t>(values.itemsize());
  const auto* first = static_cast<const char*>(values.data());
  for (std::size_t column = 0; column < names.size(); ++column) {
    const auto place = static_cast<std::ptrdiff_t>(column) * values.stride(1) * item;
    table.add_numbers(names[column], element_of(values.dtype()),
                      {.first = first + place, .stride = values.stride(0) * item});
  }
}

void add_texts(Rows& rows, std::string name, const nb::sequence& texts) {
  check_length(nb::len(texts), rows.batches());
  nb::list kept;
  std::vector<std::string_view> views;
  views.reserve(rows.batches().n_rows());
  for (const nb::handle text : texts) {
    kept.append(text);
    views.push_back(text_of(text));
  }
  rows.add_to(kept).add_texts(std::move(name), std::move(views));
}

void add_times(Rows& rows, std::string name, const Integers& values, const std::string& unit, std::string zone) {
  const ArrayView array = array_of(values, {}, rows.batches());
  rows.add_to(nb::cast(values)).add_times(std::move(name), unit_of(unit), array, std::move(zone));
}

void add_durations(Rows& rows, std::string name, const Integers& values, const std::string& unit) {
  const ArrayView array = array_of(values, {}, rows.batches());
  rows.add_to(nb::cast(values)).add_durations(std::move(name), unit_of(unit), array);
}

void add_codes(Rows& rows, std::string name, const AnyArray& codes,
               std::variant<std::vector<std::string>, std::vector<double>> levels, bool are_ordered) {
  const ArrayView array = array_of(codes, {}, rows.batches());
  ArrayTable& table = rows.add_to(nb::cast(codes));
  std::visit(
      [&](auto& some) {
        table.add_codes(std::move(name), element_of(codes.dtype()), array, std::move(some), are_ordered);
      },
      levels);
}

void add_arrow(Rows& rows, std::string name, const nb::capsule& stream) {
  rows.add_to(nb::none()).add_arrow(std::move(name), stream_in(stream));
}

Rows from_arrow(const nb::capsule& stream) {
  ArrowArrayStream* const pointer = stream_in(stream);
  const nb::gil_scoped_release unlocked;
  return Rows(ArrayTable::from_arrow(pointer));
}

Rows from_arrow_array(const nb::capsule& schema, const nb::capsule& array) {
  return Rows(ArrayTable::from_arrow(pointer_in<ArrowSchema>(schema, "arrow_schema"),
                                     pointer_in<ArrowArray>(array, "arrow_array")));
}

/// Copies a stream, which can be read only once; rows that exceed the memory limit go to a temporary file.
Rows copy_stream(const nb::capsule& stream) {
  ArrowArrayStream* const pointer = stream_in(stream);
  auto store = std::make_unique<TableStore>();
  Schema declared;
  const nb::gil_scoped_release unlocked;
  for_each_batch(pointer, [&](const ArrayTable& batch) {
    declared = batch.declared();
    if (batch.n_rows() == 0) store->append(batch.header());
    batch.for_each([&](const Table& part) { store->append(part); });
  });
  return Rows(std::move(store), std::move(declared));
}

}  // namespace

ArrowArrayStream* stream_in(const nb::capsule& capsule) {
  return pointer_in<ArrowArrayStream>(capsule, "arrow_array_stream");
}

Rows::Rows(ArrayTable table) {
  auto arrays = std::make_unique<ArrayTable>(std::move(table));
  arrays_ = arrays.get();
  batches_ = std::move(arrays);
}

Rows::Rows(std::unique_ptr<Batches> batches, Schema declared)
    : batches_(std::move(batches)), declared_(std::move(declared)) {}

Schema Rows::declared() const { return arrays_ != nullptr ? arrays_->declared() : declared_; }

ArrayTable& Rows::add_to(nb::object owner) {
  if (arrays_ == nullptr) throw nb::type_error("the rows of a stream are complete.");
  owners_.push_back(std::move(owner));
  return *arrays_;
}

Rows Rows::renamed(const nb::object& self, std::vector<std::string> names) {
  const Rows& rows = nb::cast<const Rows&>(self);
  Rows view(std::make_unique<NamedBatches>(rows.batches(), std::move(names)), {});
  view.owners_.push_back(self);
  return view;
}

NamedBatches::NamedBatches(const Batches& batches, std::vector<std::string> names)
    : batches_(batches), names_(std::move(names)) {
  if (names_.size() != batches.header().n_columns()) throw InvalidInput("there must be a name for each column.");
  if (const Table* whole = batches.in_memory()) whole_ = named(*whole);
}

void NamedBatches::for_each(const std::function<void(const Table& batch)>& visit) const {
  batches_.for_each([&](const Table& batch) { visit(named(batch)); });
}

Table NamedBatches::named(const Table& table) const {
  std::vector<Column> columns = table.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].name = names_[i];
  return {table.n_rows(), std::move(columns)};
}

void bind_rows(nb::module_& module) {
  nb::class_<Rows>(module, "Rows", "A table as the library reads it: views of arrays, or the copy of a stream.")
      .def(
          "__init__", [](Rows* self, std::size_t n_rows) { new (self) Rows(ArrayTable(n_rows)); }, nb::arg("n_rows"))
      .def_static("from_arrow", from_arrow, nb::arg("stream"))
      .def_static("from_arrow_array", from_arrow_array, nb::arg("schema"), nb::arg("array"))
      .def_static("copy_stream", copy_stream, nb::arg("stream"))
      .def("add_numbers", add_numbers, nb::arg("name"), nb::arg("values"), nb::arg("missing") = nb::none())
      .def("add_matrix", add_matrix, nb::arg("names"), nb::arg("values"))
      .def("add_texts", add_texts, nb::arg("name"), nb::arg("texts"))
      .def("add_times", add_times, nb::arg("name"), nb::arg("values"), nb::arg("unit"), nb::arg("zone"))
      .def("add_durations", add_durations, nb::arg("name"), nb::arg("values"), nb::arg("unit"))
      .def("add_codes", add_codes, nb::arg("name"), nb::arg("codes"), nb::arg("levels"), nb::arg("are_ordered"))
      .def("add_arrow", add_arrow, nb::arg("name"), nb::arg("stream"))
      .def(
          "renamed",
          [](const nb::object& self, std::vector<std::string> names) { return Rows::renamed(self, std::move(names)); },
          nb::arg("names"), nb::sig("def renamed(self, names: Sequence[str]) -> Rows"))
      .def_prop_ro("n_rows", [](const Rows& rows) { return rows.batches().n_rows(); })
      .def_prop_ro("columns", [](const Rows& rows) {
        const Table table = rows.batches().header();
        std::vector<std::string> names;
        for (const Column& column : table.columns()) names.push_back(column.name);
        return names;
      });
}

}  // namespace pidforest::python
