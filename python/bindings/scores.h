// SPDX-License-Identifier: Apache-2.0
// The scores of rows that come from Python.
#pragma once

#include "pidforest/explain.h"
#include "pidforest/model.h"
#include "rows.h"

namespace pidforest::python {

/// The scores, the model that they are of, and the rows as their owner has them. Python keeps all rows alive.
struct ScoredRows {
  Model model;
  const Rows& rows;
  Scores scores;
};

}  // namespace pidforest::python
