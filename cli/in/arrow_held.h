// SPDX-License-Identifier: Apache-2.0
// Release functions for structs of the Arrow C interface.
#pragma once

namespace pidforest::cli {

/// The release function of a struct whose `private_data` is a Held that owns everything it points to.
template <class Held, class Struct>
void release_held(Struct* given) {
  delete static_cast<Held*>(given->private_data);
  given->release = nullptr;
}

/// The release function of a struct that belongs to another one.
template <class Struct>
void release_nothing(Struct* given) {
  given->release = nullptr;
}

}  // namespace pidforest::cli
