// SPDX-License-Identifier: Apache-2.0
// Facts about the axes of a forest as sections of a model file: isolated values and relations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "file/sections.h"
#include "forest/relations.h"
#include "geometry/isolated.h"
#include "schema/encode.h"

namespace pidforest::file {

/// Adds the sections unless there are no isolated parts.
void add_isolated(SectionWriter& file, std::span<const geometry::IsolatedParts> isolated);
/// Returns one element per axis, or none if the file has no such sections. Throws BadFile for parts that no fit finds.
std::vector<geometry::IsolatedParts> read_isolated(SectionReader& file, std::span<const schema::AxisInfo> infos);

/// Adds the sections unless there are no relations.
void add_relations(SectionWriter& file, std::span<const forest::Relation> relations);
/// Throws BadFile for axes that do not exist and for relations out of order.
std::vector<forest::Relation> read_relations(SectionReader& file, std::size_t n_axes);

}  // namespace pidforest::file
