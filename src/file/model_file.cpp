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
#include "file/grown_sections.h"
#include "file/options_json.h"
#include "file/pair_sections.h"
#include "file/profile_sections.h"
#include "file/reasons_sections.h"
#include "file/sections.h"
#include "file/tree_sections.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "pidforest/model.h"
#include "system/atomic_file.h"
#include "values/excerpt.h"

namespace pidforest {

using forest::Forest;

namespace {

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

/// Whether a schema has parts that format 1.1 did not have.
bool has_later_schema(const Schema& schema) {
  const auto is_later = [](const ColumnSchema& column) {
    return !column.written.empty() || column.date_order > DateOrder::month_first;
  };
  return schema.format != WrittenFormat{} || std::ranges::any_of(schema.columns, is_later);
}

/// Whether columns are in views, which format 1.3 did not have.
bool has_views(const Schema& schema) {
  const auto is_later = [](const ColumnSchema& column) { return !column.views.empty() || !column.rise_of.empty(); };
  return schema.windows || std::ranges::any_of(schema.columns, is_later);
}

std::optional<double> read_threshold(file::SectionReader& file) {
  const auto threshold = file.take_array<double>("threshold");
  if (threshold.size() > 1) throw BadFile(fmt::format("it must have one threshold or none; got {}.", threshold.size()));
  if (threshold.size() == 0) return std::nullopt;
  if (!std::isfinite(threshold[0])) throw BadFile(fmt::format("its threshold must be finite; got {}.", threshold[0]));
  return threshold[0];
}

model::State read_state(file::SectionReader& file) {
  if (file.has("stream.sizes"))
    throw BadFile("it is the state of a stream, not a model. See `pidforest stream --state`.");
  if (file.has("part"))
    throw BadFile(fmt::format("it is a part of a fit, {}, not a model. See docs/distributed.md.",
                              values::excerpt(file.take("part"))));
  model::State state = file::read_grown(file);
  state.pairs = file::read_pairs(file, state.forest->root);
  if (!state.pairs.empty() && !state.options.rare_pairs)
    throw BadFile("it has rare pairs, which it may have only if its option rare_pairs is on.");
  state.threshold = read_threshold(file);
  if (state.threshold.has_value() != (state.options.contamination != Options::none))
    throw BadFile("it must have a threshold if and only if its option contamination is not none.");
  state.tables = forest::score_tables(*state.forest, state.counts);
  read_medians(file, state);
  file::read_reasons_of(file, state);
  if (file.has("profile.rows"))
    state.profile =
        std::make_shared<const model::Profile>(file::read_profile(file, state.encoder.axes(), state.axis_order));
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
  const auto roots = forest.own_roots.empty() ? std::span(&forest.root, 1) : std::span(forest.own_roots);
  file::add_roots(file, roots);
  file::add_trees(file, forest.trees, state_->counts);
  file.add_array("threshold", std::vector<double>(threshold() ? 1 : 0, threshold().value_or(0)),
                 [](double threshold) { return threshold; });
  const bool has_medians = has_own_medians(*state_);
  if (has_medians) file.add_array("tree.median", state_->tables.median_bits, [](double bits) { return bits; });
  file::add_isolated(file, forest.isolated);
  file::add_relations(file, forest.relations);
  file::add_pairs(file, state_->pairs);
  if (state_->reasons) file::add_reasons(file, *state_->reasons, forest);
  if (state_->profile) {
    file::add_profile(file, *state_->profile);
    return file.finish({.minor = 5});
  }
  if (has_views(schema())) return file.finish({.minor = 4});
  if (file::has_bits_off(roots)) return file.finish({.minor = 3});
  if (file::has_later_options(options()) || has_later_schema(schema())) return file.finish({.minor = 2});
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
