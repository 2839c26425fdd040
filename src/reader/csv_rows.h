// SPDX-License-Identifier: Apache-2.0
// The rows of a CSV file after its header.
#pragma once

#include <string>
#include <string_view>

#include "reader/csv_scanner.h"
#include "reader/field.h"
#include "reader/row_format.h"

namespace pidforest::reader {

RowFormat csv_rows(char delimiter, const FieldReader& fields, bool skip_bad_rows);

/// "a comma", "a tab", "a semicolon" or "a '|'".
std::string with_article(char delimiter);

/// Replaces each doubled quote by a single one.
std::string with_single_quotes(std::string_view text);

/// The message for a field that ends wrongly or contains a bad byte; `rest` is the text from the scanner's position on.
std::string complaint_of_end(FieldEnd end, char delimiter, std::string_view rest);
std::string_view complaint_of_byte(BadByte bad_byte);

}  // namespace pidforest::reader
