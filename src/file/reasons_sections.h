// SPDX-License-Identifier: Apache-2.0
// The reasons of a model as sections of its file.
#pragma once

#include "file/sections.h"
#include "forest/forest.h"
#include "reasons/reasons.h"

namespace pidforest::file {

void add_reasons(SectionWriter& file, const reasons::Reasons& reasons, const forest::Forest& forest);

/// Reads reasons without validating them; `check_reasons` does that. Throws BadFile if the sizes of the arrays do not
/// fit together.
reasons::Reasons read_reasons(SectionReader& file, const forest::Forest& forest);

}  // namespace pidforest::file
