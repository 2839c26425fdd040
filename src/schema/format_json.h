// SPDX-License-Identifier: Apache-2.0
// The member `format` of a schema document: how the texts of the table are written.
#pragma once

#include <string>

#include "pidforest/schema.h"
#include "values/json.h"

namespace pidforest::schema {

/// Throws InvalidInput that names the place, the allowed values and the value found.
WrittenFormat read_format(const values::Json& json);

/// The JSON object of a format that differs from the default.
std::string print_format(const WrittenFormat& format);

/// Throws InvalidInput for a decimal point other than '.' and ',', and for texts that are empty or not UTF-8.
void validate(const WrittenFormat& format);

}  // namespace pidforest::schema
