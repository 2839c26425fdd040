// SPDX-License-Identifier: Apache-2.0
// Files with correct checksums but impossible contents: they are rejected with a message, quickly and using little
// memory.
#include "forged_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "file/options_json.h"
#include "fixed_checksums.h"
#include "pidforest/error.h"
#include "pidforest/series.h"
#include "random_table.h"
#include "unit/file/memory_peak.h"
#include "unit/file/refusal.h"
#include "unit/file/true_model.h"

namespace pidforest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

/// Returns the first node that satisfies the condition.
template <class T, class Holds>
std::size_t first_node(const ForgedFile& file, std::string_view section, const Holds& holds) {
  const auto numbers = file.numbers<T>(section);
  return static_cast<std::size_t>(std::ranges::find_if(numbers, holds) - numbers.begin());
}

/// Trees whose upper levels split every node in two on a category with `n_levels` levels. The piece of the i-th inner
/// node of the forest is the level i % n_levels.
ForgedFile halving_forest(std::uint64_t n_trees, std::uint32_t n_inner, std::uint32_t n_levels) {
  ForgedFile file;
  std::vector<std::string> levels;
  for (std::uint32_t level = 0; level < n_levels; ++level) levels.push_back(std::to_string(level));
  const Schema schema{{{.name = "x", .kind = Kind::category, .levels = levels, .numeric_levels = true}}};
  file.set_text("schema", to_json(schema));
  file.set_text("options", file::to_json(Options{.n_estimators = static_cast<std::int64_t>(n_trees),
                                                 .max_depth = 64,
                                                 .related_share = 0,
                                                 .isolated = false,
                                                 .rare_pairs = false,
                                                 .contamination = Options::none,
                                                 .reasons = false}));
  file.set<std::uint32_t>("axis.source", {0});
  file.set<double>("axis.low", {0});
  file.set<double>("axis.high", {static_cast<double>(n_levels)});
  file.set<double>("axis.missing", {0});
  const std::uint32_t n_nodes = 2 * n_inner + 1;
  file.set("tree.n_nodes", std::vector<std::uint64_t>(n_trees, n_nodes));
  file.set("tree.n_cuts", std::vector<std::uint64_t>(n_trees, 0));
  file.set("tree.n_pieces", std::vector<std::uint64_t>(n_trees, n_inner));
  std::vector<std::uint32_t> first_child;
  std::vector<std::uint32_t> first_cut;
  std::vector<std::uint8_t> is_inner;
  std::vector<double> volumes;
  std::vector<std::uint32_t> begins;
  for (std::uint64_t t = 0; t < n_trees; ++t)
    for (std::uint32_t v = 0; v < n_nodes; ++v) {
      first_child.push_back(v < n_inner ? 2 * v + 1 : 0);
      first_cut.push_back(v < n_inner ? v : 0);
      is_inner.push_back(v < n_inner ? 1 : 0);
      volumes.push_back(1.0 - std::bit_width(v + 1));
      if (v < n_inner) begins.push_back(static_cast<std::uint32_t>((t * n_inner + v) % n_levels));
    }
  const auto scaled = [&](auto factor) {
    std::vector<decltype(factor)> numbers;
    for (const std::uint8_t inner : is_inner) numbers.push_back(static_cast<decltype(factor)>(inner * factor));
    return numbers;
  };
  file.set("node.first_child", first_child);
  file.set("node.first_cut", first_cut);
  file.set("node.n_cuts", scaled(std::uint32_t{1}));
  file.set("node.axis", scaled(std::uint32_t{0}));
  file.set("node.kind", scaled(std::uint8_t{2}));
  file.set("node.n_values", scaled(std::uint8_t{2}));
  file.set("node.fork_first", scaled(std::uint8_t{1}));
  file.set("node.has_missing", scaled(std::uint8_t{0}));
  file.set("node.log2_volume", volumes);
  file.set("node.count", scaled(std::uint64_t{0}));
  file.set<double>("cut", {});
  file.set("piece.begin", begins);
  for (std::uint32_t& begin : begins) ++begin;
  file.set("piece.end", begins);
  file.set("piece.child", std::vector<std::uint8_t>(begins.size(), 0));
  file.set<double>("threshold", {});
  return file;
}

