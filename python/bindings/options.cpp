// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bindings.h"

namespace nb = nanobind;

namespace pidforest::python {

Options options_of(const nb::dict& texts, const Options& defaults) {
  Options options = defaults;
  for (const auto& [name, text] : texts) set_option(options, nb::cast<std::string>(name), nb::cast<std::string>(text));
  validate(options);
  return options;
}

nb::dict texts_of(const Options& options) {
  nb::dict texts;
  for (const OptionSpec& spec : option_specs()) texts[nb::cast(spec.name)] = spec.text(options);
  return texts;
}

void bind_options(nb::module_& module) {
  nb::class_<OptionSpec>(module, "OptionSpec", "The declaration of an option.")
      .def_ro("name", &OptionSpec::name)
      .def_ro("symbol", &OptionSpec::symbol)
      .def_ro("help", &OptionSpec::help)
      .def_prop_ro("type",
                   [](const OptionSpec& spec) {
                     return spec.type == OptionSpec::Type::choice ? "choice"
                            : spec.type == OptionSpec::Type::real ? "real"
                                                                  : "integer";
                   })
      .def_prop_ro("allowed", &OptionSpec::allowed);
  module.def(
      "option_specs",
      [] {
        const auto specs = option_specs();
        return std::vector<OptionSpec>(specs.begin(), specs.end());
      },
      "Every option, in the order in which people meet them.");
  module.def(
      "preset", [](const std::string& name) { return texts_of(preset(name)); }, nb::arg("name"),
      nb::sig("def preset(name: str) -> dict[str, str]"), "The options of a preset as texts.");
  module.def(
      "check_options", [](const nb::dict& texts) { options_of(texts); }, nb::arg("options"),
      nb::sig("def check_options(options: dict[str, str]) -> None"),
      "Raises ValueError for the first option that is out of its range.");
}

}  // namespace pidforest::python
