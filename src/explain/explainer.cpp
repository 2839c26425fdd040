// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/explain.h.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explain/isolated_reasons.h"
#include "explain/pair_reasons.h"
#include "explain/round_bounds.h"
#include "explain/wording.h"
#include "model/fit_reasons.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "reasons/reason_book.h"
#include "reasons/simplify.h"
#include "schema/encoded_table.h"

namespace pidforest {

struct [[gnu::visibility("hidden")]] Explainer::State {
  Model model;
  /// Null if the rows of the fit count.
  const Batches* reference = nullptr;
  /// Set when they are first needed.
  std::shared_ptr<const reasons::Reasons> reasons = nullptr;
  std::optional<reasons::ReasonBook> book = {};
  std::optional<explain::Space> space = {};
  std::optional<explain::IsolatedReasons> isolated = {};
  /// The number of rows in each isolated part.
  std::vector<std::uint64_t> isolated_counts = {};
  std::optional<explain::PairReasons> pairs = {};
  /// By reason: the number of a cube; after those of all cubes that of an isolated part, and then that of a rare pair.
  std::unordered_map<std::uint32_t, Witness> witnesses = {};
  /// By reason: the axes of its cube that are binary in the counted rows.
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> binary_axes = {};

  [[nodiscard]] const model::State& fitted() const { return model::state_of(model); }

  void make_book(const Run& run) {
    if (book) return;
    reasons = reference == nullptr
                  ? fitted().reasons
                  : model::count_reasons(fitted(), schema::EncodedBatches(fitted().encoder, *reference), run);
    book.emplace(*fitted().forest, *fitted().book, *reasons);
    space.emplace(explain::Space{fitted().encoder, fitted().axis_order, fitted().forest->root});
    isolated.emplace(*fitted().forest, *space);
    count_isolated(run);
    pairs.emplace(fitted(), *space);
    if (reference != nullptr) pairs->recount(*reference, run);
  }

  void count_isolated(const Run& run) {
    for (const explain::IsolatedReason& reason : isolated->all())
      isolated_counts.push_back(reference == nullptr ? reason.n_rows : 0);
    if (reference == nullptr || isolated_counts.empty()) return;
    schema::EncodedBatches(fitted().encoder, *reference)
        .for_each(run, [&](const Table& batch, std::size_t, const Run&) {
          const forest::Rows rows = model::in_order(batch, fitted().axis_order);
          for (std::size_t i = 0; i < isolated_counts.size(); ++i)
            isolated_counts[i] += reasons::count_inside({isolated->all()[i].part}, rows);
        });
  }

  /// A value that is isolated in the fit may be common in the reference.
  [[nodiscard]] bool is_worth_telling(std::uint32_t place) const {
    return isolated->witness(place, isolated_counts[place], reasons->counts[0]).bits > reasons::price_of_condition;
  }

  /// The first reason of each kind.
  [[nodiscard]] std::uint32_t first_isolated() const { return static_cast<std::uint32_t>(reasons->cubes.size()); }
  [[nodiscard]] std::uint32_t first_pair() const {
    return first_isolated() + static_cast<std::uint32_t>(isolated_counts.size());
  }

  /// The reason of each row: the rare pair or the isolated value that gives it its score, else a cube. A constant that
  /// changed gives more bits than both, and one column that is worth as many bits as a pair is the simpler reason.
  [[nodiscard]] std::vector<std::uint32_t> choose(const forest::Rows& rows, const Run& run) {
    std::vector<std::uint32_t> chosen(rows.n);
    book->choose(rows, chosen, run);
    const auto pair_of = pairs->reasons_of(rows, run);
    for (std::size_t row = 0; row < rows.n; ++row) {
      if (!witness_of(chosen[row]).only_value.empty()) continue;
      if (const auto place = isolated->reason_of(rows, row); place && is_worth_telling(*place))
        chosen[row] = first_isolated() + *place;
      if (pair_of[row] && !is_simpler(chosen[row], first_pair() + *pair_of[row]))
        chosen[row] = first_pair() + *pair_of[row];
    }
    return chosen;
  }

  [[nodiscard]] bool is_simpler(std::uint32_t reason, std::uint32_t pair) {
    const Witness& witness = witness_of(reason);
    return witness.conditions.size() == 1 && witness.bits >= witness_of(pair).bits;
  }

  /// The parts that may be binary; none for an isolated value.
  [[nodiscard]] geometry::Parts parts_of(std::uint32_t reason) const {
    if (reason >= first_pair()) return pairs->parts_of(reason - first_pair());
    return reason >= first_isolated() ? geometry::Parts() : reasons->parts_of(reason);
  }

  /// Whether a row has a value on a binary axis of its reason that no counted row has, such as 0.5.
  [[nodiscard]] bool has_other_value(std::uint32_t reason, const forest::Rows& rows, std::size_t row) {
    const auto [axes, is_new] = binary_axes.try_emplace(reason);
    if (is_new)
      for (const geometry::Part& part : parts_of(reason))
        if (explain::is_binary(part, reasons->neighbours, *space)) axes->second.push_back(part.axis);
    return std::ranges::any_of(axes->second, [&](std::size_t axis) {
      const double x = rows.columns[axis][row];
      return x != 0 && x != 1;
    });
  }

  [[nodiscard]] Witness make_witness(std::uint32_t reason, explain::BinaryWords binary) const {
    const std::uint64_t n_rows = reasons->counts[0];
    if (reason >= first_pair()) return pair_witness(reason - first_pair(), binary);
    if (reason >= first_isolated()) {
      const std::uint32_t place = reason - first_isolated();
      return isolated->witness(place, isolated_counts[place], n_rows);
    }
    return explain::round_witness_of(reasons->parts_of(reason), reasons->counts[reason], n_rows, reasons->neighbours,
                                     *space, binary);
  }

  [[nodiscard]] Witness pair_witness(std::uint32_t place, explain::BinaryWords binary) const {
    Witness witness = pairs->witness(place);
    if (binary == explain::BinaryWords::range) return witness;
    const geometry::Parts parts = pairs->parts_of(place);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!explain::is_binary(parts[i], reasons->neighbours, *space)) continue;
      const double share = witness.conditions[i].share;
      witness.conditions[i] = explain::condition_of(explain::value_of_binary(parts[i]), *space);
      witness.conditions[i].share = share;
    }
    return witness;
  }

  const Witness& witness_of(std::uint32_t reason) {
    const auto known = witnesses.find(reason);
    if (known != witnesses.end()) return known->second;
    return witnesses.emplace(reason, make_witness(reason, explain::BinaryWords::value)).first->second;
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
  // By reason, and for rows with values that no counted row has by reason again.
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t> places;
  schema::EncodedBatches(state_->fitted().encoder, rows)
      .for_each(run, [&](const Table& batch, std::size_t, const Run& part) {
        const forest::Rows encoded = model::in_order(batch, state_->fitted().axis_order);
        const std::vector<std::uint32_t> chosen = state_->choose(encoded, part);
        for (std::size_t row = 0; row < chosen.size(); ++row) {
          const auto n_witnesses = static_cast<std::uint32_t>(explained.witnesses.size());
          const bool is_other = state_->has_other_value(chosen[row], encoded, row);
          const auto [place, is_new] = places.try_emplace({chosen[row], is_other}, n_witnesses);
          if (is_new)
            explained.witnesses.push_back(is_other ? state_->make_witness(chosen[row], explain::BinaryWords::range)
                                                   : state_->witness_of(chosen[row]));
          explained.witness_of.push_back(place->second);
        }
      });
  return explained;
}

}  // namespace pidforest
