// SPDX-License-Identifier: Apache-2.0
#include "event.h"

#include <datetime.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace nb = nanobind;

namespace pidforest::python {

namespace {

std::string quoted(const std::string& name) { return "'" + name + "'"; }

std::string shown(nb::handle value) {
  constexpr std::size_t most = 40;
  const std::string text = nb::cast<std::string>(nb::repr(value));
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string_view type_of(nb::handle value) { return Py_TYPE(value.ptr())->tp_name; }

/// True for the missing values of pandas.
bool is_always_missing(nb::handle value) {
  const std::string_view type = type_of(value);
  return type == "NAType" || type == "NaTType" || type.ends_with(".NAType") || type.ends_with(".NaTType");
}

bool is_numpy_boolean(nb::handle value) {
  const std::string_view type = type_of(value);
  return type == "numpy.bool" || type == "numpy.bool_";
}

std::int64_t microseconds_of(nb::handle duration) {
  constexpr std::int64_t per_second = 1'000'000;
  constexpr std::int64_t per_day = 86'400 * per_second;
  PyObject* const delta = duration.ptr();
  return PyDateTime_DELTA_GET_DAYS(delta) * per_day + PyDateTime_DELTA_GET_SECONDS(delta) * per_second +
         PyDateTime_DELTA_GET_MICROSECONDS(delta);
}

/// Returns the time on the clock, read as if it were UTC.
std::int64_t clock_of(PyObject* date) {
  using namespace std::chrono;
  const sys_days day = year(PyDateTime_GET_YEAR(date)) / PyDateTime_GET_MONTH(date) / PyDateTime_GET_DAY(date);
  microseconds since = day.time_since_epoch();
  if (PyDateTime_Check(date))
    since += hours(PyDateTime_DATE_GET_HOUR(date)) + minutes(PyDateTime_DATE_GET_MINUTE(date)) +
             seconds(PyDateTime_DATE_GET_SECOND(date)) + microseconds(PyDateTime_DATE_GET_MICROSECOND(date));
  return since.count();
}

/// Loads Python's datetime API on first use.
void load_datetime() {
  if (PyDateTimeAPI == nullptr) PyDateTime_IMPORT;
  if (PyDateTimeAPI == nullptr) throw nb::python_error();
}

ColumnType missing_type_of(const ColumnSchema& schema) {
  if (schema.kind == Kind::time) return ColumnType::time;
  return !schema.levels.empty() && !schema.numeric_levels ? ColumnType::text : ColumnType::number;
}

}  // namespace

void Event::set_columns(std::vector<std::string> names) {
  names_ = std::move(names);
  keys_.clear();
  for (const std::string& name : names_) {
    PyObject* key = PyUnicode_FromStringAndSize(name.data(), static_cast<Py_ssize_t>(name.size()));
    if (key == nullptr) throw nb::python_error();
    PyUnicode_InternInPlace(&key);
    keys_.push_back(nb::steal(key));
  }
  missing_types_.assign(names_.size(), ColumnType::number);
  shapes_.assign(names_.size(), {});
  numbers_.assign(names_.size(), 0);
  texts_.assign(names_.size(), {});
  times_.assign(names_.size(), 0);
  table_.reset();
}

void Event::set_schema(const Schema* schema) {
  if (schema == nullptr) return;
  for (std::size_t i = 0; i < names_.size(); ++i)
    for (const ColumnSchema& column : schema->columns)
      if (column.name == names_[i]) missing_types_[i] = missing_type_of(column);
}

void Event::take_columns(const nb::dict& event) {
  std::vector<std::string> names;
  for (const auto& [key, value] : event) {
    if (!PyUnicode_Check(key.ptr()))
      throw nb::type_error(("column names must be strings; got " + shown(key) + ".").c_str());
    names.push_back(nb::cast<std::string>(key));
  }
  if (names.empty()) throw nb::value_error("an event must have at least one column; got an empty dict.");
  set_columns(std::move(names));
}

const Table& Event::read(const nb::dict& event) {
  if (event.size() != names_.size()) refuse_keys(event);
  bool is_same = table_.has_value();
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::optional<Shape> written = write(i, value_of(event, i));
    if (!written) write_missing(i);
    const Shape shape = written.value_or(Shape{.type = missing_types_[i], .is_local = shapes_[i].is_local});
    is_same = is_same && shape == shapes_[i];
    shapes_[i] = shape;
  }
  if (!is_same) make_table();
  return *table_;
}

nb::handle Event::value_of(const nb::dict& event, std::size_t column) const {
  PyObject* const value = PyDict_GetItemWithError(event.ptr(), keys_[column].ptr());
  if (value == nullptr) {
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    refuse_keys(event);
  }
  return value;
}

void Event::refuse_keys(const nb::dict& event) const {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (!event.contains(keys_[i]))
      throw nb::value_error(
          ("the event has no column " + quoted(names_[i]) + "; give None where a value is missing.").c_str());
  for (const auto& [key, value] : event) {
    bool is_known = false;
    for (const nb::object& known : keys_) is_known = is_known || known.equal(key);
    if (!is_known)
      throw nb::value_error(("column " + shown(key) + " of the event was not in the events before it.").c_str());
  }
}

std::optional<Event::Shape> Event::write(std::size_t column, nb::handle value) {
  PyObject* const object = value.ptr();
  if (PyFloat_Check(object)) {
    numbers_[column] = PyFloat_AS_DOUBLE(object);
    if (std::isnan(numbers_[column])) return std::nullopt;
    return Shape{.type = ColumnType::number};
  }
  if (PyBool_Check(object)) {
    numbers_[column] = object == Py_True ? 1 : 0;
    return Shape{.type = ColumnType::boolean};
  }
  if (PyUnicode_Check(object)) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
    if (text == nullptr) throw nb::python_error();
    texts_[column] = {text, static_cast<std::size_t>(size)};
    return Shape{.type = ColumnType::text};
  }
  if (object == Py_None || is_always_missing(value)) return std::nullopt;
  load_datetime();
  if (PyDate_Check(object)) return write_time(column, value);
  return write_number(column, value);
}

