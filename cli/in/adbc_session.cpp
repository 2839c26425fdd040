// SPDX-License-Identifier: Apache-2.0
#include "in/adbc_session.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "in/adbc_search.h"
#include "in/text_row.h"
#include "pidforest/error.h"
#include "system/descriptor.h"
#include "system/parallel.h"

namespace pidforest::cli {

namespace {

/// Calls the release function of a handle, which the driver may have left empty.
template <class Handle>
void release(Handle& handle, adbc::Status (*function)(Handle*, adbc::AdbcError*)) {
  AdbcCall last;
  if (handle.private_data != nullptr && function != nullptr) function(&handle, last.error());
  handle = {};
}

/// A path as a URI that SQLite opens without changing the file.
std::string read_only_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool is_special = c == '%' || c == '?' || c == '#';
    uri += is_special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return uri + "?mode=ro";
}

/// The options of DuckDB that keep it within bounds.
struct DuckdbSetting {
  const char* key;
  const char* value;
};
constexpr std::array<DuckdbSetting, 4> duckdb_settings{{
    {"memory_limit", "1GB"},
    {"autoinstall_known_extensions", "false"},
    {"autoload_known_extensions", "false"},
    {"allow_community_extensions", "false"},
}};

/// Throws FileError for a file that cannot be read; a driver would create it, or say less.
void check_file(const std::string& path) {
  const system::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0)
    throw FileError(fmt::format("cannot open the database '{}': {}.", path, std::generic_category().message(errno)));
}

}  // namespace

AdbcSession::AdbcSession(const DatabaseAddress& address, const std::string& driver, Access access, const Run& run)
    : run_(run),
      driver_(load_driver(address.kind(), driver)),
      handles_(driver_->functions()),
      watch_(run, [this] { cancel(); }) {
  if (address.kind() != DatabaseKind::postgresql && !address.is_in_memory()) check_file(address.place());
  open_database(address, access);
  call("open a connection", functions().connection_new, &handles_.connection);
  call("open a connection", functions().connection_init, &handles_.connection, &handles_.database);
  // The hours of times with a zone must not depend on the machine. A DuckDB without time zones gives them in UTC.
  if (address.kind() == DatabaseKind::duckdb) set_time_zone();
}

void AdbcSession::set_time_zone() {
  try {
    (void)query("SET TimeZone = 'UTC'");
  } catch (const InvalidInput&) {
    release(handles_.statement, functions().statement_release);
  }
}

AdbcSession::Handles::~Handles() {
  release(statement, functions.statement_release);
  release(connection, functions.connection_release);
  release(database, functions.database_release);
}

void AdbcSession::set_database_option(const char* key, const std::string& value) {
  call("be opened", functions().database_set_option, &handles_.database, key, value.c_str());
}

void AdbcSession::open_database(const DatabaseAddress& address, Access access) {
  call("be opened", functions().database_new, &handles_.database);
  const bool is_read_only = access == Access::read && !address.is_in_memory();
  if (address.kind() == DatabaseKind::duckdb) {
    set_database_option("path", address.is_in_memory() ? ":memory:" : address.place());
    for (const auto& [key, value] : duckdb_settings) set_database_option(key, value);
    if (is_read_only) set_database_option("access_mode", "READ_ONLY");
    if (run_.threads > 0) set_database_option("threads", fmt::format("{}", run_.threads));
  } else if (address.kind() == DatabaseKind::sqlite) {
    const std::string path = address.is_in_memory() ? ":memory:" : address.place();
    set_database_option("uri", is_read_only ? read_only_uri(path) : path);
  } else {
    set_database_option("uri", address.place());
  }
  call("be opened", functions().database_init, &handles_.database);
}

void AdbcSession::new_statement(const std::string& sql) {
  const std::scoped_lock lock(statement_mutex_);
  release(handles_.statement, functions().statement_release);
  call("run the query", functions().statement_new, &handles_.connection, &handles_.statement);
  call("run the query", functions().statement_set_sql_query, &handles_.statement, sql.c_str());
}

void AdbcSession::bind(const std::vector<std::string>& parameters) {
  TextRow row(parameters);
  call("prepare the query", functions().statement_prepare, &handles_.statement);
  call("take the parameters", functions().statement_bind, &handles_.statement, row.array(), row.schema());
}

ArrowOwned<ArrowArrayStream> AdbcSession::query(const std::string& sql, const std::vector<std::string>& parameters) {
  new_statement(sql);
  if (!parameters.empty()) bind(parameters);
  ArrowOwned<ArrowArrayStream> rows;
  try {
    call("run the query", functions().statement_execute_query, &handles_.statement, rows.get(), nullptr);
  } catch (const Error&) {
    system::check_cancelled(run_);
    throw;
  }
  return rows;
}

/// Drivers of the version 1.0.0 cannot cancel.
void AdbcSession::cancel() {
  const std::scoped_lock lock(statement_mutex_);
  AdbcCall last;
  if (handles_.statement.private_data != nullptr && functions().statement_cancel != nullptr)
    functions().statement_cancel(&handles_.statement, last.error());
}
}  // namespace pidforest::cli
