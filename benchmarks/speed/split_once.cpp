// SPDX-License-Identifier: Apache-2.0
// Splits one column N times, for counting instructions: speed_split_once M K N.
#include <cstdlib>
#include <iostream>

#include "heavy_tailed_cells.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "speed_split_once takes three numbers: rows, most groups, times.\n";
    return 2;
  }
  const auto cells = heavy_tailed_cells(std::strtoul(argv[1], nullptr, 10));
  const int k = std::atoi(argv[2]);
  const long times = std::atol(argv[3]);
  std::size_t borders = 0;  // printed, so that the compiler cannot drop any call
  for (long i = 0; i < times; ++i) borders += partition(cells, k).first[1];
  std::cout << borders << '\n';
}
