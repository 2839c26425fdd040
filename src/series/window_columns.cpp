// SPDX-License-Identifier: Apache-2.0
#include "series/window_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/number_words.h"
#include "values/span_words.h"

namespace pidforest::series {

namespace {

using Form = WindowColumn::Form;

class Builder {
 public:
  explicit Builder(const WindowRecipe& recipe) : recipe_(recipe) {
    has_views_ = recipe.views != std::vector<std::string>{std::string(name_of(SeriesView::lags))};
  }

  WindowColumns build() {
    for (const std::string& name : recipe_.views)
      for (const SeriesView view : series_views(name)) add(view);
    if (has_views_)
      for (std::size_t metric = 0; metric < recipe_.metrics.size(); ++metric)
        if (!is_line(metric)) add_to_all_views(metric);
    return std::move(built_);
  }

 private:
  /// Whether rises, means and usual values make sense.
  [[nodiscard]] bool is_line(std::size_t metric) const { return recipe_.metrics[metric].kind == Kind::continuous; }
  [[nodiscard]] bool has_season() const {
    return std::ranges::any_of(recipe_.usual, [](const auto& usual) { return !usual.empty(); });
  }

  void add(SeriesView view) {
    const bool is_residual = view == SeriesView::residual && has_season();
    const std::string prefix = is_residual ? "residual " : "";
    if (view == SeriesView::lags || view == SeriesView::residual) add_lags(prefix + "lags", is_residual);
    if (view == SeriesView::changes) add_changes("changes");
    if (view == SeriesView::scales || view == SeriesView::residual) add_scales(prefix + "scales", is_residual);
  }

  void add_lags(const std::string& view, bool is_residual) {
    for (std::size_t metric = 0; metric < recipe_.metrics.size(); ++metric)
      for (std::size_t lag = recipe_.window; lag-- > 0;) add_lag(view, metric, is_residual, lag);
  }

  void add_changes(const std::string& view) {
    constexpr std::size_t longest = 8;
    for (std::size_t metric = 0; metric < recipe_.metrics.size(); ++metric) {
      if (!is_line(metric)) continue;
      add_lag(view, metric, false, 0);
      const std::string& name = recipe_.metrics[metric].name;
      for (std::size_t over = 1; over < recipe_.window && over <= longest; over *= 2)
        add_column(view, {.schema = {.name = fmt::format("rise of {} within {}", name, span_of(over)),
                                     .unit = recipe_.metrics[metric].unit,
                                     .rise_of = name},
                          .form = Form::rise,
                          .signal = signal_of(metric, false),
                          .span = over});
    }
  }

  void add_scales(const std::string& view, bool is_residual) {
    for (std::size_t metric = 0; metric < recipe_.metrics.size(); ++metric) {
      if (!is_line(metric)) continue;
      const std::size_t signal = signal_of(metric, is_residual);
      for (const std::size_t span : scale_spans(recipe_.metrics.size()))
        for (const auto& [form, word] : {std::pair(Form::mean, "mean"), {Form::deviation, "deviation"}})
          add_column(view, {.schema = {.name = fmt::format("{} of {} over the last {}", word,
                                                           built_.signals[signal].name, span_of(span)),
                                       .unit = recipe_.metrics[metric].unit},
                            .form = form,
                            .signal = signal,
                            .span = span});
    }
  }

  void add_lag(const std::string& view, std::size_t metric, bool is_residual, std::size_t lag) {
    const std::size_t signal = signal_of(metric, is_residual && is_line(metric));
    const Signal& of = built_.signals[signal];
    ColumnSchema schema = recipe_.metrics[metric];
    if (of.is_residual) schema = {.name = of.name, .unit = schema.unit};
    schema.name = lag == 0 ? of.name : fmt::format("{} {} earlier", of.name, span_of(lag));
    add_column(view, {.schema = std::move(schema), .form = Form::lag, .signal = signal, .span = lag});
  }

  /// A column that is there already belongs to one more view.
  void add_column(const std::string& view, WindowColumn column) {
    const auto name = [](const WindowColumn& one) -> const std::string& { return one.schema.name; };
    auto found = std::ranges::find(built_.columns, column.schema.name, name);
    if (found == built_.columns.end())
      found = built_.columns.insert(found, std::move(column));
    else if (found->signal != column.signal || found->form != column.form || found->span != column.span)
      throw InvalidInput(fmt::format("the windows have two columns named '{}'; rename a metric.",
                                     values::excerpt(column.schema.name)));
    std::vector<std::string>& views = found->schema.views;
    if (has_views_ && std::ranges::find(views, view) == views.end()) views.push_back(view);
  }

  /// The last value of a metric that is no line of numbers belongs to every view.
  void add_to_all_views(std::size_t metric) {
    add_lag("", metric, false, 0);
    const auto name = [](const WindowColumn& one) -> const std::string& { return one.schema.name; };
    std::ranges::find(built_.columns, recipe_.metrics[metric].name, name)->schema.views.clear();
  }

  std::size_t signal_of(std::size_t metric, bool is_residual) {
    const bool has_usual = is_residual && !recipe_.usual[metric].empty();
    const std::string& name = recipe_.metrics[metric].name;
    const Signal signal{has_usual ? name + " minus usual" : name, metric, has_usual};
    const auto found = std::ranges::find_if(built_.signals, [&](const Signal& one) {
      return one.metric == signal.metric && one.is_residual == signal.is_residual;
    });
    if (found != built_.signals.end()) return static_cast<std::size_t>(found - built_.signals.begin());
    built_.signals.push_back(signal);
    return built_.signals.size() - 1;
  }

  [[nodiscard]] std::string span_of(std::size_t n_samples) const { return span_name(n_samples, recipe_.step); }

  const WindowRecipe& recipe_;
  bool has_views_ = false;
  WindowColumns built_;
};

}  // namespace

WindowColumns window_columns(const WindowRecipe& recipe) { return Builder(recipe).build(); }

std::vector<std::size_t> scale_spans(std::size_t n_metrics) {
  if (n_metrics == 1) return {4, 16, 64, 256};
  return {8, 64};
}

std::string span_name(std::size_t n_samples, std::int64_t step) {
  if (step == 0) return values::counted(n_samples, "sample");
  return values::span_words(static_cast<std::int64_t>(n_samples) * step);
}

}  // namespace pidforest::series
