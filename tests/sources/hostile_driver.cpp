// SPDX-License-Identifier: Apache-2.0
// An ADBC driver that misbehaves as its query says, for hostile_driver_test.py. The query "fine" gives two batches of
// the integers 1 to 4 in the column x.
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "in/adbc_abi.h"

namespace {

using namespace pidforest::cli::adbc;

constexpr Status failed = 9;

std::string query;      // NOLINT: a driver for one statement
int n_batches = 0;      // NOLINT
int n_open_arrays = 0;  // NOLINT

/// What PIDFOREST_HOSTILE asks for, before there is a query.
bool is_asked_for(const char* word) {
  const char* asked = std::getenv("PIDFOREST_HOSTILE");
  return asked != nullptr && std::strcmp(asked, word) == 0;
}

Status fail(AdbcError* error, const char* message) {
  static std::string words;
  words = message == nullptr ? "" : message;
  error->message = message == nullptr ? nullptr : words.data();
  error->release = nullptr;
  return failed;
}

template <class Handle>
Status make(Handle* handle, AdbcError*) {
  handle->private_data = handle;
  return ok;
}

template <class Handle>
Status take(Handle* handle, AdbcError* error) {
  if (handle->private_data == nullptr) std::abort();
  handle->private_data = nullptr;
  return is_asked_for("release fails") ? fail(error, "release") : ok;
}

Status set_option(AdbcDatabase*, const char*, const char*, AdbcError* error) {
  return is_asked_for("options fail") ? fail(error, "two\nlines\t\x1b[31m of \xff words. ") : ok;
}

void release_schema(ArrowSchema* schema) { schema->release = nullptr; }

int give_schema(ArrowArrayStream*, ArrowSchema* out) {
  static ArrowSchema field;
  static ArrowSchema text;
  static std::array<ArrowSchema*, 2> children;
  if (query == "schema fails") return EIO;
  *out = {};
  if (query == "no schema") return 0;
  field = {};
  field.format = query == "no format" ? nullptr : query == "unknown format" ? "?" : "l";
  field.name = query == "no name" ? nullptr : "x";
  field.release = release_schema;
  text = field;
  text.name = "y";
  children = {&field, query == "null child" ? nullptr : &text};
  out->format = query == "no table" ? "l" : "+s";
  out->n_children = query == "negative children" ? -3 : query == "no columns" ? 0 : query == "null child" ? 2 : 1;
  out->children = query == "no children" ? nullptr : children.data();
  out->release = release_schema;
  return 0;
}

void release_array(ArrowArray* array) {
  --n_open_arrays;
  array->release = nullptr;
}

int give_batch(ArrowArrayStream*, ArrowArray* out) {
  static const std::array<std::int64_t, 4> values = {1, 2, 3, 4};
  static std::array<const void*, 2> buffers;
  static std::array<const void*, 1> no_buffers = {nullptr};
  static std::array<ArrowArray, 2> columns;
  static std::array<ArrowArray*, 2> children;
  *out = {};
  if (++n_batches > 2) return query == "end fails" ? EIO : 0;
  if (query == "second batch fails" && n_batches == 2) return EIO;
  buffers = {nullptr, query == "no values" ? nullptr : values.data()};
  for (ArrowArray& column : columns) {
    column = {};
    column.length = query == "negative length" ? -1 : query == "short column" ? 1 : 4;
    column.n_buffers = query == "wrong buffers" ? 7 : 2;
    column.buffers = query == "null buffers" ? nullptr : buffers.data();
    column.release = [](ArrowArray* array) { array->release = nullptr; };
  }
  children = {query == "null array" ? nullptr : columns.data(), &columns[1]};
  out->length = query == "negative rows" ? -4 : 4;
  out->offset = query == "negative offset" ? -1 : 0;
  out->n_buffers = 1;
  out->buffers = no_buffers.data();
  out->n_children = query == "other columns" ? 2 : 1;
  out->children = query == "no arrays" ? nullptr : children.data();
  out->release = release_array;
  ++n_open_arrays;
  return 0;
}

const char* last_error(ArrowArrayStream*) { return query == "second batch fails" ? nullptr : "the stream's own words"; }

void release_stream(ArrowArrayStream* stream) {
  if (n_open_arrays != 0) std::abort();
  stream->release = nullptr;
}

Status execute(AdbcStatement*, ArrowArrayStream* out, std::int64_t*, AdbcError* error) {
  if (query == "execute fails") return fail(error, std::string(5000, 'x').c_str());
  if (query == "execute fails silently") return fail(error, nullptr);
  if (query == "no stream") return ok;
  n_batches = 0;
  *out = {};
  out->get_schema = give_schema;
  out->get_next = give_batch;
  out->get_last_error = query == "no words" ? nullptr : last_error;
  out->release = release_stream;
  return ok;
}

Status set_query(AdbcStatement*, const char* sql, AdbcError*) {
  query = sql;
  return ok;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] Status AdbcDriverInit(int version, void* place, AdbcError* error) {
  if (is_asked_for("init fails")) return fail(error, "not today");
  if (is_asked_for("only 1.0.0") && version != version_1_0_0) return fail(error, "too new");
  auto* driver = static_cast<AdbcDriver*>(place);
  if (is_asked_for("no functions")) return ok;
  driver->database_new = make<AdbcDatabase>;
  driver->database_set_option = set_option;
  driver->database_init = [](AdbcDatabase*, AdbcError*) { return ok; };
  driver->database_release = take<AdbcDatabase>;
  driver->connection_new = make<AdbcConnection>;
  driver->connection_init = [](AdbcConnection*, AdbcDatabase*, AdbcError* e) {
    return is_asked_for("no connection") ? fail(e, "no connection") : ok;
  };
  driver->connection_release = take<AdbcConnection>;
  driver->statement_new = [](AdbcConnection*, AdbcStatement* statement, AdbcError* e) { return make(statement, e); };
  driver->statement_release = is_asked_for("no release") ? nullptr : take<AdbcStatement>;
  driver->statement_set_sql_query = set_query;
  driver->statement_set_option = [](AdbcStatement*, const char*, const char*, AdbcError*) { return ok; };
  driver->statement_execute_query = execute;
  return ok;
}
