// SPDX-License-Identifier: Apache-2.0
// The structs of the ADBC C interface, version 1.1.0: the functions that a database driver provides. Order and types
// follow the specification; members that the command does not use have the type `Unused`.
#pragma once

#include <array>
#include <cstdint>

#include "pidforest/arrow.h"

namespace pidforest::cli::adbc {

using Status = std::uint8_t;

inline constexpr Status ok = 0;

inline constexpr int version_1_0_0 = 1'000'000;
inline constexpr int version_1_1_0 = 1'001'000;

extern "C" {

struct AdbcDriver;

struct AdbcError {
  char* message;
  std::int32_t vendor_code;
  std::array<char, 5> sqlstate;
  /// May be null.
  void (*release)(AdbcError*);
  void* private_data;
  AdbcDriver* private_driver;
};

struct AdbcDatabase {
  void* private_data;
  AdbcDriver* private_driver;
};

struct AdbcConnection {
  void* private_data;
  AdbcDriver* private_driver;
};

struct AdbcStatement {
  void* private_data;
  AdbcDriver* private_driver;
};

using Unused = void (*)();

struct AdbcDriver {
  void* private_data;
  void* private_manager;
  /// May be null.
  Status (*release)(AdbcDriver*, AdbcError*);

  Status (*database_init)(AdbcDatabase*, AdbcError*);
  Status (*database_new)(AdbcDatabase*, AdbcError*);
  Status (*database_set_option)(AdbcDatabase*, const char* key, const char* value, AdbcError*);
  Status (*database_release)(AdbcDatabase*, AdbcError*);

  Status (*connection_commit)(AdbcConnection*, AdbcError*);
  Unused connection_get_info;
  Unused connection_get_objects;
  Unused connection_get_table_schema;
  Unused connection_get_table_types;
  Status (*connection_init)(AdbcConnection*, AdbcDatabase*, AdbcError*);
  Status (*connection_new)(AdbcConnection*, AdbcError*);
  Status (*connection_set_option)(AdbcConnection*, const char* key, const char* value, AdbcError*);
  Unused connection_read_partition;
  Status (*connection_release)(AdbcConnection*, AdbcError*);
  Status (*connection_rollback)(AdbcConnection*, AdbcError*);

  Status (*statement_bind)(AdbcStatement*, ArrowArray*, ArrowSchema*, AdbcError*);
  Status (*statement_bind_stream)(AdbcStatement*, ArrowArrayStream*, AdbcError*);
  Status (*statement_execute_query)(AdbcStatement*, ArrowArrayStream* out, std::int64_t* n_rows, AdbcError*);
  Unused statement_execute_partitions;
  Unused statement_get_parameter_schema;
  Status (*statement_new)(AdbcConnection*, AdbcStatement*, AdbcError*);
  Status (*statement_prepare)(AdbcStatement*, AdbcError*);
  Status (*statement_release)(AdbcStatement*, AdbcError*);
  Status (*statement_set_option)(AdbcStatement*, const char* key, const char* value, AdbcError*);
  Status (*statement_set_sql_query)(AdbcStatement*, const char* query, AdbcError*);
  Unused statement_set_substrait_plan;

  // Version 1.1.0 adds the members from here on; an older driver does not write them.
  std::array<Unused, 3> of_errors;
  std::array<Unused, 7> of_database_options;
  std::array<Unused, 10> of_connections;
  Status (*statement_cancel)(AdbcStatement*, AdbcError*);
  std::array<Unused, 8> of_statement_options;
};

/// The function that a driver's library exports. It fills the first part of `driver` for the version 1.0.0, and all of
/// it for 1.1.0.
using AdbcInitialize = Status (*)(int version, void* driver, AdbcError*);

}  // extern "C"

}  // namespace pidforest::cli::adbc
