// SPDX-License-Identifier: Apache-2.0
// The error message for bytes that are not a model.
#pragma once

#include <string>
#include <string_view>

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

}  // namespace pidforest
