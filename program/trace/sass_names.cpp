// SPDX-License-Identifier: Apache-2.0
#include "program/trace/sass_names.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "program/trace/sass_opcodes.hpp"

namespace warpmem::program::trace {
namespace {

struct Name {
  std::string_view ptx, sass;
};

// The first word of a PTX instruction, and what compilers make of it where the class fits.
constexpr Name kNames[] = {
    {"abs", "IABS"},   {"abs", "FADD"},        {"add", "IADD3"},
    {"add", "FADD"},   {"add", "DADD"},        {"addc", "IADD3"},
    {"and", "LOP3"},   {"bfe", "SHF"},         {"bfi", "LOP3"},
    {"bfind", "FLO"},  {"brev", "BREV"},       {"clz", "FLO"},
    {"cnot", "ISETP"}, {"cvt", "I2I"},         {"cvt", "F2F"},
    {"dp2a", "IDP"},   {"dp4a", "IDP"},        {"fma", "FFMA"},
    {"fma", "DFMA"},   {"lop3", "LOP3"},       {"mad", "IMAD"},
    {"mad", "FFMA"},   {"mad", "DFMA"},        {"mad24", "IMAD"},
    {"max", "IMNMX"},  {"max", "FMNMX"},       {"min", "IMNMX"},
    {"min", "FMNMX"},  {"max", "VIMNMX"},      {"min", "VIMNMX"},
    {"mov", "MOV"},    {"mul", "IMAD"},        {"mul", "FMUL"},
    {"mul", "DMUL"},   {"mul24", "IMAD"},      {"neg", "IADD3"},
    {"neg", "FADD"},   {"neg", "DADD"},        {"not", "LOP3"},
    {"or", "LOP3"},    {"popc", "POPC"},       {"prmt", "PRMT"},
    {"sad", "IADD3"},  {"selp", "SEL"},        {"selp", "FSEL"},
    {"set", "ISETP"},  {"set", "FSET"},        {"setp", "ISETP"},
    {"setp", "FSETP"}, {"setp", "DSETP"},      {"shf", "SHF"},
    {"shfl", "SHFL"},  {"shl", "SHF"},         {"shr", "SHF"},
    {"sub", "IADD3"},  {"sub", "FADD"},        {"sub", "DADD"},
    {"subc", "IADD3"}, {"vote", "VOTE"},       {"match", "MATCH"},
    {"xor", "LOP3"},   {"activemask", "VOTE"}, {"redux", "REDUX"},
    {"bra", "BRA"},    {"brx", "BRX"},         {"call", "CALL"},
    {"ret", "RET"},    {"exit", "EXIT"},       {"nanosleep", "NANOSLEEP"},
};

std::string_view first_word(std::string_view text) { return text.substr(0, text.find('.')); }

bool fits(std::string_view name, OpClass op_class, unsigned architecture) {
  const SassOpcode* const opcode = find_sass_opcode(name);
  return opcode != nullptr && opcode->op_class == op_class && opcode->exists_in(architecture);
}

/// What stands for a class where nothing closer is known.
const char* usual_name(OpClass op_class, unsigned architecture) {
  switch (op_class) {
    case OpClass::int_mul:
      return "IMAD";
    case OpClass::fp32:
      return "FFMA";
    case OpClass::fp64:
      return "DFMA";
    case OpClass::sfu:
    case OpClass::div:
      return "MUFU.RCP";
    case OpClass::control:
      return "BRA";
    case OpClass::barrier:
      return "BAR.SYNC.DEFER_BLOCKING";
    case OpClass::fence:
      return "MEMBAR.SC.GPU";
    case OpClass::tensor:
      return architecture == 70 ? "HMMA.884.F32.F32.STEP0" : "HMMA.16816.F32";
    case OpClass::texture:
      return "TEX";
    case OpClass::uniform:
      return architecture == 70 ? "MOV" : "UMOV";
    default:
      return "IADD3";
  }
}

std::string width_of(const InstInfo& inst) {
  switch (inst.bytes) {
    case 1:
      return ".U8";
    case 2:
      return ".U16";
    case 8:
      return ".64";
    case 16:
      return ".128";
    default:
      return "";
  }
}

/// ".ADD", ".CAS", ".MAX": the operation of an atomic, which PTX has as a component.
std::string operation_of(std::string_view spelling) {
  for (const char* op : {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"}) {
    if (!has_component(spelling, op)) continue;
    std::string name(op);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return "." + name;
  }
  return ".ADD";
}

std::string atomic_name(const InstInfo& inst, std::string_view spelling) {
  const std::string what = operation_of(spelling) + width_of(inst);
  if (inst.space == Space::shared) return "ATOMS" + what;
  if (inst.mem == MemOp::reduction) return "RED.E" + what + ".STRONG.GPU";
  return (inst.space == Space::generic ? "ATOM.E" : "ATOMG.E") + what + ".STRONG.GPU";
}

std::string memory_name(const InstInfo& inst, std::string_view spelling) {
  if (inst.mem == MemOp::none) return "NOP";
  if (inst.mem == MemOp::atomic || inst.mem == MemOp::reduction) return atomic_name(inst, spelling);
  const std::string verb = inst.mem == MemOp::store ? "ST" : "LD";
  switch (inst.space) {
    case Space::shared:
      return verb + "S" + width_of(inst);
    case Space::local:
      return verb + "L" + width_of(inst);
    case Space::constant:
    case Space::param:
      return "LDC" + width_of(inst);
    default:
      return verb + (inst.space == Space::global ? "G.E" : ".E") + width_of(inst) +
             (inst.volatile_access ? ".STRONG.GPU" : "");
  }
}

/// Matrices of 8 x 8 from shared memory (ldmatrix). What has no such instruction has a load of as
/// many bytes.
std::string matrix_name(const InstInfo& inst, std::string_view spelling, unsigned architecture) {
  if (!fits("LDSM", inst.op_class, architecture)) return memory_name(inst, spelling);
  const char* const count = has_component(spelling, "x4")   ? ".4"
                            : has_component(spelling, "x2") ? ".2"
                                                            : "";
  return (has_component(spelling, "trans") ? "LDSM.16.MT88" : "LDSM.16.M88") + std::string(count);
}

/// Tensor cores of Ampere and later, by shape and elements: HMMA.16816.F32.BF16, IMMA.16832.S8.U8,
/// BMMA.168256.XOR.POPC. Older ones split these products.
std::string product_name(std::string_view spelling, unsigned architecture) {
  constexpr unsigned kFirstWithTheseShapes = 80;
  if (architecture < kFirstWithTheseShapes) return usual_name(OpClass::tensor, architecture);
  std::string shape;
  for (const char* inner : {"4", "8", "16", "32", "64", "128", "256"}) {
    for (const char* outer : {"m16n8k", "m16n16k", "m32n8k", "m8n32k"})  // wmma is made of two
      if (has_component(spelling, std::string(outer) + inner)) shape = std::string(".168") + inner;
    if (has_component(spelling, std::string("m8n8k") + inner)) shape = std::string(".88") + inner;
  }
  if (has_component(spelling, "b1"))
    return "BMMA" + shape + (has_component(spelling, "and") ? ".AND.POPC" : ".XOR.POPC");
  std::string elements[2];  // of A and B, where they are integers
  unsigned found = 0;
  for (std::size_t dot = spelling.find('.'); dot < spelling.size();) {
    const std::size_t end = std::min(spelling.find('.', dot + 1), spelling.size());
    const std::string_view word = spelling.substr(dot + 1, end - dot - 1);
    for (const auto& [ptx, sass] : {Name{"s8", ".S8"}, {"u8", ".U8"}, {"s4", ".S4"}, {"u4", ".U4"}})
      if (found < 2 && word == ptx) elements[found++] = sass;
    dot = end;
  }
  if (found == 2)
    return "IMMA" + shape + elements[0] + elements[1] +
           (has_component(spelling, "satfinite") ? ".SAT" : "");
  return "HMMA" + shape + (has_component(spelling, "f32") ? ".F32" : ".F16") +
         (has_component(spelling, "bf16")   ? ".BF16"
          : has_component(spelling, "tf32") ? ".TF32"
                                            : "");
}

/// The copies of up to 16 B a lane that a warp waits for by groups.
std::string copy_name(const InstInfo& inst, unsigned architecture) {
  constexpr unsigned kFirstWithCopies = 80;
  if (architecture < kFirstWithCopies) return "";
  switch (inst.async) {
    case AsyncCopy::copy:
      return "LDGSTS.E" + std::string(inst.volatile_access ? ".BYPASS" : "") + width_of(inst);
    case AsyncCopy::close:
      return "LDGDEPBAR";
    case AsyncCopy::wait:
    case AsyncCopy::wait_all:
      return "DEPBAR.LE";
    default:
      return "";
  }
}

}  // namespace

std::string sass_mnemonic(const InstInfo& inst, const std::string& spelling,
                          unsigned architecture) {
  const SassOpcode* const opcode = find_sass_opcode(first_word(spelling));
  if (opcode != nullptr && opcode->exists_in(architecture)) return spelling;
  if (inst.async != AsyncCopy::none) return copy_name(inst, architecture);
  const std::string_view word = first_word(spelling);
  if (word == "ldmatrix") return matrix_name(inst, spelling, architecture);
  if (word == "mma" || (word == "wmma" && inst.op_class == OpClass::tensor))
    return product_name(spelling, architecture);
  if (inst.op_class == OpClass::memory) return memory_name(inst, spelling);
  for (const Name& name : kNames)
    if (name.ptx == word && fits(name.sass, inst.op_class, architecture))
      return std::string(name.sass);
  if (inst.op_class == OpClass::barrier && has_component(spelling, "arrive")) return "BAR.ARV";
  return usual_name(inst.op_class, architecture);
}

}  // namespace warpmem::program::trace
