// SPDX-License-Identifier: Apache-2.0
// Stores a model as sections of a file: the concatenated arrays of all trees, and the schema and options as JSON.
// Declared in pidforest/model.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "file/axis_sections.h"
#include "file/options_json.h"
#include "file/pair_sections.h"
#include "file/reasons_sections.h"
#include "file/sections.h"
#include "file/tree_sections.h"
#include "model/check_forest.h"
#include "model/check_reasons.h"
#include "model/roots.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "pidforest/model.h"
#include "system/atomic_file.h"

namespace pidforest {

using forest::Forest;
using schema::AxisInfo;

namespace {

/// Which of the encoder's axes the forest's are.
std::vector<std::size_t> read_axis_order(file::SectionReader& file, std::size_t n_infos) {
  const auto source = file.take_array<std::uint32_t>("axis.source");
  std::vector<std::size_t> axis_order;
  std::vector<bool> is_used(n_infos);
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] >= n_infos || is_used[source[i]])
      throw BadFile(fmt::format("axis {} must be one of the {} axes of the schema, each used once; got {}.", i, n_infos,
                                source[i]));
    is_used[source[i]] = true;
    axis_order.push_back(source[i]);
  }
  return axis_order;
}

/// The root cubes and the trees, as they are in the file but for the levels of the intervals. The counts are the
/// trees'.
Forest read_forest(file::SectionReader& file, std::span<const AxisInfo> infos, std::int64_t n_trees, Counts& counts) {
  Forest forest;
  file::read_trees(file, forest.trees, counts);
  if (forest.trees.size() != static_cast<std::size_t>(n_trees))
    throw BadFile(fmt::format("it must have {} trees, as its options say; got {}.", n_trees, forest.trees.size()));
  std::vector<forest::Root> roots = file::read_roots(file, infos.size(), forest.trees.size());
  const bool has_own_roots = roots.size() == forest.trees.size();
  for (forest::Root& root : roots)
    for (std::size_t axis = 0; axis < root.size(); ++axis)
      root[axis] = has_own_roots ? model::checked_own_interval(infos[axis], std::move(root[axis]))
                                 : model::checked_interval(infos[axis], std::move(root[axis]));
  if (!has_own_roots) {
    forest.root = std::move(roots[0]);
    return forest;
  }
  for (std::size_t axis = 0; axis < infos.size(); ++axis)
    if (std::ranges::all_of(roots, [&](const forest::Root& root) { return std::isinf(root[axis].high); }))
      throw BadFile(fmt::format("axis {} must have an interval in some tree.", axis));
  return model::forest_of(std::move(roots), std::move(forest.trees), infos);
}

/// What `vote` compares with, where it is not what the counts give.
void read_medians(file::SectionReader& file, model::State& state) {
  if (!file.has("tree.median")) return;
  const auto medians = file.take_array<double>("tree.median");
  if (state.options.aggregate != Aggregate::vote || medians.size() != state.forest->trees.size())
    throw BadFile("it must have one median per tree, and only if its option aggregate is vote.");
  for (std::size_t tree = 0; tree < medians.size(); ++tree) {
    if (!std::isfinite(medians[tree]))
      throw BadFile(fmt::format("the median of tree {} must be finite; got {}.", tree, medians[tree]));
    state.tables.median_bits[tree] = medians[tree];
  }
}

bool has_own_medians(const model::State& state) {
  return state.options.aggregate == Aggregate::vote &&
         state.tables.median_bits != forest::score_tables(*state.forest, state.counts).median_bits;
}

std::optional<double> read_threshold(file::SectionReader& file) {
  const auto threshold = file.take_array<double>("threshold");
  if (threshold.size() > 1) throw BadFile(fmt::format("it must have one threshold or none; got {}.", threshold.size()));
  if (threshold.size() == 0) return std::nullopt;
  if (!std::isfinite(threshold[0])) throw BadFile(fmt::format("its threshold must be finite; got {}.", threshold[0]));
  return threshold[0];
}

