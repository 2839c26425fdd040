// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/explain.h.
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explain/wording.h"
#include "model/fit_reasons.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "reasons/reason_book.h"
#include "schema/encoded_table.h"

namespace pidforest {

struct [[gnu::visibility("hidden")]] Explainer::State {
  Model model;
  /// Null if the rows of the fit count.
  const Batches* reference = nullptr;
  /// Set when they are first needed.
  std::shared_ptr<const reasons::Reasons> reasons = nullptr;
  std::optional<reasons::ReasonBook> book = {};
  std::unordered_map<std::uint32_t, Witness> witnesses = {};

  [[nodiscard]] const model::State& fitted() const { return model::state_of(model); }

  void make_book(const Run& run) {
    if (book) return;
    reasons = reference == nullptr
                  ? fitted().reasons
                  : model::count_reasons(fitted(), schema::EncodedBatches(fitted().encoder, *reference), run);
    book.emplace(*fitted().forest, *fitted().book, *reasons);
  }

  const Witness& witness_of(std::uint32_t cube) {
    const auto known = witnesses.find(cube);
    if (known != witnesses.end()) return known->second;
    const explain::Space space{fitted().encoder, fitted().axis_order, fitted().forest->root};
    return witnesses
        .emplace(cube, explain::witness_of(reasons->parts_of(cube), reasons->counts[cube], reasons->counts[0], space))
        .first->second;
  }
};

Explainer::Explainer(Model model) {
  if (!model.has_reasons())
    throw InvalidInput("the model has no reasons of its own; fit it with the option reasons, or give rows to count.");
  state_ = std::make_shared<State>(State{std::move(model)});
}

Explainer::Explainer(Model model, const Batches& reference) {
  if (reference.n_rows() == 0) throw InvalidInput("there are no rows to count witnesses in.");
  state_ = std::make_shared<State>(State{std::move(model), &reference});
}

Explainer Explainer::of_scored(const Model& model, const Batches& scored) {
  return model.has_reasons() ? Explainer(model) : Explainer(model, scored);
}

const Model& Explainer::model() const { return state_->model; }

const Batches* Explainer::reference() const { return state_->reference; }

Explanations Explainer::explain(const Batches& rows, const Run& run) {
  Explanations explained;
  if (rows.n_rows() == 0) return explained;
  state_->make_book(run);
  std::unordered_map<std::uint32_t, std::uint32_t> places;
  schema::EncodedBatches(state_->fitted().encoder, rows)
      .for_each(run, [&](const Table& batch, std::size_t, const Run& part) {
        std::vector<std::uint32_t> cubes(batch.n_rows());
        state_->book->choose(model::in_order(batch, state_->fitted().axis_order), cubes, part);
        for (const std::uint32_t cube : cubes) {
          const auto [place, is_new] = places.try_emplace(cube, static_cast<std::uint32_t>(explained.witnesses.size()));
          if (is_new) explained.witnesses.push_back(state_->witness_of(cube));
          explained.witness_of.push_back(place->second);
        }
      });
  return explained;
}

}  // namespace pidforest
