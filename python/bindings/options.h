// SPDX-License-Identifier: Apache-2.0
// Options as a Python dict of texts.
#pragma once

#include <nanobind/nanobind.h>

#include "pidforest/options.h"

namespace pidforest::python {

/// Throws InvalidOption.
Options options_of(const nanobind::dict& texts, const Options& defaults = {});
nanobind::dict texts_of(const Options& options);

}  // namespace pidforest::python
