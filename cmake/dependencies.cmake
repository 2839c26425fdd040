# Finds the libraries of the build. If any is missing, one error names the packages of all that are.

set(missing "")
macro(find_library_package name)
  find_package(${name} QUIET)
  if(NOT ${name}_FOUND)
    list(APPEND missing ${name})
  endif()
endmacro()

find_package(Threads REQUIRED)
find_library_package(hwy)
find_library_package(fmt)
find_library_package(nlohmann_json)
if(PIDFOREST_BUILD_CLI)
  find_library_package(CLI11)
  find_library_package(BZip2)
  find_library_package(LibLZMA)
  find_library_package(ZLIB)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(ZSTD QUIET IMPORTED_TARGET libzstd)
  endif()
  if(NOT ZSTD_FOUND)
    list(APPEND missing zstd)
  endif()
endif()

if(missing)
  set(debian libhwy-dev libfmt-dev nlohmann-json3-dev libcli11-dev libbz2-dev liblzma-dev zlib1g-dev libzstd-dev pkg-config)
  set(fedora highway-devel fmt-devel json-devel cli11-devel bzip2-devel xz-devel zlib-devel libzstd-devel pkgconf)
  set(arch highway fmt nlohmann-json cli11 bzip2 xz zlib zstd pkgconf)
  set(alpine highway-dev fmt-dev nlohmann-json cli11-dev bzip2-dev xz-dev zlib-dev zstd-dev pkgconf)
  set(brew highway fmt nlohmann-json cli11 bzip2 xz zlib zstd pkgconf)
  foreach(list missing debian fedora arch alpine brew)
    list(JOIN ${list} " " ${list})
  endforeach()
  message(FATAL_ERROR "pidforest cannot be built: these libraries are missing: ${missing}. Install them:\n"
    "  Debian, Ubuntu: apt-get install ${debian}\n"
    "  Fedora:         dnf install ${fedora}\n"
    "  Arch:           pacman -S ${arch}\n"
    "  Alpine:         apk add ${alpine}\n"
    "  Homebrew:       brew install ${brew}")
endif()
