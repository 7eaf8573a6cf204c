// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/compiled_text.hpp"

#include <string_view>

#include "files/pattern.hpp"

namespace warpmem::program::cuda {

// Objects for separate device compilation call a function whose name ends in a number of their own
// (nvcc's linker would define it); they call the runtime's one instead.
std::string with_common_registration(const std::string& assembly) {
  static const Pattern kName("__cudaRegisterLinkedBinary_[0-9A-Za-z_]+");
  return kName.replaced(assembly, "__warpmemRegisterLinkedBinary");
}

// A source for any C++ compiler that has the assembler's text in it.
std::string assembly_as_source(const std::string& assembly) {
  return "__asm__(R\"warpmem(\n" + assembly + "\n.text\n)warpmem\");\n";
}

// Global loads that say nothing about caches get .cg, as ptxas -dlcm=cg reads them.
std::string with_loads_past_l1(const std::string& ptx) {
  static const Pattern kPlainLoad("\\bld\\.global\\.(?=(v[24]\\.)?[usfb][0-9]+\\b)");
  return kPlainLoad.replaced(ptx, "ld.global.cg.");
}

std::string with_target(std::string ptx, int arch) {
  constexpr std::string_view kTarget = ".target sm_";
  const std::size_t at = ptx.find(kTarget);
  if (at == std::string::npos) return ptx;
  const std::size_t number = at + kTarget.size();
  return ptx.replace(number, ptx.find_first_not_of("0123456789", number) - number,
                     std::to_string(arch));
}

// Shared memory ends without destructors. clang refuses a variable there whose type has one that
// does something, which is what barriers of libcu++ have from sm_80 on.
std::string without_barrier_destructor(const std::string& text) {
  static const Pattern kDestructor("(~barrier\\(\\) \\{\\s*\\n)#if __CUDA_ARCH__ >= 800");
  return kDestructor.replaced(text, "$1#if 0");
}

std::string with_complex_on_both_sides(const std::string& text) {
  static const Pattern kDefinition(
      "(template<class _Tp>)(\\s+complex<_Tp>\\s+operator[*/]\\(const complex<_Tp>& __z, const "
      "complex<_Tp>& __w\\)\\s*\\{)");
  return kDefinition.replaced(text, "$1 _LIBCUDACXX_INLINE_VISIBILITY$2");
}

std::string without_idle_unrolls(const std::string& text) {
  if (text.find("unroll") == std::string::npos) return text;
  static const Pattern kIdle(
      "#[ \\t]*pragma[ \\t]+unroll[ \\t]*\\(?[ \\t]*(0|-[0-9]+)\\b[ \\t]*\\)?");
  return kIdle.replaced(text, "");
}

std::string with_named_types(const std::string& text) {
  static const Pattern kUnnamed(
      "(__(?:device|constant|managed)__(?:\\s+(?:__\\w+__|static|volatile|const))*\\s+"
      "(?:struct|union)(?:\\s+(?:__align__|alignas)\\s*\\([^()]*\\))?)\\s*\\{");
  return kUnnamed.replaced(text, "$1 warpmem_unnamed_type {");
}

std::string explained(const std::string& messages) {
  static const Pattern kLaunch(
      "reference to __global__ function '([^']*)' in (?:__host__ )?__(?:global|device)__ function");
  return kLaunch.replaced(messages,
                          "kernel '$1' is launched by device code: dynamic parallelism is not "
                          "supported, only the host launches kernels");
}

std::string linker_explained(const std::string& messages) {
  static const Pattern kMain("undefined reference to (symbol )?[`']main'");
  if (kMain.first_in(messages).empty()) return messages;
  return "warpmem: error: no main() is in what is linked to a program; -c compiles a part of one\n";
}

}  // namespace warpmem::program::cuda
