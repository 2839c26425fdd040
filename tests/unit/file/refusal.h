// SPDX-License-Identifier: Apache-2.0
// The error message for bytes that are not a model.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "forged_file.h"
#include "pidforest/error.h"
#include "pidforest/model.h"

namespace pidforest {

inline std::string refusal_of(std::string_view bytes) {
  try {
    (void)Model::from_bytes(bytes);
  } catch (const BadFile& error) {
    return error.what();
  }
  return "no error";
}

inline void expect_refused(const ForgedFile& file, std::string_view words) {
  const std::string refusal = refusal_of(file.bytes());
  EXPECT_NE(refusal.find(words), std::string::npos) << refusal;
}

}  // namespace pidforest
