// SPDX-License-Identifier: Apache-2.0
// Prints the page of a report with the JSON that it reads from the standard input, so that tests can show it any data.
#include <iostream>
#include <iterator>
#include <string>

#include "report/page.h"

int main() {
  const std::string json{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << pidforest::report::page_with(json);
}
