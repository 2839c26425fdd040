// SPDX-License-Identifier: Apache-2.0
#include "file/grown_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "file/axis_sections.h"
#include "file/options_json.h"
#include "file/reasons_sections.h"
#include "file/tree_sections.h"
#include "model/check_forest.h"
#include "model/check_reasons.h"
#include "model/roots.h"
#include "pidforest/error.h"

namespace pidforest::file {

using forest::Forest;
using schema::AxisInfo;

namespace {

/// Which of the encoder's axes the forest's are.
std::vector<std::size_t> read_axis_order(SectionReader& file, std::size_t n_infos) {
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
Forest read_forest(SectionReader& file, std::span<const AxisInfo> infos, std::int64_t n_trees, Counts& counts) {
  Forest forest;
  read_trees(file, forest.trees, counts);
  if (forest.trees.size() != static_cast<std::size_t>(n_trees))
    throw BadFile(fmt::format("it must have {} trees, as its options say; got {}.", n_trees, forest.trees.size()));
  std::vector<forest::Root> roots = read_roots(file, infos.size(), forest.trees.size());
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

std::vector<AxisInfo> axes_of(const model::State& state) {
  std::vector<AxisInfo> infos;
  for (const std::size_t axis : state.axis_order) infos.push_back(state.encoder.axes()[axis]);
  return infos;
}

}  // namespace

Options read_options(SectionReader& file) {
  constexpr std::size_t longest = 1 << 16;
  const std::string_view text = file.take("options");
  if (text.size() > longest)
    throw BadFile(fmt::format("its options must have at most {} bytes; got {}.", longest, text.size()));
  return parse_options(text);
}

model::State read_grown(SectionReader& file) {
  model::State state{.options = read_options(file), .encoder = schema::Encoder(parse_schema(file.take("schema")))};
  state.axis_order = read_axis_order(file, state.encoder.axes().size());
  const std::vector<AxisInfo> infos = axes_of(state);
  Forest forest = read_forest(file, infos, state.options.n_estimators, state.counts);
  forest.isolated = read_isolated(file, infos);
  forest.relations = read_relations(file, infos.size());
  forest.views = model::views_of(state.encoder, state.axis_order);
  model::check_forest(forest, infos, state.options.max_depth);
  model::check_counts(forest, state.counts);
  state.forest = std::make_shared<const Forest>(std::move(forest));
  state.book = std::make_shared<const forest::CodeBook>(*state.forest);
  return state;
}

void read_reasons_of(SectionReader& file, model::State& state) {
  if (file.has("cube.count") != state.options.reasons)
    throw BadFile("it must have reasons if and only if its option reasons is on.");
  if (!state.options.reasons) return;
  reasons::Reasons reasons = read_reasons(file, *state.forest);
  model::check_reasons(reasons, *state.forest, axes_of(state));
  state.reasons = std::make_shared<const reasons::Reasons>(std::move(reasons));
}

}  // namespace pidforest::file
