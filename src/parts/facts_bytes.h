// SPDX-License-Identifier: Apache-2.0
// Facts about a column as bytes.
#pragma once

#include <string>

#include "file/byte_reader.h"
#include "schema/column_facts.h"

namespace pidforest::parts {

void append_facts(std::string& bytes, const schema::ColumnFacts::Found& facts);

/// Throws BadFile for facts that no column has.
schema::ColumnFacts::Found take_facts(file::ByteReader& bytes);

}  // namespace pidforest::parts
