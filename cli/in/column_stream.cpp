// SPDX-License-Identifier: Apache-2.0
#include "in/column_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "in/arrow_held.h"
#include "in/integer_texts.h"
#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

/// Whether the schema or array has all the children that it declares.
template <class Struct>
bool has_children(const Struct& parent) {
  if (parent.n_children <= 0) return parent.n_children == 0;
  return parent.children != nullptr &&
         std::all_of(parent.children, parent.children + parent.n_children, [](const auto* child) { return child; });
}

bool is_table(const ArrowSchema& schema) {
  return schema.format != nullptr && std::string_view(schema.format) == "+s" && has_children(schema);
}

}  // namespace

struct ColumnStream::State {
  ArrowOwned<ArrowArrayStream> source;
  ArrowOwned<ArrowSchema> schema;
  std::vector<Choice> choices;
  std::string complaint;
  bool has_rows = false;

  [[nodiscard]] const ArrowSchema& field(const Choice& choice) const { return *schema->children[choice.column]; }
  [[nodiscard]] bool becomes_text(const Choice& choice) const {
    return choice.as_text && has_integer_texts(field(choice));
  }

  /// A schema of the chosen columns, which views that of the source.
  struct HeldSchema {
    std::shared_ptr<State> state;
    std::vector<ArrowSchema> texts;
    std::vector<ArrowSchema*> children;
  };
  /// A record batch of the chosen columns, which owns that of the source.
  struct HeldArray {
    ArrowOwned<ArrowArray> source;
    std::vector<std::unique_ptr<IntegerTexts>> texts;
    std::vector<ArrowArray*> children;
  };

  static void give_schema(const std::shared_ptr<State>& state, ArrowSchema& out);
  void give_array(ArrowOwned<ArrowArray> batch, ArrowArray& out) const;
};

void ColumnStream::State::give_schema(const std::shared_ptr<State>& state, ArrowSchema& out) {
  auto held = std::make_unique<HeldSchema>(HeldSchema{.state = state, .texts = {}, .children = {}});
  held->texts.reserve(state->choices.size());
  for (const Choice& choice : state->choices) {
    ArrowSchema* child = state->schema->children[choice.column];
    if (state->becomes_text(choice)) child = &held->texts.emplace_back(schema_of_integer_texts(*child));
    held->children.push_back(child);
  }
  out = *state->schema;
  out.n_children = static_cast<std::int64_t>(held->children.size());
  out.children = held->children.data();
  out.private_data = held.release();
  out.release = release_held<HeldSchema, ArrowSchema>;
}

void ColumnStream::State::give_array(ArrowOwned<ArrowArray> batch, ArrowArray& out) const {
  auto held = std::make_unique<HeldArray>(HeldArray{.source = std::move(batch), .texts = {}, .children = {}});
  for (const Choice& choice : choices) {
    ArrowArray* child = held->source->children[choice.column];
    if (becomes_text(choice)) {
      held->texts.push_back(std::make_unique<IntegerTexts>(*child, field(choice)));
      child = held->texts.back()->array();
    }
    held->children.push_back(child);
  }
  out = *held->source;
  out.n_children = static_cast<std::int64_t>(held->children.size());
  out.children = held->children.data();
  out.private_data = held.release();
  out.release = release_held<HeldArray, ArrowArray>;
}

