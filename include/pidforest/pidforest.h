// SPDX-License-Identifier: Apache-2.0
// Anomaly detection by partial identification: the public API of pidforest::pidforest in one include. Exact scores and
// reports are libraries of their own: pidforest/exact.h and pidforest/report.h.
//
//   std::vector<double> speed(500, 50.0);
//   speed[123] = 220;
//   const auto table = pidforest::Table::row_major(speed, 1, {"speed"});
//   const std::vector<double> bits = pidforest::Model::fit(table).score(table);
//   std::cout << std::ranges::max_element(bits) - bits.begin();  // prints 123
#pragma once

#include "pidforest/arrow.h"
#include "pidforest/compare.h"
#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "pidforest/incidents.h"
#include "pidforest/model.h"
#include "pidforest/options.h"
#include "pidforest/reader.h"
#include "pidforest/schema.h"
#include "pidforest/series.h"
#include "pidforest/table.h"
