// SPDX-License-Identifier: Apache-2.0
// Describes a small table with an installed pidforest::report; succeeds if the outlier comes first.
#include <pidforest/pidforest.h>
#include <pidforest/report.h>

#include <string>
#include <vector>

int main() {
  std::vector<double> x(500, 1000.0);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) x[i] = static_cast<double>(i % 7);
  const pidforest::Table table = pidforest::Table::row_major(x, 1);
  const pidforest::Model model = pidforest::Model::fit(table, {.n_estimators = 20});
  const pidforest::TableBatches rows(table);
  const pidforest::Scores scores = pidforest::score_table(model, rows);
  const pidforest::ReportData data = pidforest::describe(model, scores, {.title = "a stranger's report"});
  const std::string page = pidforest::to_html(data);
  return !data.rows.empty() && data.rows.front().row == 500 && page.find("a stranger's report") != std::string::npos
             ? 0
             : 1;
}
