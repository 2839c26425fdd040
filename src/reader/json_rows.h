// SPDX-License-Identifier: Apache-2.0
// Rows as JSON lines: one flat object per line, with the columns as keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reader/column_choice.h"
#include "reader/field.h"
#include "reader/row_format.h"

namespace pidforest::reader {

/// `choice` says which keys that are not columns are allowed.
RowFormat json_rows(const ColumnChoice& choice, const FieldReader& fields, bool skip_bad_rows);

/// Returns the keys of all lines that are objects, in order of first appearance. Throws InvalidInput if there are too
/// many.
std::vector<std::string> keys_of(std::string_view text);

}  // namespace pidforest::reader
