// SPDX-License-Identifier: Apache-2.0
#include "explain/incidents.h"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>

namespace pidforest::explain {

namespace {

/// Whether each row is held by a witness.
std::vector<bool> rows_of(const Witness& witness, const Batches& rows, const Schema& schema) {
  const RowFilter filter(schema, witness.conditions);
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
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  Taking(const Explanations& explained, const Batches& rows, const Schema& schema)
      : owner_(explained.witness_of.size(), nobody) {
    for (std::uint32_t i = 0; i < explained.witnesses.size(); ++i) {
      if (explained.witnesses[i].conditions.empty()) continue;
      inside_[i] = rows_of(explained.witnesses[i], rows, schema);
      queue_.push({n_left(i), i});
    }
  }

  /// The witness that takes each row; `nobody` where no witness with conditions holds it.
  std::vector<std::uint32_t> owners() {
    while (!queue_.empty()) {
      // The number of free rows that a witness holds only shrinks, so only the first need be counted again.
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
    std::uint32_t witness;

    /// Between two that hold equally many, the one that was found first wins.
    bool operator<(const Offer& other) const { return n != other.n ? n < other.n : witness > other.witness; }
  };

  [[nodiscard]] std::size_t n_left(std::uint32_t witness) const {
    std::size_t n = 0;
    for (std::size_t row = 0; row < owner_.size(); ++row)
      n += owner_[row] == nobody && inside_.at(witness)[row] ? 1 : 0;
    return n;
  }
  void take(std::uint32_t witness) {
    for (std::size_t row = 0; row < owner_.size(); ++row)
      if (owner_[row] == nobody && inside_.at(witness)[row]) owner_[row] = witness;
  }

  std::map<std::uint32_t, std::vector<bool>> inside_;
  std::priority_queue<Offer> queue_;
  std::vector<std::uint32_t> owner_;
};

}  // namespace

std::vector<std::uint32_t> share_witnesses(const Schema& schema, const Batches& rows, const Explanations& explained) {
  std::vector<std::uint32_t> owners = Taking(explained, rows, schema).owners();
  const auto first = std::ranges::find(owners, Taking::nobody);
  if (first != owners.end())
    std::ranges::replace(owners, Taking::nobody,
                         explained.witness_of[static_cast<std::size_t>(first - owners.begin())]);
  return owners;
}

}  // namespace pidforest::explain
