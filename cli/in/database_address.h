// SPDX-License-Identifier: Apache-2.0
// The address of a database: duckdb:FILE, sqlite:FILE or postgresql://USER@HOST/NAME.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pidforest::cli {

enum class DatabaseKind : std::uint8_t { duckdb, sqlite, postgresql };

/// "duckdb", "sqlite" or "postgresql": the names of drivers and of their manifests.
std::string_view name_of(DatabaseKind kind);

class DatabaseAddress {
 public:
  /// Throws InvalidOption, which never shows a password: for another form of address, and for a URL whose password is
  /// not percent-encoded, so that it could not be told from the rest.
  explicit DatabaseAddress(const std::string& text);
  /// DuckDB without a file.
  static DatabaseAddress duckdb_in_memory() { return DatabaseAddress("duckdb:"); }

  [[nodiscard]] DatabaseKind kind() const { return kind_; }
  /// The file of DuckDB or SQLite, empty for a database in memory; the whole URL of PostgreSQL.
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] bool is_in_memory() const { return kind_ != DatabaseKind::postgresql && place_.empty(); }
  /// For messages: the address without its password.
  [[nodiscard]] const std::string& shown() const { return shown_; }
  /// A text without the password, wherever it occurs.
  [[nodiscard]] std::string without_password(std::string text) const;

 private:
  void take_url(const std::string& text);
  /// Replaces a password of `shown_` by stars.
  void hide(std::size_t begin, std::size_t end);

  DatabaseKind kind_ = DatabaseKind::duckdb;
  std::string place_;
  std::string shown_;
  /// As written and as decoded.
  std::vector<std::string> passwords_;
};

}  // namespace pidforest::cli
