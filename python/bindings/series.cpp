// SPDX-License-Identifier: Apache-2.0
#include "pidforest/series.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "pidforest/error.h"
#include "rows.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

using Bits = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Rows that are windows of samples.
class SeriesRows : public Rows {
 public:
  /// `series` must be the object that `batches` owns.
  SeriesRows(std::unique_ptr<Batches> batches, const Series& series, const SuggestedWindow& window)
      : Rows(std::move(batches), series.declared()), series_(series), window_(window) {}

  [[nodiscard]] const Series& series() const { return series_; }
  [[nodiscard]] const SuggestedWindow& window() const { return window_; }

 private:
  const Series& series_;
  SuggestedWindow window_;
};

/// Rows of a table with their context.
class ContextRows : public Rows {
 public:
  /// Braces: the number is taken before the context is moved.
  ContextRows(std::unique_ptr<Context> context, Schema schema)
      : ContextRows{context->order().n_late, std::move(context), std::move(schema)} {}

  [[nodiscard]] std::uint64_t n_late() const { return n_late_; }

 private:
  ContextRows(std::uint64_t n_late, std::unique_ptr<Batches> context, Schema schema)
      : Rows(std::move(context), std::move(schema)), n_late_(n_late) {}

  std::uint64_t n_late_;
};

WindowAlignment align_of(const std::string& name) {
  if (name == "start") return WindowAlignment::start;
  if (name == "end") return WindowAlignment::end;
  if (name == "max") return WindowAlignment::max;
  throw nb::value_error(("align must be 'start', 'end' or 'max'; got '" + name + "'.").c_str());
}

/// Without a window, the suggested one is used.
void make(SeriesRows* self, const Rows& samples, std::optional<std::size_t> window, std::string time, std::string by,
          std::optional<std::int64_t> max_gap, std::vector<std::size_t> means, bool calendar,
          const std::string& views) {
  SeriesOptions options{.time = std::move(time),
                        .by = std::move(by),
                        .max_gap = max_gap,
                        .means = std::move(means),
                        .calendar = calendar,
                        .views = series_views(views)};
  const nb::gil_scoped_release unlocked;
  const Schema declared = samples.declared();
  const SuggestedWindow used =
      window ? SuggestedWindow{.window = *window} : suggest_window(samples.batches(), options, declared);
  options.window = used.window;
  auto series = std::make_unique<Series>(samples.batches(), options, declared);
  const Series& made = *series;
  new (self) SeriesRows(std::move(series), made, used);
}

void make_as_fitted(SeriesRows* self, const Rows& samples, const Model& model) {
  const std::optional<WindowRecipe>& recipe = model.schema().windows;
  if (!recipe)
    throw InvalidInput("the model does not know how its windows were made; give the parameters of its fit instead.");
  const nb::gil_scoped_release unlocked;
  auto series = std::make_unique<Series>(Series::as_fitted(samples.batches(), *recipe));
  const Series& made = *series;
  new (self) SeriesRows(std::move(series), made, {.window = recipe->window});
}

/// The names of the time column and of the series key, if the model of the windows keeps them.
std::pair<std::string, std::string> names_of(const Model& model) {
  const WindowRecipe recipe = model.schema().windows.value_or(WindowRecipe{});
  return {recipe.time.name, recipe.by};
}

void make_context(ContextRows* self, const Rows& rows, std::string time, std::string by,
                  std::optional<std::int64_t> max_gap) {
  const nb::gil_scoped_release unlocked;
  const Schema schema = infer_schema(rows.batches(), rows.declared());
  auto context = std::make_unique<Context>(
      rows.batches(), schema, ContextOptions{.time = std::move(time), .by = std::move(by), .max_gap = max_gap});
  Schema with_context = context->schema();
  new (self) ContextRows(std::move(context), std::move(with_context));
}

void make_context_as_fitted(ContextRows* self, const Rows& rows, const Model& model) {
  const nb::gil_scoped_release unlocked;
  new (self) ContextRows(std::make_unique<Context>(rows.batches(), model.schema()), model.schema());
}

/// The window of each sample; -1 means none.
NumpyArray<std::int64_t> windows_of_samples(const SeriesRows& rows, const std::string& align, const Bits& bits) {
  std::vector<std::int64_t> windows;
  for (const std::size_t window : rows.series().shingles_of_samples(align_of(align), {bits.data(), bits.shape(0)}))
    windows.push_back(window == Series::none ? -1 : static_cast<std::int64_t>(window));
  return to_numpy(std::move(windows));
}

}  // namespace

void bind_series(nb::module_& module) {
  nb::class_<SeriesRows, Rows>(module, "SeriesRows", "Windows of the samples of series, as rows.")
      .def("__init__", make, nb::arg("samples"), nb::arg("window").none(), nb::arg("time"), nb::arg("by"),
           nb::arg("max_gap").none(), nb::arg("means"), nb::arg("calendar"), nb::arg("views"))
      .def("__init__", make_as_fitted, nb::arg("samples"), nb::arg("model"))
      .def_prop_ro("n_samples", [](const SeriesRows& rows) { return rows.series().n_samples(); })
      .def_prop_ro("window", [](const SeriesRows& rows) { return rows.window().window; })
      .def_prop_ro("is_period", [](const SeriesRows& rows) { return rows.window().is_period; })
      .def_prop_ro("n_late", [](const SeriesRows& rows) { return rows.series().order().n_late; })
      .def_prop_ro("n_set_back", [](const SeriesRows& rows) { return rows.series().order().n_set_back; })
      .def_prop_ro("n_repeated", [](const SeriesRows& rows) { return rows.series().order().n_repeated; })
      .def("windows_of_samples", windows_of_samples, nb::arg("align"), nb::arg("bits"));
  nb::class_<ContextRows, Rows>(module, "ContextRows", "Rows of a table with what came before them in their series.")
      .def("__init__", make_context, nb::arg("rows"), nb::arg("time"), nb::arg("by"), nb::arg("max_gap").none(),
           nb::keep_alive<1, 2>())
      .def("__init__", make_context_as_fitted, nb::arg("rows"), nb::arg("model"), nb::keep_alive<1, 2>())
      .def_prop_ro("n_late", &ContextRows::n_late);
  module.def("names_of_windows", names_of, nb::arg("model"),
             "The time column and the series key of the windows that a model was fitted on.");
}

}  // namespace pidforest::python
