# `cmake --install` installs the library, its headers, and a package for find_package(pidforest).
include(CMakePackageConfigHelpers)
set(PIDFOREST_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/pidforest)

install(TARGETS pidforest EXPORT pidforestTargets)
if(PIDFOREST_BUILD_REPORT)
  install(TARGETS pidforest_report EXPORT pidforestTargets)
endif()
install(DIRECTORY include/pidforest DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT pidforestTargets NAMESPACE pidforest:: DESTINATION ${PIDFOREST_PACKAGE_DIR})

configure_package_config_file(cmake/pidforestConfig.cmake.in ${PROJECT_BINARY_DIR}/pidforestConfig.cmake
  INSTALL_DESTINATION ${PIDFOREST_PACKAGE_DIR})
# Before 1.0, a minor version may break the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pidforestConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pidforestConfig.cmake ${PROJECT_BINARY_DIR}/pidforestConfigVersion.cmake
  DESTINATION ${PIDFOREST_PACKAGE_DIR})