/// Expects the same scores in a block and one by one, for rows with all levels and some unseen ones.
void expect_blocks_score_as_single_rows(const Model& model, std::uint32_t n_levels) {
  std::vector<double> levels(n_levels + 5);
  std::iota(levels.begin(), levels.end(), 0.0);
  const Table table(levels.size(), {{"x", levels.data(), 1}});
  const auto scores = model.score(table);
  for (std::size_t row = 0; row < levels.size(); row += 97)
    EXPECT_EQ(model.score(table.rows(row, row + 1))[0], scores[row]) << row;
}

TEST(ForgedFile, a_true_file_put_together_again_is_the_same) {
  EXPECT_EQ(true_file().bytes(), true_model().to_bytes());
}

TEST(ForgedFile, children_must_come_after_their_parent_and_have_no_other) {
  const std::size_t inner = first_node<std::uint32_t>(true_file(), "node.first_child", [](auto c) { return c > 1; });
  const auto with_first_child = [&](std::uint32_t child) {
    ForgedFile file = true_file();
    file.set_at("node.first_child", inner, child);
    return file;
  };
  expect_refused(with_first_child(static_cast<std::uint32_t>(inner)), "must come after it");
  expect_refused(with_first_child(0), "must have no cut either");
  expect_refused(with_first_child(std::numeric_limits<std::uint32_t>::max()), "must come after it");
  expect_refused(with_first_child(static_cast<std::uint32_t>(inner) + 1), "must have one parent; got two");
}

TEST(ForgedFile, a_chain_of_a_hundred_thousand_nodes_is_refused_by_its_depth) {
  ForgedFile file = halving_forest(1, 100000, 10);
  std::vector<std::uint32_t> first_child(200001, 0);
  for (std::uint32_t v = 0; v < 100000; ++v) {
    // The inner nodes are 0, 1, 3, 5, ...: each is the first child of the previous one.
    const std::uint32_t node = v == 0 ? 0 : 2 * v - 1;
    first_child[node] = 2 * v + 1;
  }
  file.set("node.first_child", first_child);
  for (const auto* section : {"node.n_values", "node.kind", "node.fork_first"}) {
    std::vector<std::uint8_t> numbers(first_child.size(), 0);
    for (std::size_t v = 0; v < numbers.size(); ++v)
      if (first_child[v] > 0) numbers[v] = std::string_view(section) == "node.fork_first" ? 1 : 2;
    file.set(section, numbers);
  }
  std::vector<std::uint32_t> n_cuts(first_child.size(), 0);
  std::vector<std::uint32_t> first_cut(first_child.size(), 0);
  for (std::size_t v = 0; v < n_cuts.size(); ++v)
    if (first_child[v] > 0) n_cuts[v] = 1;
  for (std::size_t v = 0; v < n_cuts.size(); ++v)
    if (first_child[v] > 0) first_cut[v] = first_child[v] / 2;
  file.set("node.n_cuts", n_cuts);
  file.set("node.first_cut", first_cut);
  expect_refused(file, "must be at most 64 deep");
}

