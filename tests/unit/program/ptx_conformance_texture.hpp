// SPDX-License-Identifier: Apache-2.0
// Spellings of the texture instructions, which ptx_texture_test.cpp and ptx_cube_texture_test.cpp
// run against their own models.
#pragma once

#include <set>
#include <string>

namespace warpmem::program::ptx {

inline std::string texture_spelling(const std::string& geometry, const std::string& type,
                                    bool by_index) {
  return "tex." + geometry + ".v4." + type + (by_index ? ".s32" : ".f32");
}

inline std::set<std::string> texture_spellings() {
  std::set<std::string> all = {"txq.width.b32", "txq.height.b32", "txq.depth.b32"};
  for (const char* const geometry : {"1d", "2d", "3d", "a1d", "a2d"})
    for (const char* const type : {"f32", "s32", "u32"})
      for (const bool by_index : {false, true})
        all.insert(texture_spelling(geometry, type, by_index));
  return all;
}

inline std::set<std::string> cube_spellings() {
  std::set<std::string> all;
  for (const char* const geometry : {"cube", "acube"})
    for (const char* const type : {"f32", "s32", "u32"})
      all.insert(texture_spelling(geometry, type, false));
  return all;
}

}  // namespace warpmem::program::ptx
