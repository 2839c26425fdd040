// SPDX-License-Identifier: Apache-2.0
#include "pidforest/options.h"

#include <gtest/gtest.h>

#include <limits>

#include "pidforest/error.h"

namespace pidforest {
namespace {

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const InvalidOption& error) {
    return error.what();
  }
  return "no error";
}

TEST(Options, of_every_preset_are_valid) {
  for (const auto name : preset_names()) EXPECT_NO_THROW(validate(preset(name))) << name;
}

TEST(Options, written_as_text_read_back_as_they_were) {
  for (const auto name : preset_names()) {
    const Options options = preset(name);
    Options read;
    for (const OptionSpec& spec : option_specs()) set_option(read, spec.name, spec.text(options));
    EXPECT_EQ(read, options) << name;
  }
}

TEST(Options, say_which_what_is_allowed_and_what_came) {
  Options options;
  EXPECT_EQ(message_of([&] { set_option(options, "max_depth", "0"); }),
            "max_depth must be a whole number between 1 and 64; got 0.");
  EXPECT_EQ(message_of([&] { set_option(options, "max_depth", "3.5"); }),
            "max_depth must be a whole number between 1 and 64; got 3.5.");
  EXPECT_EQ(message_of([&] { set_option(options, "cuts", "best"); }),
            "cuts must be one of sampled, optimal; got best.");
  EXPECT_EQ(message_of([&] { set_option(options, "axis_power", "nan"); }),
            "axis_power must be a number of at least 0, or infinity; got nan.");
  EXPECT_EQ(message_of([&] { set_option(options, "depth", "3"); }), "unknown option depth.");
  EXPECT_EQ(message_of([&] { preset("fast"); }), "preset must be one of default, paper, authors; got fast.");
  options.n_estimators = 0;
  EXPECT_EQ(message_of([&] { validate(options); }),
            "n_estimators must be a whole number between 1 and 1000000; got 0.");
}

TEST(Options, without_a_value_are_automatic) {
  Options options{.min_node_rows = 3, .epsilon = 0};
  set_option(options, "min_node_rows", "auto");
  set_option(options, "epsilon", "auto");
  EXPECT_EQ(options, Options());
  EXPECT_FALSE(options.min_node_rows || options.epsilon);
  options.epsilon = -1;
  EXPECT_EQ(message_of([&] { validate(options); }), "epsilon must be a number between 0 and 100, or auto; got -1.");
}

TEST(Options, that_contradict_each_other_are_refused) {
  Options options;
  options.axis_gain = AxisGain::relative;
  EXPECT_NE(message_of([&] { validate(options); }), "no error");
}

TEST(Options, of_the_presets_are_those_of_the_design) {
  EXPECT_EQ(preset("default").n_estimators, 100);
  EXPECT_EQ(preset("default").cuts, Cuts::sampled);
  EXPECT_EQ(preset("paper").max_children, 5);
  EXPECT_EQ(preset("paper").axis_power, std::numeric_limits<double>::infinity());
  EXPECT_EQ(preset("paper").count_rows, Options::own_sample);
  EXPECT_EQ(preset("authors").count_rows, 2000);
  EXPECT_EQ(preset("authors").quantile, 0.5);
}

}  // namespace
}  // namespace pidforest
