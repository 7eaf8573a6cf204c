// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/kernel_cluster.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <sys/auxv.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/text_file.hpp"

namespace warpmem::program::cuda {
namespace {

constexpr char kPrefix[] = "warpmem.cluster ";

struct Section {
  std::string name;  // what follows kPrefix
  std::uint64_t begin = 0, end = 0;
};

template <class T>
const T* at(const std::string& file, std::uint64_t offset) {
  if (offset > file.size() || sizeof(T) > file.size() - offset) return nullptr;
  return reinterpret_cast<const T*>(file.data() + offset);
}

/// The sections of clusters in a program or a library. A file that is none has none.
std::vector<Section> sections_of(const std::string& path, std::uint64_t base) {
  const std::string file = read_text(path);
  std::vector<Section> found;
  const auto* const header = at<Elf64_Ehdr>(file, 0);
  if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return found;
  const auto section = [&](unsigned i) {
    return at<Elf64_Shdr>(file, header->e_shoff + std::uint64_t(i) * header->e_shentsize);
  };
  const Elf64_Shdr* const names = section(header->e_shstrndx);
  const std::uint64_t bias = header->e_type == ET_DYN ? base : 0;
  for (unsigned i = 0; names != nullptr && i < header->e_shnum; ++i) {
    const Elf64_Shdr* const s = section(i);
    if (s == nullptr || names->sh_offset + s->sh_name >= file.size()) continue;
    const std::string name = file.c_str() + names->sh_offset + s->sh_name;
    if (name.rfind(kPrefix, 0) != 0) continue;
    const std::uint64_t begin = bias + s->sh_addr;
    found.push_back({name.substr(sizeof kPrefix - 1), begin, begin + s->sh_size});
  }
  return found;
}

Dim3 numbers(const std::string& text) {
  std::uint32_t side[3] = {1, 1, 1};
  const char* p = text.c_str();
  for (unsigned i = 0; i < 3; ++i) {
    char* end = nullptr;
    side[i] = static_cast<std::uint32_t>(std::strtoul(p, &end, 0));
    while (end != p && (*end == ' ' || *end == 'u' || *end == 'U')) ++end;
    if (end != p && *end == '\0') return {side[0], side[1], side[2]};
    if (end == p || *end != ',') break;
    p = end + 1;
  }
  throw UserError("__cluster_dims__(" + text + "); allowed: one to three numbers");
}

}  // namespace

std::optional<Dim3> kernel_cluster(const void* stub) {
  static std::map<std::string, std::vector<Section>> files;
  Dl_info info{};
  if (dladdr(stub, &info) == 0 || info.dli_fname == nullptr) return std::nullopt;
  const auto base = reinterpret_cast<std::uint64_t>(info.dli_fbase);
  auto known = files.find(info.dli_fname);
  if (known == files.end()) {
    // The program itself goes by the name that it was called by.
    Dl_info own{};
    const bool is_program = dladdr(reinterpret_cast<const void*>(getauxval(AT_PHDR)), &own) != 0 &&
                            own.dli_fbase == info.dli_fbase;
    const std::string path = is_program ? "/proc/self/exe" : info.dli_fname;
    known = files.emplace(info.dli_fname, sections_of(path, base)).first;
  }
  const auto address = reinterpret_cast<std::uint64_t>(stub);
  for (const Section& section : known->second)
    if (address >= section.begin && address < section.end) return numbers(section.name);
  return std::nullopt;
}

}  // namespace warpmem::program::cuda
