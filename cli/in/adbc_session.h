// SPDX-License-Identifier: Apache-2.0
// A connection to a database through its ADBC driver.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "in/adbc_driver.h"
#include "in/arrow_batch.h"
#include "in/arrow_owned.h"
#include "in/database_address.h"
#include "in/watch.h"
#include "pidforest/arrow.h"
#include "pidforest/options.h"

namespace pidforest::cli {

/// A text between two quotes for SQL; the quotes inside are doubled. A name has ", a text '.
std::string quoted(char quote, const std::string& text);

class AdbcSession {
 public:
  enum class Access : std::uint8_t { read, write };

  /// Loads the driver, which `driver` may name, and connects. A file must exist, and is not changed unless `access`
  /// says so. DuckDB takes at most 1 GB of memory and `run.threads` threads, and loads no extension from the network.
  /// Throws FileError or InvalidInput; their messages may contain the password.
  AdbcSession(const DatabaseAddress& address, const std::string& driver, Access access, const Run& run);

  /// Runs a query with texts for its parameters. The rows must be released before the next call of this session and
  /// before its end. Throws FileError, InvalidInput, or Cancelled.
  ArrowOwned<ArrowArrayStream> query(const std::string& sql, const std::vector<std::string>& parameters = {});
  /// Runs a statement that gives no rows. Throws as `query` does.
  void execute(const std::string& sql);

  /// Whether there is a table of this name.
  bool has_table(const std::string& name);
  /// What follows takes effect with `commit`, or not at all.
  void begin();
  void commit();
  /// Appends rows to a table, whose columns have their names.
  void append(const std::string& table, ArrowBatch& rows);

 private:
  /// Released in the opposite order.
  struct Handles {
    explicit Handles(adbc::AdbcDriver& driver) : functions(driver) {}
    ~Handles();
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    Handles(Handles&&) = delete;
    Handles& operator=(Handles&&) = delete;

    adbc::AdbcDriver& functions;
    adbc::AdbcDatabase database = {};
    adbc::AdbcConnection connection = {};
    adbc::AdbcStatement statement = {};
  };

  [[nodiscard]] adbc::AdbcDriver& functions() { return handles_.functions; }
  void open_database(const DatabaseAddress& address, Access access);
  void set_database_option(const char* key, const std::string& value);
  void set_time_zone();
  void new_statement();
  void run(ArrowArrayStream* rows);
  void bind(ArrowBatch& rows);
  void cancel();

  DatabaseKind kind_;
  const Run& run_;
  std::unique_ptr<LoadedDriver> driver_;
  Handles handles_;
  std::mutex statement_mutex_;
  /// Cancels the running query after Ctrl-C.
  Watch watch_;
};

}  // namespace pidforest::cli
