// SPDX-License-Identifier: Apache-2.0
// The trees of a forest and their counts as sections of a model file: one array per member of a node, cut or piece,
// concatenated over all trees.
#pragma once

#include <vector>

#include "file/sections.h"
#include "forest/tree.h"
#include "pidforest/model.h"

namespace pidforest::file {

void add_trees(SectionWriter& file, const std::vector<forest::Tree>& trees, const Counts& counts);

/// Reads the trees without validating them; `check_forest` does that. Throws BadFile if the sizes of the arrays do not
/// fit together.
void read_trees(SectionReader& file, std::vector<forest::Tree>& trees, Counts& counts);

}  // namespace pidforest::file
