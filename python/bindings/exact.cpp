// SPDX-License-Identifier: Apache-2.0
#include "pidforest/exact.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "rows.h"
#include "run.h"
#include "witnesses.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

using Found = std::tuple<Witnesses, NumpyArray<double>, NumpyArray<double>>;

IntervalEnds ends_of(const std::string& name) {
  if (name == "any") return IntervalEnds::any;
  if (name == "halfway") return IntervalEnds::halfway;
  throw nb::value_error(("ends must be 'any' or 'halfway'; got '" + name + "'.").c_str());
}

/// Returns the cubes of the rows, their bits, and the most bits that any cube can have.
Found exact(const Rows& rows, const std::optional<std::string>& schema, const std::vector<std::size_t>& numbers,
            const std::string& ends, std::optional<double> seconds, unsigned threads, const nb::object& on_progress) {
  ExactScores scores;
  std::vector<double> bits;
  std::vector<double> upper_bound;
  {
    const ExactOptions options{.ends = ends_of(ends), .seconds = seconds};
    const Run run = run_of(std::size_t{1} << 20, threads, on_progress);
    const nb::gil_scoped_release unlocked;
    const Batches& batches = rows.batches();
    scores = exact_scores(batches, schema ? parse_schema(*schema) : infer_schema(batches, rows.declared()), numbers,
                          options, run);
  }
  Witnesses witnesses{std::move(scores.schema), {}};
  for (ExactScore& score : scores.rows) {
    witnesses.list.push_back(std::move(score.cube));
    bits.push_back(score.bits);
    upper_bound.push_back(score.upper_bound);
  }
  return {std::move(witnesses), to_numpy(std::move(bits)), to_numpy(std::move(upper_bound))};
}

}  // namespace

void bind_exact(nb::module_& module) {
  module.def("exact", exact, nb::arg("rows"), nb::arg("schema").none(), nb::arg("numbers"), nb::arg("ends"),
             nb::arg("seconds").none(), nb::arg("threads"), nb::arg("on_progress").none(),
             "The sparsest cubes that hold rows, by definition.");
}

}  // namespace pidforest::python
