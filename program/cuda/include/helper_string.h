// SPDX-License-Identifier: Apache-2.0
// Command-line helpers under the names that programs in the style of the CUDA samples use: a flag
// is -name or --name, a value follows after =.
#pragma once
#define COMMON_HELPER_STRING_H_

#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#include <strings.h>
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#endif

namespace warpmem_helpers {

/// Returns what stands behind "-name" in `argument`: "" or "=value"; nullptr when it is another
/// flag.
inline const char* after_flag(const char* argument, const char* name) {
  if (*argument != '-') return nullptr;
  while (*argument == '-') ++argument;
  const std::size_t length = std::strlen(name);
  if (STRNCASECMP(argument, name, length) != 0) return nullptr;
  const char* const rest = argument + length;
  return *rest == '\0' || *rest == '=' ? rest : nullptr;
}

/// Returns the value of the flag; nullptr when it is not given, "" when it has none.
inline const char* flag_value(int argc, const char** argv, const char* name) {
  for (int i = 1; i < argc; ++i)
    if (const char* const rest = after_flag(argv[i], name)) return *rest == '=' ? rest + 1 : rest;
  return nullptr;
}

}  // namespace warpmem_helpers

inline bool checkCmdLineFlag(const int argc, const char** argv, const char* name) {
  return warpmem_helpers::flag_value(argc, argv, name) != nullptr;
}

template <class Type_>
inline bool getCmdLineArgumentValue(const int argc, const char** argv, const char* name,
                                    Type_* value) {
  const char* const text = warpmem_helpers::flag_value(argc, argv, name);
  if (text != nullptr) *value = static_cast<Type_>(std::atof(text));
  return text != nullptr;
}

inline int getCmdLineArgumentInt(const int argc, const char** argv, const char* name) {
  int value = 0;
  getCmdLineArgumentValue(argc, argv, name, &value);
  return value;
}

inline float getCmdLineArgumentFloat(const int argc, const char** argv, const char* name) {
  float value = 0;
  getCmdLineArgumentValue(argc, argv, name, &value);
  return value;
}

inline bool getCmdLineArgumentString(const int argc, const char** argv, const char* name,
                                     char** value) {
  const char* const text = warpmem_helpers::flag_value(argc, argv, name);
  *value = const_cast<char*>(text);
  return text != nullptr;
}

inline int stringRemoveDelimiter(char delimiter, const char* text) {
  int at = 0;
  while (text[at] == delimiter) ++at;
  return text[at] == '\0' ? 0 : at;
}

/// Looks in the working folder, in ./data and beside the program. The result is the caller's to
/// free; nullptr when there is no such file.
inline char* sdkFindFilePath(const char* name, const char* program) {
  const char* const slash = program != nullptr ? std::strrchr(program, '/') : nullptr;
  const int folder = slash != nullptr ? static_cast<int>(slash - program) + 1 : 0;
  const char* const kPlaces[] = {"", "data/", "../data/"};
  const std::size_t room = std::strlen(name) + static_cast<std::size_t>(folder) + 16;
  char* const path = static_cast<char*>(std::malloc(room));
  for (int beside = 0; beside <= (folder > 0); ++beside)
    for (const char* place : kPlaces) {
      std::snprintf(path, room, "%.*s%s%s", beside ? folder : 0, beside ? program : "", place,
                    name);
      if (std::FILE* const file = std::fopen(path, "rb")) {
        std::fclose(file);
        return path;
      }
    }
  std::free(path);
  return nullptr;
}
