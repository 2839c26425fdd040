// SPDX-License-Identifier: Apache-2.0
// Anomalies that share a reason are one incident.
#pragma once

#include <cstdint>
#include <vector>

#include "pidforest/explainer.h"
#include "pidforest/model.h"
#include "pidforest/run.h"
#include "pidforest/table_store.h"
#include "top_rows.h"

namespace pidforest::cli {

struct Incident {
  /// Without conditions for anomalies that nothing sets apart.
  Witness witness;
  /// The anomalies, the rarest first.
  std::vector<TopRow> rows;
};

/// The incidents of some anomalies, whose values are `rows`, in the same order. The rarest anomaly's witness comes
/// first and takes all anomalies that it holds; then that of the rarest one left, and so on.
std::vector<Incident> find_incidents(const std::vector<TopRow>& anomalies, const TableStore& rows, const Model& model,
                                     Explainer& explainer, const Run& run);

}  // namespace pidforest::cli
