// SPDX-License-Identifier: Apache-2.0
// Reads a CSV file and does nothing with it but add up its numbers: speed_csv FILE [THREADS]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "pidforest/table_reader.h"

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// So that no value can go unread.
double sum_of(const pidforest::Table& rows) {
  double sum = 0;
  for (const pidforest::Column& column : rows.columns())
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
      const double value = column.type == pidforest::ColumnType::text ? static_cast<double>(column.text(row).size())
                                                                      : column.number(row);
      sum += std::isnan(value) ? 0 : value;
    }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const File file(argc > 1 ? std::fopen(argv[1], "rb") : nullptr, std::fclose);
  if (!file) {
    std::fputs("usage: speed_csv FILE [THREADS]\n", stderr);
    return 2;
  }
  std::setvbuf(file.get(), nullptr, _IONBF, 0);
  const auto threads = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
  pidforest::TableReader reader(
      [&](std::span<char> room) { return std::fread(room.data(), 1, room.size(), file.get()); }, {}, {},
      {.threads = threads});
  double sum = 0;
  std::size_t n_rows = 0;
  while (const auto rows = reader.next()) {
    sum += sum_of(*rows);
    n_rows += rows->n_rows();
  }
  std::printf("%zu rows, sum %.17g, %.3f s of CPU\n", n_rows, sum, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
}
