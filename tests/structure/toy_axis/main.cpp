// SPDX-License-Identifier: Apache-2.0
// Reads, fits, scores, explains and saves a table that has a column of the toy kind `round`.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/model.h"
#include "pidforest/reader.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace {

using namespace pidforest;

/// Amounts from 4.7 to 102.7, in steps of 1, and one of 981.3; every tenth is missing.
std::string amounts() {
  std::string csv = "amount\n";
  for (int i = 0; i < 1000; ++i) csv += i % 10 == 0 ? "na\n" : std::to_string(3.7 + i * 7 % 100) + "\n";
  return csv + "981.3\n";
}

bool is_round(double number) { return std::fmod(number, 1) == 0; }

bool expect(bool holds, const char* what) {
  if (!holds) std::printf("the toy axis: %s\n", what);
  return holds;
}

bool try_cuts(Cuts cuts) {
  const Schema schema = parse_schema(R"({"columns": [{"name": "amount", "kind": "round"}]})");
  const std::string csv = amounts();
  TableReader reader(bytes_of(csv), {.missing = {"na"}}, {.schema = &schema});
  TableStore rows;
  while (const auto batch = reader.next()) rows.append(*batch);

  Options options;
  options.cuts = cuts;
  const Model model = Model::fit(rows, schema, options);
  const std::vector<double> bits = model.score(rows);
  bool is_good = expect(bits.back() > bits[1] + 2, "the odd amount must score highest");
  is_good &= expect(Model::from_bytes(model.to_bytes()) == model, "a saved model must be read back");
  is_good &= expect(parse_schema(to_json(model.schema())) == model.schema(), "a schema must be read back");

  const std::vector<double> odd{981.3};
  const Table row = Table::row_major(odd, 1, {"amount"});
  Explainer explainer(model, rows);
  const Explanations explained = explainer.explain(row);
  const Witness& witness = explained.witnesses[explained.witness_of[0]];
  // Optimal cuts separate it together with the amounts next to it.
  const std::uint64_t most_inside = cuts == Cuts::sampled ? 1 : 25;
  is_good &=
      expect(witness.conditions.size() == 1 && witness.n_inside <= most_inside, "the odd amount must stand alone");
  if (witness.conditions.size() != 1) return false;
  const Condition& reason = witness.conditions.front();
  is_good &= expect(std::isfinite(reason.low) && is_round(reason.low), "the reason must begin at a round number");
  const Schema numbers = parse_schema(R"({"columns": [{"name": "amount", "kind": "continuous"}]})");
  const auto sql = [&](const Schema& meaning) { return to_sql(witness.conditions, meaning, SqlDialect::sqlite); };
  is_good &= expect(sql(model.schema()) == sql(numbers), "the SQL must compare numbers");
  is_good &= expect(nearest_normal(model, row, bits[1] + 0.5).has_value(), "another amount must make it normal");
  return is_good;
}

}  // namespace

int main() { return try_cuts(Cuts::sampled) && try_cuts(Cuts::optimal) ? 0 : 1; }
