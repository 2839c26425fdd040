// SPDX-License-Identifier: Apache-2.0
// The member `windows` of a schema document: how its rows were made of the samples of series.
#pragma once

#include <string>

#include "pidforest/schema.h"
#include "values/json.h"

namespace pidforest::schema {

/// Throws InvalidInput that names the place, the allowed values and the value found.
WindowRecipe read_windows(const values::Json& json);

/// The JSON object of a recipe.
std::string print_windows(const WindowRecipe& windows);

/// Throws InvalidInput for numbers out of range and for texts that are not UTF-8. Columns are not checked.
void validate(const WindowRecipe& windows);

}  // namespace pidforest::schema