/// The reasons are there if and only if the options say so.
void read_reasons(file::SectionReader& file, std::span<const AxisInfo> infos, model::State& state) {
  if (file.has("cube.count") != state.options.reasons)
    throw BadFile("it must have reasons if and only if its option reasons is on.");
  if (!file.has("cube.count")) return;
  reasons::Reasons reasons = file::read_reasons(file, *state.forest);
  model::check_reasons(reasons, *state.forest, infos);
  state.reasons = std::make_shared<const reasons::Reasons>(std::move(reasons));
}

Options read_options(file::SectionReader& file) {
  constexpr std::size_t longest = 1 << 16;
  const std::string_view text = file.take("options");
  if (text.size() > longest)
    throw BadFile(fmt::format("its options must have at most {} bytes; got {}.", longest, text.size()));
  return file::parse_options(text);
}

model::State read_state(file::SectionReader& file) {
  if (file.has("stream.sizes"))
    throw BadFile("it is the state of a stream, not a model. See `pidforest stream --state`.");
  model::State state{.options = read_options(file), .encoder = schema::Encoder(parse_schema(file.take("schema")))};
  state.axis_order = read_axis_order(file, state.encoder.axes().size());
  std::vector<AxisInfo> infos;
  for (const std::size_t axis : state.axis_order) infos.push_back(state.encoder.axes()[axis]);
  Forest forest = read_forest(file, infos, state.options.n_estimators, state.counts);
  forest.isolated = file::read_isolated(file, infos);
  forest.relations = file::read_relations(file, infos.size());
  state.forest = std::make_shared<const Forest>(std::move(forest));
  state.pairs = file::read_pairs(file, state.forest->root);
  if (!state.pairs.empty() && !state.options.rare_pairs)
    throw BadFile("it has rare pairs, which it may have only if its option rare_pairs is on.");
  state.threshold = read_threshold(file);
  if (state.threshold.has_value() != (state.options.contamination != Options::none))
    throw BadFile("it must have a threshold if and only if its option contamination is not none.");
  model::check_forest(*state.forest, infos, state.options.max_depth);
  model::check_counts(*state.forest, state.counts);
  state.book = std::make_shared<const forest::CodeBook>(*state.forest);
  state.tables = forest::score_tables(*state.forest, state.counts);
  read_medians(file, state);
  read_reasons(file, infos, state);
  file.check_all_taken();
  return state;
}

/// `name` is the prefix of messages.
Model read_model(std::string_view bytes, std::string_view name) {
  return file::read_sections(bytes, name,
                             [](file::SectionReader& file) { return model::Access::made_of(read_state(file)); });
}

}  // namespace

std::string Model::to_bytes() const {
  file::SectionWriter file;
  file.add("schema", to_json(schema()));
  file.add("options", file::to_json(options()));
  file.add_array("axis.source", state_->axis_order, [](std::size_t axis) { return static_cast<std::uint32_t>(axis); });
  const Forest& forest = *state_->forest;
  file::add_roots(file, forest.own_roots.empty() ? std::span(&forest.root, 1) : std::span(forest.own_roots));
  file::add_trees(file, forest.trees, state_->counts);
  file.add_array("threshold", std::vector<double>(threshold() ? 1 : 0, threshold().value_or(0)),
                 [](double threshold) { return threshold; });
  const bool has_medians = has_own_medians(*state_);
  if (has_medians) file.add_array("tree.median", state_->tables.median_bits, [](double bits) { return bits; });
  file::add_isolated(file, forest.isolated);
  file::add_relations(file, forest.relations);
  file::add_pairs(file, state_->pairs);
  if (state_->reasons) file::add_reasons(file, *state_->reasons, forest);
  if (file::has_later_options(options())) return file.finish(file::current_format);
  const bool is_plain = forest.own_roots.empty() && !has_medians;
  return file.finish({.minor = static_cast<std::uint16_t>(is_plain ? 0 : 1)});
}

Model Model::from_bytes(std::string_view bytes) { return read_model(bytes, "model file"); }

void Model::save(const std::string& path) const {
  system::AtomicFile file(path);
  file.write(to_bytes());
  file.commit();
}

Model Model::load(const std::string& path) {
  const std::string name = fmt::format("model file '{}'", path);
  return read_model(file::read_sections_file(path, name), name);
}

}  // namespace pidforest
