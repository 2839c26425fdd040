// SPDX-License-Identifier: Apache-2.0
// Saves a model, for tests that interrupt the saving.
//
//   save_model save PATH WHICH    saves model 0 or 1 once
//   save_model loop PATH          saves them alternately, until it is killed
//   save_model which PATH         loads a model and prints which of the two it is
#include <array>
#include <cstddef>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/pidforest.h"

namespace {

/// The model takes about half a megabyte as a file.
pidforest::Model make_model(std::int64_t which) {
  constexpr std::size_t n_rows = 2000;
  constexpr std::size_t n_columns = 4;
  std::vector<double> values(n_rows * n_columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * i * 2654435761U % 10007);
  return pidforest::Model::fit(pidforest::Table::row_major(values, n_columns),
                               {.n_estimators = 200, .gate = 0, .seed = which});
}

int run(std::string_view task, const std::string& path, const std::string& which) {
  const std::array<pidforest::Model, 2> models{make_model(0), make_model(1)};
  if (task == "save") {
    models[which == "1" ? 1 : 0].save(path);
  } else if (task == "loop") {
    std::cout << "ready\n" << std::flush;
    for (std::size_t i = 0;; ++i) models[i % 2].save(path);
  } else {
    const pidforest::Model found = pidforest::Model::load(path);
    std::cout << (found == models[0] ? "0" : found == models[1] ? "1" : "neither") << '\n';
  }
  return 0;
}

}  // namespace

int main(int n_arguments, char** arguments) {
  const std::vector<std::string> given(arguments + 1, arguments + n_arguments);
  try {
    return run(given.at(0), given.at(1), given.size() > 2 ? given[2] : "0");
  } catch (const pidforest::FileError& error) {
    std::cerr << error.what() << '\n';
    return 5;
  } catch (const pidforest::BadFile& error) {
    std::cerr << error.what() << '\n';
    return 4;
  }
}
