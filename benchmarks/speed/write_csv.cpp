// SPDX-License-Identifier: Apache-2.0
// Writes a CSV file of random numbers, faster than Python would: speed_write_csv FILE ROWS COLUMNS long|short.
// "long" are doubles with 17 digits, "short" are numbers like 12.5.
#include <fmt/compile.h>
#include <fmt/os.h>

#include <cmath>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

namespace {

void add_number(std::string& text, std::mt19937_64& random, bool is_long) {
  std::normal_distribution<double> normal;
  const double x = normal(random);
  if (is_long)
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{:.17g}"), x);
  else
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{:.1f}"), 10 * x);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const long n_rows = std::atol(argv[2]);
  const long n_columns = std::atol(argv[3]);
  const bool is_long = std::string_view(argv[4]) == "long";
  constexpr std::size_t enough = 1 << 20;
  auto file = fmt::output_file(argv[1]);
  std::mt19937_64 random(2019);
  std::string text;
  for (long j = 0; j < n_columns; ++j) text += fmt::format("{}x{}", j == 0 ? "" : ",", j);
  text += '\n';
  for (long i = 0; i < n_rows; ++i) {
    for (long j = 0; j < n_columns; ++j) {
      if (j > 0) text += ',';
      add_number(text, random, is_long);
    }
    text += '\n';
    if (text.size() < enough && i + 1 < n_rows) continue;
    file.print("{}", text);
    text.clear();
  }
}