std::optional<Event::Shape> Event::write_number(std::size_t column, nb::handle value) {
  if (is_numpy_boolean(value)) {
    numbers_[column] = PyObject_IsTrue(value.ptr()) != 0 ? 1 : 0;
    return Shape{.type = ColumnType::boolean};
  }
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw nb::type_error(("column " + quoted(names_[column]) +
                          ": the value must be a number, a boolean, a string, a datetime or None; got " +
                          std::string(type_of(value)) + " " + shown(value) + ".")
                             .c_str());
  }
  numbers_[column] = number;
  if (std::isnan(number)) return std::nullopt;
  return Shape{.type = ColumnType::number};
}

Event::Shape Event::write_time(std::size_t column, nb::handle value) {
  times_[column] = clock_of(value.ptr());
  Shape shape{.type = ColumnType::time, .is_local = true};
  if (!PyDateTime_Check(value.ptr())) return shape;
  const nb::object offset = value.attr("utcoffset")();
  if (offset.is_none()) return shape;
  times_[column] -= microseconds_of(offset);
  shape.is_local = false;
  return shape;
}

void Event::write_missing(std::size_t column) {
  numbers_[column] = std::numeric_limits<double>::quiet_NaN();
  texts_[column] = {};
  times_[column] = Column::missing_time;
}

void Event::make_table() {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < names_.size(); ++i)
    columns.push_back({.name = names_[i],
                       .first = &numbers_[i],
                       .type = shapes_[i].type,
                       .texts = &texts_[i],
                       .times = &times_[i],
                       .are_local = shapes_[i].is_local});
  table_.emplace(1, std::move(columns));
}

}  // namespace pidforest::python
