// SPDX-License-Identifier: Apache-2.0
#include "net/http.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "pidforest/error.h"
#include "system/read_file.h"

namespace pidforest::cli {

namespace {

constexpr std::string_view module_file = "libpidforest_http.so";

/// The folder of the running command, with a slash at its end.
std::string own_folder() {
  std::array<char, 4096> path = {};
  const ssize_t n = readlink("/proc/self/exe", path.data(), path.size());
  const std::string_view found(path.data(), n < 0 ? 0 : static_cast<std::size_t>(n));
  return std::string(found.substr(0, found.rfind('/') + 1));
}

}  // namespace

const HttpModule& http_for(const std::string& flag) {
  for (const std::string_view folder : {"", PIDFOREST_MODULES}) {
    const std::string path = fmt::format("{}{}{}", own_folder(), folder, module_file);
    if (!system::exists(path)) continue;
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) throw FileError(fmt::format("cannot load '{}': {}.", path, dlerror()));
    if (const void* found = dlsym(module, "pidforest_http")) return *static_cast<const HttpModule*>(found);
    throw FileError(fmt::format("'{}' is not the HTTP module of this command.", path));
  }
  throw InvalidOption(
      fmt::format("{} requires HTTP, which this build has not: {} is missing beside the command. Install "
                  "libcurl4-openssl-dev and libcpp-httplib-dev, and build again.",
                  flag, module_file));
}

}  // namespace pidforest::cli
