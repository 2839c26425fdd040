// SPDX-License-Identifier: Apache-2.0
// Writes a report of a small table through an installed pidforest::report, and finds its title in the page.
#include <pidforest/pidforest.h>
#include <pidforest/report.h>

#include <string>
#include <vector>

int main() {
  std::vector<double> x(500, 1000.0);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) x[i] = static_cast<double>(i % 7);
  const pidforest::Table table = pidforest::Table::row_major(x, 1);
  const pidforest::Model model = pidforest::Model::fit(table, {.n_estimators = 20});
  const std::string page =
      pidforest::report_html(model, pidforest::score_table(model, table), {.title = "a stranger's report"});
  return page.find("a stranger's report") != std::string::npos ? 0 : 1;
}
