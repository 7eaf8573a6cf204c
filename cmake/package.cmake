# SPDX-License-Identifier: Apache-2.0
# The installed package: find_package(warpmem) and a Debian package.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/warpmem)
install(EXPORT warpmem-targets NAMESPACE warpmem:: DESTINATION ${package_folder})
set(warpmem_configs ${CMAKE_INSTALL_DATADIR}/warpmem/configs)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/warpmem-config.cmake.in
                              ${PROJECT_BINARY_DIR}/warpmem-config.cmake
                              INSTALL_DESTINATION ${package_folder}
                              PATH_VARS warpmem_configs)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpmem-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/warpmem-config.cmake
              ${PROJECT_BINARY_DIR}/warpmem-config-version.cmake
        DESTINATION ${package_folder})
# The machines, which read_params() reads.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DATADIR}/warpmem
        FILES_MATCHING PATTERN "*.yaml")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warpmem-dev)
set(CPACK_PACKAGE_CONTACT "warpmem")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "SystemC/TLM-2.0 model of a GPU's memory system")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libsystemc-dev, libyaml-cpp-dev, libfmt-dev, pkg-config")
if(NOT WARPMEM_MEMORY_ONLY)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", liblzma-dev, libzstd-dev")
endif()
include(CPack)
