# SPDX-License-Identifier: Apache-2.0
# cmake -DLIST=... -DROOT=... -DOUTPUT=... -P header_hash.cmake
# Writes a header with the hash of the headers that LIST names, one a line, and of their names below
# ROOT. By it a plugin is known to have been compiled with the same ones (gpu/parts.hpp). One that
# is as it was is not touched, so that nothing is compiled for it.
file(STRINGS ${LIST} headers)
foreach(header ${headers})
  file(SHA256 ${header} hash)
  cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${ROOT} OUTPUT_VARIABLE name)
  string(APPEND text "${name} ${hash}\n")
endforeach()
string(SHA256 hash "${text}")
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// SPDX-License-Identifier: Apache-2.0
// Written by cmake/header_hash.cmake.
#pragma once

namespace warpmem {

/// SHA-256 over the public headers of this build.
inline constexpr const char* kHeaderHash = "@hash@";

}  // namespace warpmem
]])
