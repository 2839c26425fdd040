// SPDX-License-Identifier: Apache-2.0
// The verb `man`. Prints the manual page, which is made from the declared flags.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "flags/declarations.h"
#include "flags/exit_codes.h"
#include "out/output_file.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

/// Text as roff shows it unchanged: a backslash, a dash, and a dot or quote that begins a line are special.
std::string roff(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
  }
  return safe;
}

std::string flag_entry(const DeclaredFlag& flag) {
  std::vector<std::string> names;
  for (const std::string& name : flag.names) names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
  const bool says_type = !flag.type.empty() && !flag.is_positional;
  return fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "),
                     says_type ? fmt::format(" \\fI{}\\fR", roff(flag.type)) : "", roff(flag.help));
}

/// The flags, with the name of each group above those that belong to it; the usual groups go without.
std::string flag_entries(const std::vector<DeclaredFlag>& flags) {
  std::string text;
  std::string group;
  for (const DeclaredFlag& flag : flags) {
    const bool is_usual = flag.is_positional || flag.group == "Options";
    if (!is_usual && flag.group != group) text += fmt::format(".PP\n{}:\n", roff(flag.group));
    group = flag.group;
    text += flag_entry(flag);
  }
  return text;
}

std::string usage_of(const DeclaredVerb& verb) {
  std::string usage = fmt::format(".B pidforest {}\n", roff(verb.name));
  for (const DeclaredFlag& flag : verb.flags)
    if (flag.is_positional) usage += fmt::format(".I {}\n", roff(flag.names.front()));
  return usage + "[\\fIflags\\fR]\n";
}

std::string verb_section(const DeclaredVerb& verb) {
  return fmt::format(".SS {}\n{}.PP\n{}.\n{}.PP\n.nf\n{}\n.fi\n", roff(verb.name), usage_of(verb), roff(verb.help),
                     flag_entries(verb.flags), roff(verb.footer));
}

std::string man_page(const CLI::App& app) {
  const DeclaredVerb command = declared_command(app);
  std::string synopsis;
  std::string sections;
  for (const DeclaredVerb& verb : declared_verbs(app)) {
    synopsis += usage_of(verb) + ".br\n";
    sections += verb_section(verb);
  }
  std::string codes;
  for (const auto& [code, meaning] : exit_codes) codes += fmt::format(".TP\n{}\n{}\n", int{code}, roff(meaning));
  return fmt::format(
      ".TH PIDFOREST 1 \"\" \"pidforest {}\" \"User Commands\"\n.SH NAME\npidforest \\- {}\n.SH SYNOPSIS\n{}"
      ".SH DESCRIPTION\nResults go to standard output, messages and progress to standard error. "
      "A file named \\- is standard input.\n{}.SH COMMANDS\n{}.SH EXIT STATUS\n{}",
      PIDFOREST_VERSION, roff(command.help), synopsis, flag_entries(command.flags), sections, codes);
}

}  // namespace

void add_man(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("man", "Print the manual page");
  verb->footer("To read it: pidforest man | man -l -\n\nExample:\n  pidforest man");
  verb->callback([&app] { write_stdout(man_page(app)); });
}

}  // namespace pidforest::cli
