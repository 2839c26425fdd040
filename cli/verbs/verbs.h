// SPDX-License-Identifier: Apache-2.0
// The verbs of the command line, one file each: every function adds its verb to the app.
#pragma once

#include "flags/cli11.h"

namespace pidforest::cli {

void add_compare(CLI::App& app);
void add_completion(CLI::App& app);
void add_config(CLI::App& app);
void add_detect(CLI::App& app);
void add_exact(CLI::App& app);
void add_explain(CLI::App& app);
void add_fit(CLI::App& app);
void add_help(CLI::App& app);
void add_inspect(CLI::App& app);
void add_man(CLI::App& app);
void add_options(CLI::App& app);
void add_prometheus(CLI::App& app);
void add_report(CLI::App& app);
void add_schema(CLI::App& app);
void add_score(CLI::App& app);
void add_stream(CLI::App& app);

}  // namespace pidforest::cli
