# SPDX-License-Identifier: Apache-2.0
include(GNUInstallDirs)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
if(NOT WARPMEM_MEMORY_ONLY)
  find_package(Threads REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(CLI11 REQUIRED)
  pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
  find_package(LibLZMA REQUIRED)
  find_package(SQLite3 REQUIRED)
  pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
endif()

# warpmem_own_files(VARIABLE PATTERN): the files of the calling folder and below, but for folders
# that have a CMakeLists.txt of their own.
function(warpmem_own_files variable pattern)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${pattern})
  file(GLOB_RECURSE nested CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  foreach(list_file ${nested})
    get_filename_component(folder ${list_file} DIRECTORY)
    list(FILTER files EXCLUDE REGEX "^${folder}/")
  endforeach()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# warpmem_library(NAME [HEADERS_ONLY] [EXCEPT file...] [DEPS target...]): a static library `wm_NAME`
# of every other .cpp in the calling folder and below, leaving out folders that have a
# CMakeLists.txt of their own.
function(warpmem_library name)
  cmake_parse_arguments(ARG "HEADERS_ONLY" "" "EXCEPT;DEPS" ${ARGN})
  warpmem_own_files(sources *.cpp)
  list(REMOVE_ITEM sources ${ARG_EXCEPT})
  if(sources AND NOT ARG_HEADERS_ONLY)
    add_library(wm_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(wm_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(wm_${name} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/systemc>
                             $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/warpmem>)
  target_compile_features(wm_${name} ${scope} cxx_std_17)
  target_link_libraries(wm_${name} ${scope} ${ARG_DEPS})
endfunction()

# warpmem_public_headers(NAME FOLDER file...): these headers, whose names begin in FOLDER, belong to
# the library wm_NAME, and are installed with it.
function(warpmem_public_headers name folder)
  get_target_property(type wm_${name} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL INTERFACE_LIBRARY)
    set(scope INTERFACE)
  endif()
  target_sources(wm_${name} ${scope} FILE_SET HEADERS BASE_DIRS ${folder} FILES ${ARGN})
  set_property(GLOBAL APPEND PROPERTY warpmem_public_headers ${ARGN})
endfunction()

# warpmem_header_hash(NAME HEADER): gives the library wm_NAME the header HEADER, a name to include,
# which holds the hash of all public headers so far (header_hash.cmake).
function(warpmem_header_hash name header)
  get_property(headers GLOBAL PROPERTY warpmem_public_headers)
  set(script ${PROJECT_SOURCE_DIR}/cmake/header_hash.cmake)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/public_headers.txt)
  set(folder ${PROJECT_BINARY_DIR}/public)
  string(JOIN "\n" lines ${headers})
  file(CONFIGURE OUTPUT ${list} CONTENT "${lines}\n" @ONLY)
  add_custom_command(OUTPUT ${folder}/${header}
    COMMAND ${CMAKE_COMMAND} -DLIST=${list} -DROOT=${PROJECT_SOURCE_DIR}
            -DOUTPUT=${folder}/${header} -P ${script}
    DEPENDS ${headers} ${list} ${script} VERBATIM)
  warpmem_public_headers(${name} ${folder} ${folder}/${header})
endfunction()

# warpmem_install(NAME): the library is warpmem::NAME to projects that use the installed package;
# its headers, which are public, go with it. `all_verify_interface_header_sets` compiles each alone.
function(warpmem_install name)
  set_target_properties(wm_${name} PROPERTIES EXPORT_NAME ${name} VERIFY_INTERFACE_HEADER_SETS ON)
  warpmem_own_files(headers *.hpp)
  list(FILTER headers EXCLUDE REGEX "_bench[^/]*$")
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} DIRECTORY)
  warpmem_public_headers(${name} ${folder} ${headers})
  install(TARGETS wm_${name} EXPORT warpmem-targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpmem
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpmem)
endfunction()

# warpmem_compile_quickly(TARGET): for code that no simulated cycle runs (commands, drivers of other
# tools, tests). Its templates are most of the build's time, and optimised in full take twice as
# long.
function(warpmem_compile_quickly target)
  target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-Og>")
endfunction()

# warpmem_prepared_sources(NAME SOURCES file... DEPS target...): those of the library wm_NAME that
# work before the first cycle and after the last one: -O1 compiles them in half the time, and they
# take milliseconds of a run. They are left out of warpmem_library(NAME), and their objects are part
# of it all the same.
function(warpmem_prepared_sources name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(wm_${name}_prepared OBJECT ${ARG_SOURCES})
  target_include_directories(wm_${name}_prepared PRIVATE ${PROJECT_SOURCE_DIR}/systemc
                             ${PROJECT_SOURCE_DIR})
  target_link_libraries(wm_${name}_prepared PRIVATE ${ARG_DEPS})
  target_compile_options(wm_${name}_prepared PRIVATE "$<$<CONFIG:Release>:-O1>")
  target_sources(wm_${name} PRIVATE $<TARGET_OBJECTS:wm_${name}_prepared>)
endfunction()

# warpmem_simulation_headers(TARGET): SystemC's headers are parsed once for the libraries of the
# simulator.
function(warpmem_simulation_headers target)
  if(NOT TARGET wm_simulation_headers)
    file(CONFIGURE OUTPUT simulation_headers.cpp CONTENT "")
    add_library(wm_simulation_headers STATIC ${CMAKE_CURRENT_BINARY_DIR}/simulation_headers.cpp)
    target_link_libraries(wm_simulation_headers PRIVATE PkgConfig::SYSTEMC fmt::fmt)
    target_precompile_headers(wm_simulation_headers PRIVATE <fmt/format.h> <systemc> <tlm>
      <tlm_utils/passthrough_target_socket.h> <tlm_utils/simple_initiator_socket.h>
      <algorithm> <array> <bitset> <deque> <functional> <map> <memory> <optional> <string>
      <string_view> <unordered_map> <utility> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM wm_simulation_headers)
endfunction()

# warpmem_common_headers(TARGET): the same, for a library whose every file reads the headers of JSON
# and text: they are parsed once for all such libraries.
function(warpmem_common_headers target)
  warpmem_compile_quickly(${target})
  if(NOT TARGET wm_common_headers)
    file(CONFIGURE OUTPUT common_headers.cpp CONTENT "")
    add_library(wm_common_headers STATIC ${CMAKE_CURRENT_BINARY_DIR}/common_headers.cpp)
    target_link_libraries(wm_common_headers PRIVATE nlohmann_json::nlohmann_json fmt::fmt)
    warpmem_compile_quickly(wm_common_headers)
    target_precompile_headers(wm_common_headers PRIVATE <fmt/format.h> <nlohmann/json.hpp>
      <algorithm> <filesystem> <fstream> <functional> <map> <memory> <optional> <set> <sstream>
      <string> <string_view> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM wm_common_headers)
endfunction()
