// SPDX-License-Identifier: Apache-2.0
// What is said of bytes that are no model.
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
