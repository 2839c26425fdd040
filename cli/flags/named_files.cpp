// SPDX-License-Identifier: Apache-2.0
#include "flags/named_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "pidforest/error.h"
#include "system/atomic_file.h"
#include "system/paths.h"

namespace pidforest::cli {

namespace {

using Identity = std::optional<system::FileIdentity>;

Identity identity_of(const NamedFile& file, int standard) {
  if (file.path.empty()) return std::nullopt;
  return file.path == "-" ? system::identity_of(standard) : system::identity_of(file.path);
}

/// A file with the place where it was found before.
struct Known {
  const NamedFile* file;
  system::FileIdentity identity;
};

void refuse_known(const NamedFile& output, const system::FileIdentity& identity, const std::vector<Known>& known) {
  for (const Known& one : known)
    if (one.identity == identity)
      throw InvalidOption(fmt::format("{} and {} must not name the same file; got '{}' and '{}'.", output.flag,
                                      one.file->flag, output.path, one.file->path));
}

void check_standard_input(const std::vector<NamedFile>& inputs) {
  const NamedFile* first = nullptr;
  for (const NamedFile& input : inputs) {
    if (input.path != "-") continue;
    if (first != nullptr)
      throw InvalidOption(
          fmt::format("{} and {} cannot both be standard input; save one of them to a file.", first->flag, input.flag));
    first = &input;
  }
}

}  // namespace

void VerbFiles::check() const {
  check_standard_input(inputs);
  std::vector<Known> known;
  for (const NamedFile& input : inputs)
    if (const Identity identity = identity_of(input, STDIN_FILENO)) known.push_back({&input, *identity});
  for (const std::vector<NamedFile>* files : {&outputs, &growing})
    for (const NamedFile& output : *files) {
      const Identity identity = identity_of(output, STDOUT_FILENO);
      if (!identity) continue;
      refuse_known(output, *identity, known);
      known.push_back({&output, *identity});
    }
  for (const NamedFile& output : outputs)
    if (!output.path.empty() && output.path != "-") system::AtomicFile::check(output.path);
  for (const NamedFile& output : growing)
    if (!output.path.empty() && output.path != "-") system::check_writable(output.path);
}

}  // namespace pidforest::cli
