// SPDX-License-Identifier: Apache-2.0
// Validates reasons from a file: only those that a fit can collect and count are safe to look up rows in.
#pragma once

#include <span>

#include "forest/forest.h"
#include "reasons/reasons.h"
#include "schema/encode.h"

namespace pidforest::model {

/// Throws InvalidInput that names the part, cube, leaf or axis: parts out of order or of a kind that the axis does not
/// have; a cube with two parts of an axis, without its subsets, or with more rows than a subset; a leaf or a value
/// without a cube of its own. `infos` has one per axis of the forest, which was checked.
void check_reasons(const reasons::Reasons& reasons, const forest::Forest& forest,
                   std::span<const schema::AxisInfo> infos);

}  // namespace pidforest::model
