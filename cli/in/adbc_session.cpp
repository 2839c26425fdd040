// SPDX-License-Identifier: Apache-2.0
#include "in/adbc_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "in/adbc_search.h"
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

/// Where DuckDB puts values beyond its memory, if there are any. It removes the folder. The default is the folder of
/// the database or the current one.
std::string spill_folder() {
  const char* given = std::getenv("TMPDIR");
  return fmt::format("{}/pidforest-duckdb-{}", given == nullptr || *given == '\0' ? "/tmp" : given, getpid());
}

/// Throws FileError for a file that cannot be read; a driver would create it, or say less.
void check_file(const std::string& path) {
  const system::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0)
    throw FileError(fmt::format("cannot open the database '{}': {}.", path, std::generic_category().message(errno)));
}

}  // namespace

std::string quoted(char quote, const std::string& text) {
  std::string inside;
  for (const char c : text) inside.append(c == quote ? 2 : 1, c);
  return quote + inside + quote;
}

AdbcSession::AdbcSession(const DatabaseAddress& address, const std::string& driver, Access access, const Run& run)
    : kind_(address.kind()),
      run_(run),
      driver_(load_driver(address.kind(), driver)),
      handles_(driver_->functions()),
      watch_(run, [this] { cancel(); }) {
  if (address.kind() != DatabaseKind::postgresql && !address.is_in_memory()) check_file(address.place());
  open_database(address, access);
  call<FileError>("open a connection", functions().connection_new, &handles_.connection);
  call<FileError>("open a connection", functions().connection_init, &handles_.connection, &handles_.database);
  // The hours of times with a zone must not depend on the machine. A DuckDB without time zones gives them in UTC.
  if (address.kind() == DatabaseKind::duckdb) set_time_zone();
  if (address.kind() == DatabaseKind::postgresql && access == Access::read)
    execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
}

void AdbcSession::set_time_zone() {
  try {
    execute("SET TimeZone = 'UTC'");
  } catch (const InvalidInput&) {
    return;
  }
}

AdbcSession::Handles::~Handles() {
  release(statement, functions.statement_release);
  release(connection, functions.connection_release);
  release(database, functions.database_release);
}

void AdbcSession::set_database_option(const char* key, const std::string& value) {
  call<FileError>("be opened", functions().database_set_option, &handles_.database, key, value.c_str());
}

void AdbcSession::open_database(const DatabaseAddress& address, Access access) {
  call<FileError>("be opened", functions().database_new, &handles_.database);
  const bool is_read_only = access == Access::read && !address.is_in_memory();
  if (address.kind() == DatabaseKind::duckdb) {
    set_database_option("path", address.is_in_memory() ? ":memory:" : address.place());
    for (const auto& [key, value] : duckdb_settings) set_database_option(key, value);
    set_database_option("temp_directory", spill_folder());
    if (is_read_only) set_database_option("access_mode", "READ_ONLY");
    if (run_.threads > 0) set_database_option("threads", fmt::format("{}", run_.threads));
  } else if (address.kind() == DatabaseKind::sqlite) {
    const std::string path = address.is_in_memory() ? ":memory:" : address.place();
    set_database_option("uri", is_read_only ? read_only_uri(path) : path);
  } else {
    set_database_option("uri", address.place());
  }
  call<FileError>("be opened", functions().database_init, &handles_.database);
}

void AdbcSession::new_statement() {
  const std::scoped_lock lock(statement_mutex_);
  release(handles_.statement, functions().statement_release);
  call<InvalidInput>("run the query", functions().statement_new, &handles_.connection, &handles_.statement);
}

void AdbcSession::bind(ArrowBatch& rows) {
  ArrowOwned<ArrowSchema> schema = rows.schema();
  ArrowOwned<ArrowArray> array = rows.array();
  call<InvalidInput>("take the values", functions().statement_bind, &handles_.statement, array.get(), schema.get());
}

/// A failure after Ctrl-C is its consequence.
void AdbcSession::run(ArrowArrayStream* rows) {
  try {
    call<InvalidInput>("run the query", functions().statement_execute_query, &handles_.statement, rows, nullptr);
  } catch (const Error&) {
    system::check_cancelled(run_);
    throw;
  }
}

ArrowOwned<ArrowArrayStream> AdbcSession::query(const std::string& sql, const std::vector<std::string>& parameters) {
  new_statement();
  call<InvalidInput>("run the query", functions().statement_set_sql_query, &handles_.statement, sql.c_str());
  // The driver takes the types of columns from the rows of the first batch.
  if (kind_ == DatabaseKind::sqlite)
    call<InvalidInput>("run the query", functions().statement_set_option, &handles_.statement,
                       "adbc.sqlite.query.batch_rows", "65536");
  if (!parameters.empty()) {
    call<InvalidInput>("prepare the query", functions().statement_prepare, &handles_.statement);
    ArrowBatch row(1);
    for (const std::string& text : parameters) row.add_texts("", {text});
    bind(row);
  }
  ArrowOwned<ArrowArrayStream> rows;
  run(rows.get());
  return rows;
}

void AdbcSession::execute(const std::string& sql) { (void)query(sql); }

/// Drivers answer ADBC's own question with different errors. Only PostgreSQL tells names apart by their case.
bool AdbcSession::has_table(const std::string& name) {
  const std::string text = quoted('\'', name);
  const std::string sql =
      kind_ == DatabaseKind::sqlite ? "FROM sqlite_master WHERE lower(name) = lower({})"
      : kind_ == DatabaseKind::duckdb
          ? "FROM information_schema.tables WHERE table_schema = current_schema() AND lower(table_name) = lower({})"
          : "FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = {}";
  ArrowOwned<ArrowArrayStream> rows = query("SELECT 1 AS found " + fmt::format(fmt::runtime(sql), text));
  return ArrayTable::from_arrow(rows.get()).n_rows() > 0;
}

void AdbcSession::begin() {
  call<FileError>("begin a transaction", functions().connection_set_option, &handles_.connection,
                  "adbc.connection.autocommit", "false");
}

void AdbcSession::commit() { call<FileError>("commit the rows", functions().connection_commit, &handles_.connection); }

void AdbcSession::append(const std::string& table, ArrowBatch& rows) {
  new_statement();
  const auto set = [&](const char* key, const char* value) {
    call<FileError>("take rows", functions().statement_set_option, &handles_.statement, key, value);
  };
  set("adbc.ingest.target_table", table.c_str());
  set("adbc.ingest.mode", "adbc.ingest.mode.append");
  bind(rows);
  run(nullptr);
}

/// Drivers of the version 1.0.0 cannot cancel.
void AdbcSession::cancel() {
  const std::scoped_lock lock(statement_mutex_);
  AdbcCall last;
  if (handles_.statement.private_data != nullptr && functions().statement_cancel != nullptr)
    functions().statement_cancel(&handles_.statement, last.error());
}
}  // namespace pidforest::cli
