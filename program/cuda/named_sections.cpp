// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/named_sections.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <sys/auxv.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "base/text_file.hpp"

namespace warpmem::program::cuda {
namespace {

/// These names begin so.
constexpr char kOurs[] = "warpmem.";

struct Section {
  std::string name;
  std::uint64_t begin = 0, end = 0;
};

template <class T>
const T* at(const std::string& file, std::uint64_t offset) {
  if (offset > file.size() || sizeof(T) > file.size() - offset) return nullptr;
  return reinterpret_cast<const T*>(file.data() + offset);
}

/// Our sections in a program or a library. A file that is none has none.
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
    if (name.rfind(kOurs, 0) != 0) continue;
    const std::uint64_t begin = bias + s->sh_addr;
    found.push_back({name, begin, begin + s->sh_size});
  }
  return found;
}

}  // namespace

std::optional<std::string> section_of(const void* address, const std::string& prefix) {
  static auto* const files = new std::map<std::string, std::vector<Section>>;
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return std::nullopt;
  const auto base = reinterpret_cast<std::uint64_t>(info.dli_fbase);
  auto known = files->find(info.dli_fname);
  if (known == files->end()) {
    // The program itself goes by the name that it was called by.
    Dl_info own{};
    const bool is_program = dladdr(reinterpret_cast<const void*>(getauxval(AT_PHDR)), &own) != 0 &&
                            own.dli_fbase == info.dli_fbase;
    const std::string path = is_program ? "/proc/self/exe" : info.dli_fname;
    known = files->emplace(info.dli_fname, sections_of(path, base)).first;
  }
  const auto place = reinterpret_cast<std::uint64_t>(address);
  for (const Section& section : known->second)
    if (place >= section.begin && place < section.end && section.name.rfind(prefix, 0) == 0)
      return section.name.substr(prefix.size());
  return std::nullopt;
}

}  // namespace warpmem::program::cuda
