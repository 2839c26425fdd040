// SPDX-License-Identifier: Apache-2.0
// Sections that the file of a model and that of a forest in the making share: options, schema, axes and trees.
#pragma once

#include "file/sections.h"
#include "model/state.h"

namespace pidforest::file {

/// Reads options, schema, axis order, trees with their root cubes, isolated parts and relations, and counts, and checks
/// them. Throws BadFile, InvalidInput or InvalidOption.
model::State read_grown(SectionReader& file);

/// Reads and checks the reasons, which must be there if and only if the options say so.
void read_reasons_of(SectionReader& file, model::State& state);

/// Reads a text of options.
Options read_options(SectionReader& file);

}  // namespace pidforest::file