TEST(ForgedFile, sizes_near_the_largest_number_are_refused) {
  for (const auto* section : {"tree.n_nodes", "tree.n_cuts", "tree.n_pieces"})
    for (const std::uint64_t size : {most, most - 7, most / 2, most / 16, std::uint64_t{1} << 40U}) {
      ForgedFile file = true_file();
      file.set_at(section, 0, size);
      expect_refused(file, "that are left");
    }
  for (const std::size_t field : {16U, 24U})  // offset and size of the first section
    for (const std::uint64_t number : {most, most - 31, most / 2, std::uint64_t{0}, std::uint64_t{1} << 32U}) {
      std::string bytes = true_model().to_bytes();
      std::string text;
      file::append_little_endian(text, number);
      bytes.replace(file::header_size + field, text.size(), text);
      EXPECT_NE(refusal_of(with_fixed_checksums(bytes)).find("is misplaced"), std::string::npos);
    }
  std::string bytes = true_model().to_bytes();
  bytes.replace(12, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_NE(refusal_of(with_fixed_checksums(bytes)).find("too short for the 4294967295 sections"), std::string::npos);
}

TEST(ForgedFile, a_size_that_the_header_lies_about_is_refused) {
  std::string bytes = true_model().to_bytes();
  std::string header = bytes.substr(0, 16);
  file::append_little_endian(header, most);
  header += bytes.substr(24, 4);
  file::append_little_endian(header, file::crc32c(header));
  bytes.replace(0, header.size(), header);
  EXPECT_NE(refusal_of(bytes).find("truncated"), std::string::npos);
  EXPECT_NE(refusal_of(true_model().to_bytes() + "x").find("more bytes after its end"), std::string::npos);
}

TEST(ForgedFile, sections_that_are_twice_there_lacking_or_unknown_are_refused) {
  ForgedFile twice = true_file();
  twice.add("cut", "");
  expect_refused(twice, "has the section 'cut' twice");
  ForgedFile unknown = true_file();
  unknown.add("later.idea", "x");
  expect_refused(unknown, "a section 'later.idea', which this version of pidforest does not know.");
  std::string later = unknown.bytes();
  later[10] = 6;
  EXPECT_NE(refusal_of(with_fixed_checksums(later))
                .find("written by a later version of pidforest (format 1.6); this version knows 1."),
            std::string::npos);
  EXPECT_NE(refusal_of(ForgedFile().bytes()).find("its section 'options' is missing"), std::string::npos);
}

TEST(ForgedFile, an_option_of_a_later_version_is_named) {
  ForgedFile file = true_file();
  file.set_text("options", R"({"n_estimators": 3, "contamination": 0.05, "wings": 2})");
  expect_refused(file, "unknown option wings.");
  file.set_text("options", R"({"n_estimators": 3, "n_estimators": 3})");
  expect_refused(file, "twice");
  file.set_text("options", R"({"n_estimators": 1e300})");
  expect_refused(file, "n_estimators must be a whole number between 1 and 1000000");
  file.set_text("options", R"({"n_estimators": 3, "contamination": 0.05})");
  EXPECT_EQ(refusal_of(file.bytes()), "no error");
}

TEST(ForgedFile, deep_and_large_json_is_refused_in_little_memory) {
  constexpr std::size_t size = 10'000'000;
  for (const auto* section : {"schema", "options"})
    for (const char c : {'[', '{', '"', '1', ' ', '\0'}) {
      ForgedFile file = true_file();
      file.set_text(section, std::string(size, c));
      const std::string bytes = file.bytes();
      EXPECT_LT(memory_peak_of([&] { EXPECT_NE(refusal_of(bytes), "no error"); }), 10 * size) << section << c;
    }
}

using Part = std::function<std::string(std::size_t)>;

/// Sanitizers make parsing thirty times slower; the memory per byte stays the same.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t long_schema_bytes = 250'000;
#else
constexpr std::size_t long_schema_bytes = 4'000'000;
#endif

/// A schema that consists of `front`, numbered parts, and `back`.
std::string long_schema(std::string_view front, const Part& part, std::string_view back) {
  std::string text(front);
  for (std::size_t i = 0; text.size() < long_schema_bytes; ++i) text += part(i);
  return text += back;
}

/// A part that repeats the text.
Part always(std::string_view text) {
  return [text](std::size_t) { return std::string(text); };
}

/// A part in which the number of the repetition replaces #.
Part numbered(std::string_view text) {
  return [text](std::size_t i) {
    std::string part(text);
    return part.replace(part.find('#'), 1, fmt::format("{:x}", i));
  };
}

/// Returns the peak memory of reading a forged schema, as a multiple of its size.
double memory_of_schema(const std::string& text) {
  ForgedFile file = true_file();
  file.set_text("schema", text);
  const std::string bytes = file.bytes();
  const std::size_t peak = memory_peak_of([&] { EXPECT_NE(refusal_of(bytes), "no error"); });
  return static_cast<double>(peak) / static_cast<double>(text.size());
}

constexpr std::string_view columns_begin = R"({"columns": [)";
constexpr std::string_view levels_begin = R"({"columns": [{"name": "x", "kind": "category", "levels": [)";
constexpr std::string_view parents_begin = R"({"columns": [{"name": "x", "kind": "category", "parents": {)";

TEST(ForgedFile, json_of_many_small_values_takes_little_memory) {
  for (const char* part : {"[],", "{},", "1,", "null,", R"("",)", R"({"a":{}},)"})
    EXPECT_LT(memory_of_schema(long_schema(columns_begin, always(part), "0]}")), 8) << part;
  for (const char* part : {"1,", R"("a",)", R"("",)", "null,", "[],"})
    EXPECT_LT(memory_of_schema(long_schema(levels_begin, always(part), "1]}]}")), 8) << part;
  for (const char* part : {"1,", "1e9,"})
    EXPECT_LT(memory_of_schema(long_schema(levels_begin, always(part), R"("a"]}]})")), 8) << part;
  EXPECT_LT(memory_of_schema(long_schema(levels_begin, numbered(R"("#",)"), R"("1"]}]})")), 8);
  for (const char* part : {R"("#":"",)", R"("#":1,)", R"("#":[],)"})
    EXPECT_LT(memory_of_schema(long_schema(parents_begin, numbered(part), R"("x":1}}]})")), 8) << part;
  EXPECT_LT(memory_of_schema(long_schema("{", numbered(R"("#":{},)"), R"("x":{}})")), 8);
}

TEST(ForgedFile, columns_and_levels_take_more_memory_the_shorter_their_description) {
  constexpr std::string_view last_column = R"({"name":"x","kind":"time"}]})";
  for (const char* part : {R"({"name":"#","kind":"time"},)", R"({"name":"#","kind":"boolean"},)"})
    EXPECT_LT(memory_of_schema(long_schema(columns_begin, numbered(part), last_column)), 21) << part;
  EXPECT_LT(memory_of_schema(long_schema(columns_begin, always(R"({"name":"a","kind":"time"},)"), last_column)), 21);
  EXPECT_LT(memory_of_schema(long_schema(levels_begin, numbered(R"("#",)"), R"("x"]}]})")), 18);
  EXPECT_LT(memory_of_schema(long_schema(parents_begin, numbered(R"("#":"x",)"), R"("y":"x"}}]})")), 18);
}

TEST(ForgedFile, numbers_that_are_none_are_refused_wherever_they_stand) {
  for (const auto* section : {"axis.low", "axis.high", "axis.missing", "node.log2_volume", "cut", "threshold"}) {
    const ForgedFile truth = true_file();
    const std::size_t n = truth.numbers<double>(section).size();
    ASSERT_GT(n, 0U) << section;
    for (std::size_t i = 0; i < n; ++i)
      for (const double bad : {infinity, -infinity, std::nan("")}) {
        ForgedFile file = truth;
        file.set_at(section, i, bad);
        ASSERT_NE(refusal_of(file.bytes()), "no error") << section << i;
      }
  }
}

TEST(ForgedFile, counts_must_add_up) {
  ForgedFile more = true_file();
  more.set_at("node.count", 1, std::uint64_t{301});
  expect_refused(more, "no more rows than its own 300");
  ForgedFile huge = true_file();
  huge.set_at("node.count", 1, most);
  expect_refused(huge, "no more rows than its own 300");
  ForgedFile other = true_file();
  const auto n_first = other.numbers<std::uint64_t>("tree.n_nodes")[0];
  other.set_at("node.count", n_first, std::uint64_t{350});
  EXPECT_NE(refusal_of(other.bytes()), "no error");
}

TEST(ForgedFile, cuts_and_pieces_must_be_in_order_and_in_range) {
  ForgedFile low = true_file();
  low.set_at("cut", 0, -1e9);
  expect_refused(low, "its cuts must be between");
  ForgedFile piece = true_file();
  piece.set_at("piece.end", 0, std::uint32_t{1000});
  expect_refused(piece, "its levels must increase");
  ForgedFile child = true_file();
  child.set_at("piece.child", 0, std::uint8_t{16});
  expect_refused(child, "its levels must increase");
  const std::size_t inner = first_node<std::uint32_t>(true_file(), "node.first_child", [](auto c) { return c > 0; });
  for (const auto* section : {"node.axis", "node.n_cuts", "node.first_cut"}) {
    ForgedFile file = true_file();
    file.set_at(section, inner, std::numeric_limits<std::uint32_t>::max());
    EXPECT_NE(refusal_of(file.bytes()), "no error") << section;
  }
  for (const auto* section : {"node.kind", "node.n_values", "node.fork_first", "node.has_missing"}) {
    ForgedFile file = true_file();
    file.set_at(section, inner, std::uint8_t{255});
    EXPECT_NE(refusal_of(file.bytes()), "no error") << section;
  }
}

TEST(ForgedFile, volumes_must_add_up) {
  ForgedFile file = true_file();
  file.set_at("node.log2_volume", 1, -900.0);
  expect_refused(file, "the volumes of its children must add up to its own");
}

TEST(ForgedFile, axes_must_be_those_of_the_schema) {
  ForgedFile twice = true_file();
  twice.set_at("axis.source", 1, twice.numbers<std::uint32_t>("axis.source")[0]);
  expect_refused(twice, "must be one of the 3 axes of the schema, each used once");
  ForgedFile none = true_file();
  none.set_at("axis.source", 1, std::uint32_t{3});
  expect_refused(none, "must be one of the 3 axes of the schema, each used once");
}

/// The model of a stream: its trees have different root cubes, and know different levels.
const Model& stream_model() {
  static const Model model = [] {
    const OwnedTable owned = random_table({ColumnSort::sometimes_missing, ColumnSort::category}, 600, 5);
    OwnedTable shifted = owned;
    for (std::size_t i = 0; i < shifted.values.size(); i += 2)
      shifted.values[i] += static_cast<double>(i) / 100;  // a drift of the numbers
    Stream stream({.forest = {.n_estimators = 3,
                              .related_share = 0,
                              .isolated = false,
                              .rare_pairs = false,
                              .aggregate = Aggregate::vote,
                              .contamination = 0.05,
                              .reasons = false},
                   .horizon = 100,
                   .warm_up = 50},
                  owned.schema());
    stream.learn(shifted.table());
    return stream.model();
  }();
  return model;
}
ForgedFile stream_file() { return ForgedFile(stream_model().to_bytes()); }

TEST(ForgedFile, a_model_of_a_stream_has_a_root_cube_per_tree) {
  const auto n_axes = stream_file().numbers<std::uint32_t>("axis.source").size();
  EXPECT_EQ(stream_file().numbers<double>("axis.low").size(), 3 * n_axes);
  EXPECT_EQ(stream_file().numbers<double>("tree.median").size(), 3U);
  EXPECT_EQ(stream_model().to_bytes()[10], 1);  // the minor version
  EXPECT_EQ(true_model().to_bytes()[10], 0);
  EXPECT_EQ(refusal_of(stream_file().bytes()), "no error");
}

TEST(ForgedFile, the_root_cubes_of_trees_must_be_whole_and_those_of_their_axes) {
  for (const char* name : {"axis.low", "axis.high", "axis.missing"}) {
    for (const std::size_t n : {0U, 1U, 3U, 5U, 7U, 12U}) {
      ForgedFile file = stream_file();
      file.set(name, std::vector<double>(n, 0));
      expect_refused(file, "arrays of axes");
    }
    ForgedFile file = stream_file();
    file.set_at(name, 2, std::nan(""));
    EXPECT_NE(refusal_of(file.bytes()), "no error") << name;
  }
  ForgedFile unbounded = stream_file();
  unbounded.set_at("axis.low", 0, -infinity);
  expect_refused(unbounded, "must lie between two numbers");
  for (const std::size_t axis : {0U, 1U}) {  // all of tree 0
    unbounded.set_at("axis.low", axis, -infinity);
    unbounded.set_at("axis.high", axis, infinity);
    unbounded.set_at("axis.missing", axis, 0.0);
  }
  expect_refused(unbounded, "knows nothing of the axis that it cuts");
}

TEST(ForgedFile, an_axis_that_no_tree_knows_is_refused) {
  ForgedFile file = stream_file();
  const auto n_axes = file.numbers<std::uint32_t>("axis.source").size();
  for (std::size_t tree = 0; tree < 3; ++tree) {
    file.set_at("axis.low", tree * n_axes, -infinity);
    file.set_at("axis.high", tree * n_axes, infinity);
    file.set_at("axis.missing", tree * n_axes, 0.0);
  }
  expect_refused(file, "must have an interval in some tree");
}

TEST(ForgedFile, a_tree_knows_no_more_levels_than_there_are) {
  for (const double n_levels : {0.5, 1.5, 1e9, 1e300}) {
    ForgedFile file = stream_file();
    const auto high = file.numbers<double>("axis.high");
    const auto n_axes = file.numbers<std::uint32_t>("axis.source").size();
    ASSERT_EQ(n_axes, 2U);
    file.set_at("axis.high", 1, n_levels);
    EXPECT_NE(refusal_of(file.bytes()), "no error") << n_levels;
  }
}

TEST(ForgedFile, medians_must_be_finite_and_one_per_tree_of_a_vote) {
  ForgedFile file = stream_file();
  file.set_at("tree.median", 1, infinity);
  expect_refused(file, "median of tree 1 must be finite");
  file.set<double>("tree.median", {1, 2});
  expect_refused(file, "one median per tree");
  ForgedFile mean = true_file();
  mean.set<double>("tree.median", {1, 2, 3});
  expect_refused(mean, "only if its option aggregate is vote");
}

TEST(ForgedFile, every_changed_byte_of_a_model_of_a_stream_is_refused_or_scores) {
  const std::string bytes = stream_model().to_bytes();
  const std::vector<double> x{-30, 0, 1e9, std::nan("")};
  const std::vector<double> y{0, 1, 2, 7};
  const std::vector<std::string>& names = {stream_model().schema().columns[0].name,
                                           stream_model().schema().columns[1].name};
  for (std::size_t i = 32; i < bytes.size(); i += 3) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
    try {
      const Model model = Model::from_bytes(with_fixed_checksums(changed));
      EXPECT_TRUE(Model::from_bytes(model.to_bytes()) == model) << i;
      (void)model.score(Table(x.size(), {{names[0], x.data()}, {names[1], y.data()}}));
    } catch (const BadFile&) {
      continue;
    } catch (const InvalidInput&) {
      continue;  // such values are not what the schema means
    }
  }
}

TEST(ForgedFile, many_trees_with_levels_of_their_own_take_little_memory) {
  const std::string bytes = halving_forest(4000, 1, 4000).bytes();
  EXPECT_LT(memory_peak_of([&] { (void)Model::from_bytes(bytes); }), 6 * bytes.size());
  expect_blocks_score_as_single_rows(Model::from_bytes(bytes), 4000);
}

TEST(ForgedFile, many_nodes_with_levels_of_their_own_take_little_memory) {
  const std::string bytes = halving_forest(1, 1U << 15U, 3000).bytes();
  EXPECT_LT(memory_peak_of([&] { (void)Model::from_bytes(bytes); }), 6 * bytes.size());
  expect_blocks_score_as_single_rows(Model::from_bytes(bytes), 3000);
}

TEST(ForgedFile, few_levels_have_tables_and_score_the_same) {
  expect_blocks_score_as_single_rows(Model::from_bytes(halving_forest(20, 50, 100).bytes()), 100);
  expect_blocks_score_as_single_rows(Model::from_bytes(halving_forest(20, 50, 300).bytes()), 300);
}

TEST(ForgedFile, a_range_of_a_million_billion_levels_takes_no_memory) {
  ForgedFile file = true_file();
  constexpr std::string_view old_kind = R"("kind": "continuous")";
  std::string schema = file.text("schema");
  schema.replace(schema.find(old_kind), old_kind.size(), R"("kind": "ordinal", "range": [0, 1e15])");
  file.set_text("schema", schema);
  EXPECT_LT(memory_peak_of([&] { EXPECT_EQ(refusal_of(file.bytes()), "no error"); }), std::size_t{4} << 20U);
}

}  // namespace
}  // namespace pidforest
