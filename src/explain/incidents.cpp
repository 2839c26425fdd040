// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/explain.h.

#include <algorithm>
#include <limits>
#include <map>
#include <queue>

#include "pidforest/explain.h"

namespace pidforest {

namespace {

/// The witness of each row, by their places among all of them.
struct Reasons {
  std::vector<Witness> witnesses;
  std::vector<std::size_t> of_row;
};

Reasons find_reasons(const Batches& rows, Explainer& explainer, const Run& run) {
  explainer.prepare(rows, run);
  Reasons reasons;
  rows.for_each([&](const Table& batch) {
    const Explanations explained = explainer.explain(batch, run);
    std::vector<std::size_t> places;
    for (const Witness& witness : explained.witnesses) {
      const auto found = std::ranges::find(reasons.witnesses, witness);
      places.push_back(static_cast<std::size_t>(found - reasons.witnesses.begin()));
      if (found == reasons.witnesses.end()) reasons.witnesses.push_back(witness);
    }
    for (const std::uint32_t witness : explained.witness_of) reasons.of_row.push_back(places[witness]);
  });
  return reasons;
}

/// Whether each row is held by a witness.
std::vector<bool> rows_of(const Witness& witness, const Batches& rows, const Model& model) {
  const RowFilter filter(model.schema(), witness.conditions);
  std::vector<bool> inside;
  rows.for_each([&](const Table& batch) {
    const std::vector<bool> some = filter.matches(batch);
    inside.insert(inside.end(), some.begin(), some.end());
  });
  return inside;
}

/// Takes rows until none is left that a witness holds.
class Taking {
 public:
  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

  Taking(const Reasons& reasons, const Batches& rows, const Model& model, std::size_t n) : owner_(n, nobody) {
    for (std::size_t i = 0; i < reasons.witnesses.size(); ++i) {
      if (reasons.witnesses[i].conditions.empty()) continue;
      inside_[i] = rows_of(reasons.witnesses[i], rows, model);
      queue_.push({n_left(i), i});
    }
  }

  /// Which witness takes each row; `nobody` where none has conditions.
  std::vector<std::size_t> owners() {
    while (!queue_.empty()) {
      // What a witness holds of the rest only shrinks, so only the first need be counted again.
      const auto [before, witness] = queue_.top();
      queue_.pop();
      const std::size_t now = n_left(witness);
      if (now == 0) continue;
      if (now < before)
        queue_.push({now, witness});
      else
        take(witness);
    }
    return owner_;
  }

 private:
  struct Offer {
    std::size_t n;
    std::size_t witness;

    /// Of two that hold as many the first one found.
    bool operator<(const Offer& other) const { return n != other.n ? n < other.n : witness > other.witness; }
  };

  [[nodiscard]] std::size_t n_left(std::size_t witness) const {
    std::size_t n = 0;
    for (std::size_t row = 0; row < owner_.size(); ++row)
      n += owner_[row] == nobody && inside_.at(witness)[row] ? 1 : 0;
    return n;
  }
  void take(std::size_t witness) {
    for (std::size_t row = 0; row < owner_.size(); ++row)
      if (owner_[row] == nobody && inside_.at(witness)[row]) owner_[row] = witness;
  }

  std::map<std::size_t, std::vector<bool>> inside_;
  std::priority_queue<Offer> queue_;
  std::vector<std::size_t> owner_;
};

}  // namespace

std::vector<Incident> find_incidents(const Model& model, const Batches& rows, std::span<const double> bits,
                                     Explainer& explainer, const Run& run) {
  const Reasons reasons = find_reasons(rows, explainer, run);
  const std::vector<std::size_t> owners = Taking(reasons, rows, model, bits.size()).owners();
  const auto is_rarer = [&](std::size_t a, std::size_t b) { return bits[a] != bits[b] ? bits[a] > bits[b] : a < b; };
  std::map<std::size_t, Incident> by_owner;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    Incident& incident = by_owner[owners[i]];
    if (incident.rows.empty())
      incident.witness = reasons.witnesses[owners[i] == Taking::nobody ? reasons.of_row[i] : owners[i]];
    incident.rows.push_back(i);
  }
  std::vector<Incident> incidents;
  for (auto& [owner, incident] : by_owner) {
    std::ranges::sort(incident.rows, is_rarer);
    incidents.push_back(std::move(incident));
  }
  std::ranges::sort(incidents, is_rarer, [](const Incident& one) { return one.rows.front(); });
  return incidents;
}

}  // namespace pidforest
