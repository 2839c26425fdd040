// SPDX-License-Identifier: Apache-2.0
// Stores a model as sections of a file: the concatenated arrays of all trees, and the schema and options as JSON.
// Declared in pidforest/model.h.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "file/options_json.h"
#include "file/sections.h"
#include "file/tree_sections.h"
#include "model/check_forest.h"
#include "model/roots.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "pidforest/model.h"
#include "system/atomic_file.h"

namespace pidforest {

using forest::Forest;
using geometry::AxisKind;
using geometry::Interval;
using schema::AxisInfo;

namespace {

void add_axes(file::SectionWriter& file, const std::vector<std::size_t>& axis_order,
              const std::vector<Interval>& root) {
  file.add_array("axis.source", axis_order, [](std::size_t axis) { return static_cast<std::uint32_t>(axis); });
  file.add_array("axis.low", root, [](const Interval& i) { return i.low; });
  file.add_array("axis.high", root, [](const Interval& i) { return i.high; });
  file.add_array("axis.missing", root, [](const Interval& i) { return i.missing_share; });
}

/// Reads the encoder axis of each forest axis, and the intervals.
void read_axes(file::SectionReader& file, const std::vector<AxisInfo>& infos, std::vector<std::size_t>& axis_order,
               std::vector<Interval>& root) {
  const auto source = file.take_array<std::uint32_t>("axis.source");
  const auto low = file.take_array<double>("axis.low");
  const auto high = file.take_array<double>("axis.high");
  const auto missing = file.take_array<double>("axis.missing");
  if (low.size() != source.size() || high.size() != source.size() || missing.size() != source.size())
    throw BadFile("its arrays of axes have different lengths.");
  std::vector<bool> is_used(infos.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] >= infos.size() || is_used[source[i]])
      throw BadFile(fmt::format("axis {} must be one of the {} axes of the schema, each used once; got {}.", i,
                                infos.size(), source[i]));
    is_used[source[i]] = true;
    const AxisInfo& info = infos[source[i]];
    Interval interval{low[i], high[i], missing[i]};
    model::check_interval(info, interval);
    if (model::kind_of(info, interval) == AxisKind::category)
      interval.branches = {{0, static_cast<std::uint32_t>(info.n_cells)}};
    axis_order.push_back(source[i]);
    root.push_back(std::move(interval));
  }
}

std::vector<model::AxisShape> shapes_of(const model::State& state) {
  std::vector<model::AxisShape> shapes;
  for (std::size_t i = 0; i < state.axis_order.size(); ++i) {
    const AxisInfo& info = state.encoder.axes()[state.axis_order[i]];
    shapes.push_back({model::kind_of(info, state.forest->root[i]), static_cast<std::uint32_t>(info.n_cells)});
  }
  return shapes;
}

std::optional<double> read_threshold(file::SectionReader& file) {
  const auto threshold = file.take_array<double>("threshold");
  if (threshold.size() > 1) throw BadFile(fmt::format("it must have one threshold or none; got {}.", threshold.size()));
  if (threshold.size() == 0) return std::nullopt;
  if (!std::isfinite(threshold[0])) throw BadFile(fmt::format("its threshold must be finite; got {}.", threshold[0]));
  return threshold[0];
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
  Forest forest;
  read_axes(file, state.encoder.axes(), state.axis_order, forest.root);
  file::read_trees(file, forest.trees, state.counts);
  if (forest.trees.size() != static_cast<std::size_t>(state.options.n_estimators))
    throw BadFile(fmt::format("it must have {} trees, as its options say; got {}.", state.options.n_estimators,
                              forest.trees.size()));
  state.threshold = read_threshold(file);
  if (state.threshold.has_value() != (state.options.contamination != Options::none))
    throw BadFile("it must have a threshold if and only if its option contamination is not none.");
  file.check_all_taken();
  state.forest = std::make_shared<const Forest>(std::move(forest));
  model::check_forest(*state.forest, shapes_of(state), state.options.max_depth);
  model::check_counts(*state.forest, state.counts);
  state.book = std::make_shared<const forest::CodeBook>(*state.forest);
  state.tables = forest::score_tables(*state.forest, state.counts);
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
  add_axes(file, state_->axis_order, state_->forest->root);
  file::add_trees(file, state_->forest->trees, state_->counts);
  file.add_array("threshold", std::vector<double>(threshold() ? 1 : 0, threshold().value_or(0)),
                 [](double threshold) { return threshold; });
  return file.finish();
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
