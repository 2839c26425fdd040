// SPDX-License-Identifier: Apache-2.0
// Reads a CSV file and discards the rows: speed_csv FILE [THREADS]
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "pidforest/reader.h"

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Sums every 1024th row of the file; `n_before` rows came before these. This is enough to check the reading,
/// independent of the batches, and costs next to nothing.
double sum_of(const pidforest::Table& rows, std::size_t n_before) {
  constexpr std::size_t distance = 1024;
  double sum = 0;
  for (std::size_t row = (distance - n_before % distance) % distance; row < rows.n_rows(); row += distance)
    for (const pidforest::Column& column : rows.columns())
      sum += column.type == pidforest::ColumnType::number ? column.number(row) : 0;
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
    sum += sum_of(*rows, n_rows);
    n_rows += rows->n_rows();
  }
  std::printf("%zu rows, sum %.17g, %.3f s of CPU\n", n_rows, sum, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
}
