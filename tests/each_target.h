// SPDX-License-Identifier: Apache-2.0
// Runs a check once for every instruction set of this machine.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>

namespace pidforest {

template <class Check>
void for_each_target(const Check& check) {
  const std::int64_t supported = hwy::SupportedTargets();
  for (std::int64_t left = supported; left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    if ((target & HWY_TARGETS) == 0) continue;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::GetChosenTarget().Update(target);
    check();
  }
  hwy::GetChosenTarget().Update(supported);
}

}  // namespace pidforest
