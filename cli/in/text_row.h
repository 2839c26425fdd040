// SPDX-License-Identifier: Apache-2.0
// One row of texts as an Arrow record batch: the parameters of a query.
#pragma once

#include <string>
#include <vector>

#include "in/arrow_owned.h"
#include "pidforest/arrow.h"

namespace pidforest::cli {

class TextRow {
 public:
  explicit TextRow(const std::vector<std::string>& texts);

  // A driver takes ownership of both.
  [[nodiscard]] ArrowArray* array() { return array_.get(); }
  [[nodiscard]] ArrowSchema* schema() { return schema_.get(); }

 private:
  ArrowOwned<ArrowArray> array_;
  ArrowOwned<ArrowSchema> schema_;
};

}  // namespace pidforest::cli
