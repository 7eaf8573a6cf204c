// SPDX-License-Identifier: Apache-2.0
// Spellings of the texture instructions, which ptx_texture_test.cpp and ptx_cube_texture_test.cpp
// run against their own models.
#pragma once

#include <set>
#include <string>
#include <vector>

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
  for (const char* const geometry : {"cube", "acube", "level.cube", "level.acube"})
    for (const char* const type : {"f32", "s32", "u32"})
      all.insert(texture_spelling(geometry, type, false));
  return all;
}

/// Fetches that name a level or gradients, of a texture that has one level.
inline std::set<std::string> level_spellings() {
  std::set<std::string> all;
  for (const char* const geometry : {"level.1d", "level.2d", "level.3d", "level.a1d", "level.a2d",
                                     "grad.1d", "grad.2d", "grad.3d"})
    for (const char* const type : {"f32", "s32", "u32"})
      all.insert(texture_spelling(geometry, type, false));
  return all;
}

inline std::set<std::string> gather_spellings() {
  std::set<std::string> all;
  for (const char* const component : {"r", "g", "b", "a"})
    for (const char* const type : {"f32", "s32", "u32"})
      all.insert(std::string("tld4.") + component + ".2d.v4." + type + ".f32");
  return all;
}

struct SurfaceForm {
  bool load;
  std::string geometry, hint;
  unsigned parts, bytes;  ///< of an element, and of each part
  std::string mode;

  std::string spelling() const {
    return std::string(load ? "suld" : "sust") + ".b." + geometry +
           (hint.empty() ? "" : "." + hint) + (parts == 1 ? "" : ".v" + std::to_string(parts)) +
           ".b" + std::to_string(8 * bytes) + "." + mode;
  }
};

/// Every form of suld.b and sust.b, and one of each hint to caches.
inline std::vector<SurfaceForm> surface_forms() {
  std::vector<SurfaceForm> all;
  for (const bool load : {true, false}) {
    for (const char* const geometry : {"1d", "2d", "3d", "a1d", "a2d"})
      for (const unsigned parts : {1u, 2u, 4u})
        for (const unsigned bytes : {1u, 2u, 4u, 8u})
          for (const char* const mode : {"zero", "clamp", "trap"})
            if (parts * bytes <= 16) all.push_back({load, geometry, "", parts, bytes, mode});
    for (const char* const hint : {"ca", "cg", "cs", "cv", "wb", "wt"})
      all.push_back({load, "2d", hint, 1, 4, "zero"});
  }
  return all;
}

}  // namespace warpmem::program::ptx
