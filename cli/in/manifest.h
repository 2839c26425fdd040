// SPDX-License-Identifier: Apache-2.0
// The manifest of an ADBC driver: a TOML file that says where its library is.
#pragma once

#include <string>
#include <string_view>

namespace pidforest::cli {

struct ManifestEntries {
  /// Driver.shared, or its entry for this platform; empty if there is none.
  std::string library;
  /// Driver.entrypoint, which may be left out.
  std::string entry;
};

/// "linux_amd64": the key of this machine's library.
std::string_view this_platform();

/// Reads the two entries and passes over everything else. Texts in basic and literal quotes on one line are understood.
ManifestEntries parse_manifest(std::string_view toml);

}  // namespace pidforest::cli
