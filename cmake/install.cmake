# `cmake --install` installs the library, its headers, and packages for find_package(pidforest) and for pkg-config.
include(CMakePackageConfigHelpers)
set(PIDFOREST_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/pidforest)

set(PIDFOREST_PARTS exact)
if(PIDFOREST_BUILD_REPORT)
  list(APPEND PIDFOREST_PARTS report)
endif()
if(BUILD_SHARED_LIBS)
  # One library has all parts. The names of the parts lead to it.
  set_target_properties(pidforest_shared PROPERTIES EXPORT_NAME pidforest)
  set(targets pidforest_shared)
  foreach(part ${PIDFOREST_PARTS})
    add_library(pidforest_${part}_shared INTERFACE)
    set_target_properties(pidforest_${part}_shared PROPERTIES EXPORT_NAME ${part})
    target_link_libraries(pidforest_${part}_shared INTERFACE pidforest_shared)
    list(APPEND targets pidforest_${part}_shared)
  endforeach()
  set(PIDFOREST_PC_LIBS "-lpidforest")
  set(PIDFOREST_PC_REQUIRES "")
else()
  # Static libraries leave it to their users to link the libraries that they need.
  set(targets pidforest)
  set(PIDFOREST_PC_LIBS "-lpidforest -pthread")
  set(PIDFOREST_PC_REQUIRES "fmt libhwy libhwy-contrib")
  foreach(part ${PIDFOREST_PARTS})
    list(APPEND targets pidforest_${part})
    string(PREPEND PIDFOREST_PC_LIBS "-lpidforest_${part} ")
  endforeach()
endif()
install(TARGETS ${targets} EXPORT pidforestTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/pidforest DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT pidforestTargets NAMESPACE pidforest:: DESTINATION ${PIDFOREST_PACKAGE_DIR})

configure_package_config_file(cmake/pidforestConfig.cmake.in ${PROJECT_BINARY_DIR}/pidforestConfig.cmake
  INSTALL_DESTINATION ${PIDFOREST_PACKAGE_DIR})
# Before 1.0, a minor version may break the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pidforestConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pidforestConfig.cmake ${PROJECT_BINARY_DIR}/pidforestConfigVersion.cmake
  DESTINATION ${PIDFOREST_PACKAGE_DIR})

# The paths in pidforest.pc are relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH PIDFOREST_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/pidforest.pc.in ${PROJECT_BINARY_DIR}/pidforest.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/pidforest.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
