// SPDX-License-Identifier: Apache-2.0
#include "report/report_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace pidforest::report {
namespace {

bool has(const std::string& json, const std::string& part) { return json.find(part) != std::string::npos; }

TEST(ReportJson, an_empty_report_has_all_keys) {
  EXPECT_EQ(
      to_json({}),
      R"({"title":"","headline":"","facts":[],"notes":[],"n_rows":0,"n_anomalies":0,)"
      R"("scores":{"axis":{"name":"","bars":[],"levels":[],"ticks":[],"n_missing":0,"scale":"","is_circle":false},)"
      R"("threshold":null,"threshold_words":""},"axes":[],"incidents":[],"rows":[],"columns":[],"pairs":[],)"
      R"("relations":{"names":[],"pairs":[],"n_columns":0,"n_pairs":0},"series":null})");
}

TEST(ReportJson, a_text_is_escaped_and_what_is_not_utf8_is_replaced) {
  EXPECT_TRUE(has(to_json({.title = "a\"\\\n\x01\u00E9\xFF"}), R"({"title":"a\"\\\n\u0001)"
                                                               "\u00E9\uFFFD\""));
}

TEST(ReportJson, numbers_have_the_digits_of_a_picture) {
  const ReportData::Track track{
      .times = {1e9, 0.1}, .scores = {0.123456, 2}, .metrics = {{.mean = {1.23456789e-7, 100, -0.0}}}};
  const std::string json = to_json({.series = ReportData::Series{.tracks = {track}}});
  EXPECT_TRUE(has(json, R"("times":[1000000000.0,0.1],"scores":[0.1235,2.0])")) << json;
  EXPECT_TRUE(has(json, R"("low":[],"mean":[1.23457e-07,100.0,-0.0],"high":[])")) << json;
}

TEST(ReportJson, absent_values_and_numbers_that_are_not_finite_are_null) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string json = to_json({.rows = {{.bits = nan}}, .columns = {{.missing_share = nan}}});
  EXPECT_TRUE(has(json, R"("id":null,"time":"","seconds":null,"bits":null)")) << json;
  EXPECT_TRUE(has(json, R"("label":null,"incident":null)")) << json;
  EXPECT_TRUE(has(json, R"("missing_share":null)")) << json;
}

TEST(ReportJson, pairs_ticks_and_cells_are_arrays) {
  const std::string json = to_json({.facts = {{"rows", "12"}},
                                    .axes = {{.ticks = {{0.5, "half"}}}},
                                    .pairs = {{.points = {{0.25, 0.75}}, .cells = {{1, 2, 3}, {4, 5, 6}}}}});
  EXPECT_TRUE(has(json, R"("facts":[["rows","12"]])")) << json;
  EXPECT_TRUE(has(json, R"("ticks":[[0.5,"half"]])")) << json;
  EXPECT_TRUE(has(json, R"("points":[[0.25,0.75]],"cells":[[1,2,3],[4,5,6]])")) << json;
}

}  // namespace
}  // namespace pidforest::report
