// SPDX-License-Identifier: Apache-2.0
// The trees of a forest, their root cubes and their counts as sections of a model file: one array per member of a node,
// cut or piece, over all trees, one tree after the other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "file/sections.h"
#include "forest/forest.h"
#include "pidforest/model.h"

namespace pidforest::file {

/// Whether rows with other values have come since an axis of a single value was made.
bool has_bits_off(std::span<const forest::Root> roots);
/// The root cube that all trees share, or the root cube of one tree after the other.
void add_roots(SectionWriter& file, std::span<const forest::Root> roots);

/// Reads intervals back, without their levels: one root cube or `n_trees`. Throws BadFile where the arrays do not have
/// this many.
std::vector<forest::Root> read_roots(SectionReader& file, std::size_t n_axes, std::size_t n_trees);

void add_trees(SectionWriter& file, const std::vector<forest::Tree>& trees, const Counts& counts);

/// Reads the trees without validating them; `check_forest` does that. Throws BadFile if the sizes of the arrays do not
/// fit together.
void read_trees(SectionReader& file, std::vector<forest::Tree>& trees, Counts& counts);

}  // namespace pidforest::file
