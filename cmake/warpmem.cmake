# SPDX-License-Identifier: Apache-2.0
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
find_package(Threads REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(LibLZMA REQUIRED)
find_package(SQLite3 REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)

# warpmem_library(NAME [DEPS target...]): a static library `wm_NAME` of every .cpp in the calling
# folder and below, leaving out folders that have a CMakeLists.txt of their own.
function(warpmem_library name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB_RECURSE nested CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  foreach(list_file ${nested})
    get_filename_component(folder ${list_file} DIRECTORY)
    list(FILTER sources EXCLUDE REGEX "^${folder}/")
  endforeach()
  if(sources)
    add_library(wm_${name} STATIC ${sources})
    target_compile_options(wm_${name} PRIVATE "$<$<CONFIG:Release>:-flto;-ffat-lto-objects>")
    target_include_directories(wm_${name} PUBLIC ${PROJECT_SOURCE_DIR}/systemc
                               ${PROJECT_SOURCE_DIR})
    target_link_libraries(wm_${name} PUBLIC ${ARG_DEPS})
  else()
    add_library(wm_${name} INTERFACE)
    target_include_directories(wm_${name} INTERFACE ${PROJECT_SOURCE_DIR}/systemc
                               ${PROJECT_SOURCE_DIR})
    target_link_libraries(wm_${name} INTERFACE ${ARG_DEPS})
  endif()
endfunction()

# warpmem_compile_quickly(TARGET): for code that no simulated cycle runs (commands, drivers of other
# tools, tests). Its templates are most of the build's time, and optimised in full take half as
# long again.
function(warpmem_compile_quickly target)
  target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-O1;-fno-lto>")
endfunction()
