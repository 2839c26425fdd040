// SPDX-License-Identifier: Apache-2.0
// Prints a report page for the JSON on standard input, so that tests can show arbitrary data.
#include <iostream>
#include <iterator>
#include <string>

#include "report/page.h"

int main() {
  const std::string json{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << pidforest::report::page_with(json);
}
