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
      R"("threshold":null,"threshold_words":""},"axes":[],"incidents":[],"is_in_time":false,"rows":[],)"
      R"("columns":[],"pairs":[],)"
      R"("relations":{"names":[],"pairs":[],"n_columns":0,"n_pairs":0},"changes":null,"series":null})");
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

TEST(ReportJson, a_window_and_the_blame_of_an_incident_are_objects) {
  const ReportData::Window window{
      .places = {1, 2}, .from = 1, .to = 2, .n_samples = 2, .metrics = {{.name = "load", .values = {0.5, 1.0 / 3}}}};
  const std::string json =
      to_json({.incidents = {{.from = 7, .blame = {{.name = "load", .bits = 2.5, .value = "9"}}, .row = 3}},
               .rows = {{.metrics = {"load"}, .window = window}}});
  EXPECT_TRUE(has(json, R"("from":7.0,"to":null,"length":"","worst_time":"","key":"",)"
                        R"("blame":[{"name":"load","bits":2.5,"value":"9"}],"is_open":false,"row":3})"))
      << json;
  EXPECT_TRUE(has(json, R"("metrics":["load"],"window":{"places":[1.0,2.0],"is_time":false,"from":1.0,"to":2.0,)"
                        R"("at":null,"n_samples":2,"metrics":[{"name":"load","unit":"","values":[0.5,0.333333]}]})"))
      << json;
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
