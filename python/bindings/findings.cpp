// SPDX-License-Identifier: Apache-2.0
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "pidforest/explain.h"
#include "rows.h"
#include "run.h"
#include "scores.h"
#include "witnesses.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

template <class Value>
using Array = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class Value>
using MaybeArray = std::optional<NumpyArray<Value>>;

ScoredRows score(const Model& model, const Rows& rows, const std::optional<std::string>& suppress, unsigned threads,
                 const nb::object& on_progress) {
  const Run run = run_of(rows.batches().n_rows(), threads, on_progress);
  const nb::gil_scoped_release unlocked;
  const KnownReasons known = suppress ? KnownReasons(model.schema(), *suppress) : KnownReasons();
  return {model, rows, score_table(model, rows.batches(), known, run)};
}

/// The window of each sample, -1 where there is none.
ScoredRows score_samples(const ScoredRows& windows, const Rows& samples, const Array<std::int64_t>& window_of) {
  return {windows.model, samples,
          pidforest::score_samples(windows.scores, samples.batches(),
                                   {window_of.data(), window_of.data() + window_of.size()})};
}

AnomalyRule rule_of(const Model& model, std::optional<double> min_bits) {
  return {.threshold = model.threshold(), .min_bits = min_bits};
}

/// Whether each score is an anomaly; None if no limit is set.
MaybeArray<bool> flags_of(const AnomalyRule& rule, std::span<const double> bits, const std::vector<bool>& suppressed) {
  if (!rule.limit()) return std::nullopt;
  auto* const flags = new bool[std::max<std::size_t>(bits.size(), 1)];
  const nb::capsule owner(flags, [](void* array) noexcept { delete[] static_cast<bool*>(array); });
  for (std::size_t i = 0; i < bits.size(); ++i)
    flags[i] = rule.is_anomaly(bits[i], !suppressed.empty() && suppressed[i]).value_or(false);
  return NumpyArray<bool>(flags, {bits.size()}, owner);
}

using Explained = std::tuple<Witnesses, NumpyArray<std::uint32_t>, NumpyArray<double, 2>>;

/// Counts in another table, if there is one.
Explainer explainer_of(const ScoredRows& scored, const Rows* reference) {
  if (reference != nullptr) return {scored.model, reference->batches()};
  return Explainer::of_scored(scored.model, scored.scores.scored);
}

Explained explain(const ScoredRows& scored, const Rows* reference, unsigned threads, const nb::object& on_progress) {
  const Batches& rows = scored.scores.scored;
  Explanations explained;
  std::vector<double> column_bits;
  {
    const Run run = run_of(rows.n_rows(), threads, on_progress);
    const nb::gil_scoped_release unlocked;
    explained = explainer_of(scored, reference).explain(rows, run);
    rows.for_each([&](const Table& batch) {
      const std::vector<double> some = scored.model.column_bits(batch, run);
      column_bits.insert(column_bits.end(), some.begin(), some.end());
    });
  }
  return {Witnesses{scored.model.schema(), std::move(explained.witnesses)}, to_numpy(std::move(explained.witness_of)),
          to_numpy<double, 2>(std::move(column_bits), {rows.n_rows(), scored.model.schema().columns.size()})};
}

/// The reasons of some rows, whose numbers increase, in words. `witness_of` has the witness of every row.
std::vector<std::string> reasons(const ScoredRows& scored, const Witnesses& witnesses,
                                 const Array<std::uint32_t>& witness_of, const Array<std::uint64_t>& rows,
                                 unsigned threads) {
  const std::span<const std::uint64_t> numbers(rows.data(), rows.size());
  const std::uint32_t* const places = witness_of.data();
  const nb::object no_progress = nb::none();
  const Run run = run_of(rows.size(), threads, no_progress);
  const nb::gil_scoped_release unlocked;
  std::vector<std::string> words;
  rows_at(scored.scores.scored, numbers).for_each([&](const Table& batch) {
    std::vector<Finding> findings;
    for (const std::uint64_t row : numbers.subspan(words.size(), batch.n_rows()))
      findings.push_back({.row = row, .bits = scored.scores.bits[row], .witness = places[row]});
    describe(scored.model, batch, witnesses.list, findings, run);
    for (const Finding& finding : findings)
      words.push_back(reason_in_words(finding, witnesses.list[finding.witness], witnesses.schema));
  });
  return words;
}

/// Impostors and what would make the row normal, in words: None where it was not asked for, or nothing would.
using Detail = std::tuple<std::optional<std::vector<std::uint64_t>>, std::optional<std::string>>;