namespace {

using State = ColumnStream::State;

/// What the private data of a chosen stream points to.
using Shared = std::shared_ptr<State>;

State& state_of(ArrowArrayStream* stream) { return **static_cast<Shared*>(stream->private_data); }

/// No exception may pass through the C interface.
template <class Act>
int guarded(State& state, const Act& act) {
  try {
    return act();
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const std::exception& error) {
    state.complaint = error.what();
    return EINVAL;
  }
}

const char* complaint_of(State& state) {
  if (!state.complaint.empty()) return state.complaint.c_str();
  const auto& source = state.source;
  return source->get_last_error == nullptr ? nullptr : source->get_last_error(state.source.get());
}

/// DuckDB 1.5 gives an error in place of the end of a result without rows. It reports all other errors earlier, or in
/// other words.
bool is_without_rows(State& state) {
  const char* words = complaint_of(state);
  return !state.has_rows && words != nullptr &&
         std::string_view(words).find("closed pending query") != std::string_view::npos;
}

int next_chosen(State& state, ArrowArray* out) {
  ArrowOwned<ArrowArray> batch;
  *out = {};
  state.complaint.clear();
  const int error = state.source->get_next(state.source.get(), batch.get());
  if (error != 0) return is_without_rows(state) ? 0 : error;
  if (!batch.is_there()) return 0;
  state.has_rows = state.has_rows || batch->length > 0;
  if (!has_children(*batch) || batch->n_children != state.schema->n_children)
    throw InvalidInput(fmt::format("a record batch must have the {} columns of its schema; got {}.",
                                   state.schema->n_children, batch->n_children));
  state.give_array(std::move(batch), *out);
  return 0;
}

[[noreturn]] void refuse_schema(ArrowOwned<ArrowArrayStream>& source, int error) {
  const char* words = source->get_last_error == nullptr ? nullptr : source->get_last_error(source.get());
  throw InvalidInput(fmt::format("the database gives rows of unknown types: {}.",
                                 words == nullptr ? std::generic_category().message(error) : words));
}

}  // namespace

ColumnStream::ColumnStream(ArrowOwned<ArrowArrayStream> source) : state_(std::make_shared<State>()) {
  state_->source = std::move(source);
  ArrowOwned<ArrowArrayStream>& stream = state_->source;
  if (!stream.is_there()) throw InvalidInput("the database gives no rows: the query must be one that selects rows.");
  const int error = stream->get_schema(stream.get(), state_->schema.get());
  if (error != 0 || !state_->schema.is_there()) refuse_schema(stream, error);
  if (!is_table(*state_->schema))
    throw InvalidInput("the driver of the database must give a table; its schema is damaged. Use another driver.");
  for (std::int64_t j = 0; j < state_->schema->n_children; ++j) {
    const char* name = state_->schema->children[j]->name;
    names_.emplace_back(name == nullptr ? "" : name);
  }
}

/// Asks the reader of Arrow streams, with a stream of this column and without rows.
std::string ColumnStream::refusal_of(std::size_t column) const {
  ArrowSchema schema = *state_->schema;
  schema.n_children = 1;
  schema.children += column;
  schema.private_data = nullptr;
  schema.release = release_nothing<ArrowSchema>;
  ArrowArrayStream stream = {};
  stream.private_data = &schema;
  stream.get_schema = [](ArrowArrayStream* given, ArrowSchema* out) {
    *out = *static_cast<ArrowSchema*>(given->private_data);
    return 0;
  };
  stream.get_next = [](ArrowArrayStream*, ArrowArray* out) {
    *out = {};
    return 0;
  };
  stream.release = release_nothing<ArrowArrayStream>;
  try {
    for_each_batch(&stream, [](const ArrayTable&) {});
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return {};
}

ArrowArrayStream ColumnStream::chosen(std::vector<Choice> choices) {
  state_->choices = std::move(choices);
  ArrowArrayStream stream = {};
  stream.private_data = new Shared(std::move(state_));
  stream.get_schema = [](ArrowArrayStream* given, ArrowSchema* out) {
    const auto& state = *static_cast<Shared*>(given->private_data);
    return guarded(*state, [&] {
      State::give_schema(state, *out);
      return 0;
    });
  };
  stream.get_next = [](ArrowArrayStream* given, ArrowArray* out) {
    return guarded(state_of(given), [&] { return next_chosen(state_of(given), out); });
  };
  stream.get_last_error = [](ArrowArrayStream* given) { return complaint_of(state_of(given)); };
  stream.release = release_held<Shared, ArrowArrayStream>;
  return stream;
}

}  // namespace pidforest::cli
