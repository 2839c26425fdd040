// SPDX-License-Identifier: Apache-2.0
// Where a path leads: symbolic links, and the names that the operating system has for open files.
#pragma once

#include <string>

namespace pidforest::system {

/// Whether the path is an entry of /proc, as /proc/self/fd/1 is: a file or pipe that is open already.
bool names_descriptor(const std::string& path);

/// The path at the end of all symbolic links, also if there is no such file yet. Stops at a link that names an open
/// file. Throws FileError if the links form a loop or cannot be read.
std::string follow_links(const std::string& path);

}  // namespace pidforest::system
