// SPDX-License-Identifier: Apache-2.0
// The trees of a forest and their counts as sections of a model file: one array per member of a node, cut or piece,
// over all trees, one tree after the other.
#pragma once

#include <vector>

#include "file/sections.h"
#include "forest/tree.h"
#include "pidforest/model.h"

namespace pidforest::file {

void add_trees(SectionWriter& file, const std::vector<forest::Tree>& trees, const Counts& counts);

/// Reads them back as they are, which need not make sense: `check_forest` tells. Throws BadFile where the arrays do not
/// fit each other.
void read_trees(SectionReader& file, std::vector<forest::Tree>& trees, Counts& counts);

}  // namespace pidforest::file
