// SPDX-License-Identifier: Apache-2.0
#include "out/reason.h"

#include <fmt/format.h>

#include "out/printable.h"
#include "values/number_words.h"

namespace pidforest::cli {

std::string few_words_of(const Witness& witness, const Schema& schema) {
  const int digits = witness.expected() < 10 ? 1 : 0;
  return fmt::format("{}: {}, {:.{}f} expected", printable(to_words(witness.conditions, schema)),
                     values::counted(witness.n_inside, "row"), witness.expected(), digits);
}

}  // namespace pidforest::cli
