// SPDX-License-Identifier: Apache-2.0
// Converts vectors to numpy arrays, which take ownership of them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace pidforest::python {

template <class Value, int n_dimensions = 1>
using NumpyArray = nanobind::ndarray<nanobind::numpy, Value, nanobind::ndim<n_dimensions>>;

template <class Value, int n_dimensions>
NumpyArray<Value, n_dimensions> to_numpy(std::vector<Value> values, std::initializer_list<std::size_t> shape) {
  auto* const kept = new std::vector<Value>(std::move(values));
  const nanobind::capsule owner(kept, [](void* vector) noexcept { delete static_cast<std::vector<Value>*>(vector); });
  return NumpyArray<Value, n_dimensions>(kept->data(), shape, owner);
}

template <class Value>
NumpyArray<Value> to_numpy(std::vector<Value> values) {
  const std::size_t n = values.size();
  return to_numpy<Value, 1>(std::move(values), {n});
}

}  // namespace pidforest::python
