// SPDX-License-Identifier: Apache-2.0
// What a public Survey consists of, and the checks that two parts belong to one fit.
#pragma once

#include <string_view>

#include "model/axis_survey.h"
#include "pidforest/distributed.h"

namespace pidforest {

struct Survey::State {
  model::AxisSurvey axes;
};

}  // namespace pidforest

namespace pidforest::parts {

/// Throws InvalidInput unless options, schemas and numbers of rows of two parts are equal. `part` names the first one.
void check_same_fit(std::string_view part, const Options& options, const schema::Encoder& encoder, std::size_t n_rows,
                    const model::AxisSurvey& survey);

}  // namespace pidforest::parts