/// The details of all rows.
std::vector<Detail> details(const ScoredRows& scored, const Rows* reference, const FindOptions& options,
                            unsigned threads, const nb::object& on_progress) {
  constexpr std::size_t rows_at_once = 65'536;
  const std::size_t n_rows = scored.scores.bits.size();
  const Run run = run_of(n_rows, threads, on_progress);
  const nb::gil_scoped_release unlocked;
  Explainer explainer = explainer_of(scored, reference);
  std::vector<Detail> all;
  FindOptions some = options;
  for (std::size_t begin = 0; begin < n_rows; begin += rows_at_once) {
    some.rows.emplace(std::min(rows_at_once, n_rows - begin));
    std::iota(some.rows->begin(), some.rows->end(), begin);
    for (Finding& finding : find_anomalies(explainer, scored.scores, some, run).rows) {
      std::optional<std::string> normal_if;
      if (finding.normal_if) normal_if = to_words(*finding.normal_if, scored.model.schema());
      all.emplace_back(std::move(finding.impostors), std::move(normal_if));
    }
  }
  return all;
}

/// The witness, the rows and the score of the rarest.
using IncidentTuple = std::tuple<std::uint32_t, std::vector<std::uint64_t>, double>;
/// The incidents with their witnesses, the number of anomalies, and the number of suppressed rows.
using Incidents = std::tuple<Witnesses, std::vector<IncidentTuple>, std::uint64_t, std::uint64_t>;

Incidents incidents(const ScoredRows& scored, const Rows* reference, std::optional<double> min_bits, unsigned threads,
                    const nb::object& on_progress) {
  const Run run = run_of(scored.scores.bits.size(), threads, on_progress);
  const nb::gil_scoped_release unlocked;
  Explainer explainer = explainer_of(scored, reference);
  Findings found = find_anomalies(explainer, scored.scores, {.min_bits = min_bits, .top = 0, .incidents = true}, run);
  std::vector<IncidentTuple> all;
  for (Incident& one : found.incidents) all.emplace_back(one.witness, std::move(one.rows), one.bits);
  return {Witnesses{scored.model.schema(), std::move(found.witnesses)}, std::move(all), found.n_anomalies,
          found.n_suppressed};
}

/// The change that makes a row normal, in words.
std::optional<std::string> normal_if(const ScoredRows& scored, std::uint64_t row, std::optional<double> min_bits) {
  const nb::gil_scoped_release unlocked;
  const std::optional<double> most_normal = rule_of(scored.model, min_bits).most_normal();
  if (!most_normal) return std::nullopt;
  std::optional<std::vector<Condition>> change;
  rows_at(scored.scores.scored, std::vector{scored.scores.scored_row(row)}).for_each([&](const Table& only) {
    change = nearest_normal(scored.model, only, *most_normal);
  });
  return change ? std::optional(to_words(*change, scored.model.schema())) : std::nullopt;
}

}  // namespace

void bind_findings(nb::module_& module) {
  nb::class_<FindOptions>(module, "FindOptions", "What to find for each row.")
      .def(nb::init<>())
      .def_rw("min_bits", &FindOptions::min_bits, nb::arg().none())
      .def_rw("impostors", &FindOptions::impostors)
      .def_rw("normal_if", &FindOptions::normal_if);
  nb::class_<ScoredRows>(module, "ScoredRows", "Rows with the scores that a model gives them.")
      .def_prop_ro(
          "bits", [](const ScoredRows& scored) { return to_numpy(std::vector(scored.scores.bits)); },
          nb::rv_policy::automatic)
      .def_prop_ro("suppressed", [](const ScoredRows& scored) { return scored.scores.suppressed; })
      .def("samples", score_samples, nb::arg("samples"), nb::arg("windows"), nb::keep_alive<0, 1>(),
           nb::keep_alive<0, 2>())
      .def(
          "flags",
          [](const ScoredRows& scored, std::optional<double> min_bits) {
            return flags_of(rule_of(scored.model, min_bits), scored.scores.bits, scored.scores.suppressed);
          },
          nb::arg("min_bits").none())
      .def("explain", explain, nb::arg("reference").none(), nb::arg("threads"), nb::arg("on_progress").none())
      .def("reasons", reasons, nb::arg("witnesses"), nb::arg("witness_of"), nb::arg("rows"), nb::arg("threads"))
      .def("details", details, nb::arg("reference").none(), nb::arg("options"), nb::arg("threads"),
           nb::arg("on_progress").none())
      .def("incidents", incidents, nb::arg("reference").none(), nb::arg("min_bits").none(), nb::arg("threads"),
           nb::arg("on_progress").none())
      .def("normal_if", normal_if, nb::arg("row"), nb::arg("min_bits").none());
  module.def("score", score, nb::arg("model"), nb::arg("rows"), nb::arg("suppress").none(), nb::arg("threads"),
             nb::arg("on_progress").none(), nb::keep_alive<0, 2>());
  module.def(
      "flags",
      [](const Model& model, const Array<double>& bits) {
        return flags_of(rule_of(model, std::nullopt), {bits.data(), bits.size()}, {});
      },
      nb::arg("model"), nb::arg("bits"));
}

}  // namespace pidforest::python
