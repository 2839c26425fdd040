// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/explain.h.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "explain/count_cubes.h"
#include "explain/round_bounds.h"
#include "explain/witness.h"
#include "explain/wording.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "schema/encoded_table.h"

namespace pidforest {

using explain::CubeName;
using explain::WitnessBook;
using forest::Rows;
using geometry::Parts;

namespace {

/// Evenly spaced rows of a table, copied.
class EvenSample {
 public:
  EvenSample(const model::State& state, const Batches& batches, const Run& run) : values_(state.axis_order.size()) {
    const schema::EncodedBatches encoded(state.encoder, batches);
    rows_.n = std::min(encoded.n_rows(), most_rows);
    std::size_t next = 0;
    encoded.for_each(run, [&](const Table& batch, std::size_t begin, const Run&) {
      const Rows rows = model::in_order(batch, state.axis_order);
      for (; next < rows_.n && number_of(next, encoded.n_rows()) < begin + rows.n; ++next)
        for (std::size_t axis = 0; axis < values_.size(); ++axis)
          values_[axis].push_back(rows.columns[axis][number_of(next, encoded.n_rows()) - begin]);
    });
    for (const auto& values : values_) rows_.columns.push_back({values.data()});
  }

  [[nodiscard]] const Rows& rows() const { return rows_; }

 private:
  static constexpr std::size_t most_rows = 8192;

  [[nodiscard]] std::size_t number_of(std::size_t place, std::size_t n_rows) const { return place * n_rows / rows_.n; }

  std::vector<std::vector<double>> values_;
  Rows rows_;
};

}  // namespace

struct [[gnu::visibility("hidden")]] Explainer::State {
  Model model;
  const Batches& reference;
  /// Made when it is first needed.
  std::optional<WitnessBook> book = {};
  /// All that were counted so far.
  std::unordered_map<CubeName, Witness, CubeName::Hash> witnesses = {};

  [[nodiscard]] const model::State& fitted() const { return model::state_of(model); }

  void make_book(const Run& run) {
    if (book) return;
    const EvenSample sample(fitted(), reference, run);
    book.emplace(*fitted().forest, sample.rows(), reference.n_rows(), run);
  }

  /// The cube that explains each row of an encoded batch.
  [[nodiscard]] std::vector<CubeName> choose(const Table& encoded, const Run& run) const {
    std::vector<CubeName> names(encoded.n_rows());
    explain::choose_cubes(*fitted().forest, *fitted().book, *book, model::in_order(encoded, fitted().axis_order), names,
                          run);
    return names;
  }

  /// Counts the cubes that were not counted before, in one pass over the reference.
  void count(std::vector<CubeName> names, const Run& run) {
    std::erase_if(names, [&](const CubeName& name) { return witnesses.contains(name); });
    if (names.empty()) return;
    std::ranges::sort(names);
    std::vector<Parts> cubes;
    for (const CubeName& name : names) cubes.push_back(book->parts(name));
    const explain::CubeCounter counter(cubes, fitted().axis_order.size());
    explain::Neighbours neighbours(cubes, fitted().axis_order.size());
    std::vector<std::uint64_t> counts(cubes.size());
    schema::EncodedBatches(fitted().encoder, reference)
        .for_each(run, [&](const Table& batch, std::size_t, const Run& part) {
          const Rows rows = model::in_order(batch, fitted().axis_order);
          counter.add(rows, counts, part);
          neighbours.add(rows, part);
        });
    const forest::Forest& forest = *fitted().forest;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const forest::Root& root = names[i].tree == CubeName::none ? forest.root : forest.root_of(names[i].tree);
      const explain::Space space{fitted().encoder, fitted().axis_order, root};
      witnesses.emplace(names[i],
                        explain::round_witness_of(cubes[i], counts[i], reference.n_rows(), neighbours, space));
    }
  }
};

Explainer::Explainer(Model model, const Batches& reference) {
  if (reference.n_rows() == 0) throw InvalidInput("there are no rows to count witnesses in.");
  state_ = std::make_shared<State>(State{std::move(model), reference});
}

const Model& Explainer::model() const { return state_->model; }

const Batches& Explainer::reference() const { return state_->reference; }

Explanations Explainer::explain(const Batches& rows, const Run& run) {
  Explanations explained;
  if (rows.n_rows() == 0) return explained;
  state_->make_book(run);
  std::vector<CubeName> names;
  std::unordered_map<CubeName, std::uint32_t, CubeName::Hash> places;
  schema::EncodedBatches(state_->fitted().encoder, rows)
      .for_each(run, [&](const Table& batch, std::size_t, const Run& part) {
        for (const CubeName& name : state_->choose(batch, part)) {
          const auto [place, is_new] = places.try_emplace(name, static_cast<std::uint32_t>(names.size()));
          if (is_new) names.push_back(name);
          explained.witness_of.push_back(place->second);
        }
      });
  state_->count(names, run);
  for (const CubeName& name : names) explained.witnesses.push_back(state_->witnesses.at(name));
  return explained;
}

}  // namespace pidforest
