// SPDX-License-Identifier: Apache-2.0
#include "flags/completion_scripts.h"

#include <fmt/format.h>

#include <algorithm>

namespace pidforest::cli {

namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& words) { return fmt::format("{}", fmt::join(words, " ")); }

Words names_of(const std::vector<DeclaredVerb>& verbs) {
  Words names;
  for (const DeclaredVerb& verb : verbs) names.push_back(verb.name);
  return names;
}

/// The flags that begin with a dash.
Words dashed(const DeclaredVerb& verb) {
  Words names;
  for (const DeclaredFlag& flag : verb.flags)
    if (!flag.is_positional) names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// Quotes a text for a shell, in single quotes.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

/// The first part of a help text, which fits on one line.
std::string brief(const DeclaredFlag& flag) { return flag.help.substr(0, flag.help.find(';')); }

/// The bash case that completes the value of a flag.
std::string bash_value(const DeclaredVerb& verb, const DeclaredFlag& flag) {
  Words places;
  for (const std::string& name : flag.names) places.push_back(fmt::format("'{} {}'", verb.name, name));
  const std::string words =
      flag.words().empty() ? ""
                           : fmt::format(" COMPREPLY+=($(compgen -W '{}' -- \"$current\"));", joined(flag.words()));
  return fmt::format("    {}){}{} return ;;\n", fmt::join(places, "|"), words,
                     flag.takes_file() ? " _pidforest_files;" : "");
}

std::string bash_verb(const DeclaredVerb& verb) {
  Words words = dashed(verb);
  bool takes_file = false;
  for (const DeclaredFlag& flag : verb.flags) {
    if (!flag.is_positional) continue;
    const Words more = flag.words();
    words.insert(words.end(), more.begin(), more.end());
    takes_file = takes_file || flag.takes_file();
  }
  return fmt::format("    {}) words='{}'{} ;;\n", verb.name, joined(words), takes_file ? "; files=yes" : "");
}

/// Escapes a text for the brackets of _arguments.
std::string zsh_safe(std::string text) {
  for (const std::string_view special : {"\\", "[", "]", ":"})
    text = replaced(text, special, "\\" + std::string(special));
  return text;
}

/// ":type of the value:how to complete it", for _arguments.
std::string zsh_value(const DeclaredFlag& flag) {
  if (flag.type.empty()) return "";
  std::string action = flag.takes_file() ? "_files" : " ";
  if (!flag.words().empty()) action = fmt::format("({})", joined(flag.words()));
  return fmt::format(":{}:{}", zsh_safe(flag.type), action);
}

std::string zsh_verb(const DeclaredVerb& verb) {
  std::string script = fmt::format("        {})\n          _arguments", verb.name);
  int n_positionals = 0;
  for (const DeclaredFlag& flag : verb.flags) {
    for (const std::string& name : flag.names) {
      const std::string place =
          flag.is_positional ? fmt::format("{}", ++n_positionals) : fmt::format("*{}[{}]", name, zsh_safe(brief(flag)));
      script += " \\\n            " + quoted(place + zsh_value(flag));
    }
  }
  return script + "\n          ;;\n";
}

std::string fish_flag(const DeclaredVerb& verb, const DeclaredFlag& flag) {
  std::string line = fmt::format("complete -c pidforest -n '__fish_seen_subcommand_from {}'", verb.name);
  for (const std::string& name : flag.names)
    if (name.starts_with("-")) line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!flag.is_positional) line += fmt::format(" -d {}", quoted(brief(flag)));
  if (!flag.type.empty() && !flag.is_positional) line += flag.takes_file() ? " -r" : " -x";
  if (flag.takes_file()) line += " -F";
  if (!flag.words().empty()) line += fmt::format(" -a {}", quoted(joined(flag.words())));
  return line + "\n";
}

}  // namespace

std::string bash_completion(const DeclaredVerb& command, const std::vector<DeclaredVerb>& verbs) {
  std::string values;
  std::string flags;
  for (const DeclaredVerb& verb : verbs) {
    flags += bash_verb(verb);
    for (const DeclaredFlag& flag : verb.flags)
      if (!flag.is_positional && !flag.type.empty()) values += bash_value(verb, flag);
  }
  const std::string first = joined(names_of(verbs)) + " " + joined(dashed(command));
  return "# bash completion for pidforest, made by `pidforest completion bash`\n"
         "_pidforest_files() {\n"
         "  local IFS=$'\\n'\n"
         "  COMPREPLY+=($(compgen -f -- \"$current\"))\n"
         "}\n"
         "_pidforest() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}\n"
         "  local words='' files=''\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W '" +
         first +
         "' -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"$verb $before\" in\n" +
         values +
         "  esac\n"
         "  case $verb in\n" +
         flags +
         "  esac\n"
         "  case $current in\n"
         "    -*) files='' ;;\n"
         "  esac\n"
         "  if [ -n \"$current\" ] || [ -z \"$files\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$current\")); "
         "fi\n"
         "  if [ -n \"$files\" ]; then _pidforest_files; fi\n"
         "}\n"
         "complete -o filenames -F _pidforest pidforest\n";
}

std::string zsh_completion(const DeclaredVerb& command, const std::vector<DeclaredVerb>& verbs) {
  std::string lines;
  std::string cases;
  for (const DeclaredVerb& verb : verbs) {
    lines += "        " + quoted(zsh_safe(verb.name) + ":" + zsh_safe(verb.help)) + "\n";
    cases += zsh_verb(verb);
  }
  return "#compdef pidforest\n"
         "# zsh completion for pidforest, made by `pidforest completion zsh`\n"
         "_pidforest() {\n"
         "  local curcontext=\"$curcontext\" state line\n"
         "  _arguments -C '1: :->verb' '*:: :->rest' " +
         joined(dashed(command)) +
         "\n"
         "  case $state in\n"
         "    verb)\n"
         "      local -a verbs=(\n" +
         lines +
         "      )\n"
         "      _describe verb verbs\n"
         "      ;;\n"
         "    rest)\n"
         "      case $line[1] in\n" +
         cases +
         "      esac\n"
         "      ;;\n"
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _pidforest ]; then _pidforest \"$@\"; else compdef _pidforest pidforest; fi\n";
}

std::string fish_completion(const DeclaredVerb& command, const std::vector<DeclaredVerb>& verbs) {
  std::string script =
      "# fish completion for pidforest, made by `pidforest completion fish`\n"
      "complete -c pidforest -f\n";
  for (const std::string& flag : dashed(command))
    if (flag.starts_with("--"))
      script += fmt::format("complete -c pidforest -n __fish_use_subcommand -l {}\n", flag.substr(2));
  for (const DeclaredVerb& verb : verbs) {
    script += fmt::format("complete -c pidforest -n __fish_use_subcommand -a {} -d {}\n", verb.name, quoted(verb.help));
    for (const DeclaredFlag& flag : verb.flags) script += fish_flag(verb, flag);
  }
  return script;
}

}  // namespace pidforest::cli
