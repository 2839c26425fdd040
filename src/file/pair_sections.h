// SPDX-License-Identifier: Apache-2.0
// The rare pairs of a model as sections of its file.
#pragma once

#include <span>

#include "file/sections.h"
#include "geometry/interval.h"
#include "pairs/rare_pairs.h"

namespace pidforest::file {

/// Adds the sections unless there are no pairs.
void add_pairs(SectionWriter& file, const pairs::RarePairs& pairs);
/// `root` has one interval per axis. Throws BadFile for pairs that no fit finds.
pairs::RarePairs read_pairs(SectionReader& file, std::span<const geometry::Interval> root);

}  // namespace pidforest::file
