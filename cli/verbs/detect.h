// SPDX-License-Identifier: Apache-2.0
// Fits a forest on a table, scores its rows and prints the rarest, or the incidents.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "flags/incident_flags.h"
#include "in/training.h"
#include "out/report_output.h"
#include "out/score_lines.h"

namespace pidforest::cli {

/// What the flags of `detect` ask for.
struct DetectRequest {
  TrainingFlags training;
  std::string model_file;
  std::string output;
  ReportFlags report;
  ScoreLineFlags lines;
  std::string colour = "auto";
  std::size_t top = 10;
  std::optional<double> min_bits;
  std::string suppress;
  bool incidents = false;
  IncidentFlags in_time;
  bool wide = false;
  bool json = false;
  bool fail_on_anomaly = false;
};

/// Throws AnomaliesFound if that is asked for.
void run_detect(DetectRequest& request);

}  // namespace pidforest::cli
