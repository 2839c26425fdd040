// SPDX-License-Identifier: Apache-2.0
// The profile of a model as sections of its file.
#pragma once

#include <span>

#include "file/sections.h"
#include "model/profile.h"

namespace pidforest::file {

void add_profile(SectionWriter& file, const model::Profile& profile);

/// Throws BadFile for a profile that does not fit the axes.
model::Profile read_profile(SectionReader& file, std::span<const schema::AxisInfo> axes,
                            std::span<const std::size_t> axis_order);

}  // namespace pidforest::file
