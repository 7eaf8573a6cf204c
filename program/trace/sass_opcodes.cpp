// SPDX-License-Identifier: Apache-2.0
// Source of the names and of the architectures that have them: the instruction set reference of
// NVIDIA's CUDA Binary Utilities. Classes follow what the PTX interpreter gives the same operation.
#include "program/trace/sass_opcodes.hpp"

#include <unordered_map>

namespace warpmem::program::trace {
namespace {

constexpr std::uint16_t kKepler = 30, kMaxwell = 50, kVolta = 70, kTuring = 75, kAmpere = 80,
                        kAda = 89, kHopper = 90, kLast = 9999;
constexpr std::uint16_t kBeforeMaxwell = kMaxwell - 1, kBeforeVolta = kVolta - 1;

struct Row {
  const char* names;
  SassOpcode opcode;
};

using C = OpClass;
using M = MemOp;
using S = Space;
using R = SassRole;

constexpr Row alu(const char* names, OpClass c, std::uint16_t from = kKepler,
                  std::uint16_t to = kLast, SassRole role = R::plain) {
  return {names, {c, M::none, S::none, role, from, to}};
}
constexpr Row mem(const char* names, MemOp m, Space s, std::uint16_t from = kKepler,
                  std::uint16_t to = kLast, SassRole role = R::plain) {
  return {names, {C::memory, m, s, role, from, to}};
}

constexpr Row kRows[] = {
    // These are for floating point.
    alu("FADD FADD32I FCHK FFMA FFMA32I FMNMX FMUL FMUL32I FSET FSETP FSWZADD", C::fp32),
    alu("FCMP FSWZ", C::fp32, kKepler, kBeforeVolta),
    alu("FSEL", C::fp32, kVolta),
    alu("HADD2 HFMA2 HMUL2 HSET2 HSETP2", C::fp32, kMaxwell),
    alu("HADD2_32I HFMA2_32I HMUL2_32I HADD2_F32", C::fp32, kVolta),
    alu("HMNMX2", C::fp32, kAmpere),
    alu("FHADD FHFMA", C::fp32, kAda),
    alu("DADD DFMA DMUL DSETP", C::fp64),
    alu("DMNMX DSET", C::fp64, kKepler, kBeforeVolta),
    alu("MUFU", C::sfu),
    alu("RRO", C::sfu, kKepler, kBeforeVolta),
    alu("F2F F2I I2F", C::fp32),
    alu("FRND", C::fp32, kVolta),
    alu("F2FP", C::fp32, kTuring),
    alu("F2IP I2FP", C::fp32, kAmpere),
    // These are for integers.
    alu("FLO IADD IADD32I IMNMX ISCADD ISCADD32I ISETP LOP LOP32I POPC SHF SHL SHR I2I",
        C::int_alu),
    alu("BFE BFI ICMP ISAD ISET ISUB VADD VSET VSETP VSHL VSHR VMNMX VABSDIFF4 SUBFM SUCLAMP SUEAU",
        C::int_alu, kKepler, kBeforeVolta),
    alu("IADD3 LEA LOP3", C::int_alu, kMaxwell),
    alu("BMSK BREV IABS I2IP SGXT VABSDIFF", C::int_alu, kVolta),
    alu("REDUX", C::int_alu, kAmpere),
    alu("VIADD VIADDMNMX VIMNMX VIMNMX3 VHMNMX CREDUX ELECT", C::int_alu, kHopper),
    alu("IMAD IMUL IMUL32I", C::int_mul),
    alu("IMAD32I IMADSP VMAD", C::int_mul, kKepler, kBeforeVolta),
    alu("XMAD", C::int_mul, kMaxwell, kBeforeVolta),
    alu("IDP IDP4A", C::int_mul, kVolta),
    // Moves, predicates, special registers
    alu("MOV MOV32I PRMT SEL SHFL PSETP P2R R2P S2R B2R R2B NOP VOTE LEPC PMTRIG", C::int_alu),
    alu("CSET CSETP PSET STP LDP VOTE_VTG", C::int_alu, kKepler, kBeforeVolta),
    alu("CS2R", C::int_alu, kMaxwell),
    alu("PLOP3 MATCH CSMTEST GETLMEMBASE SETLMEMBASE SETCTAID", C::int_alu, kVolta),
    alu("MOVM", C::int_alu, kTuring),
    alu("USETMAXREG SYNCS WARPGROUP WARPGROUPSET", C::int_alu, kHopper),
    // These are of the uniform datapath.
    alu("R2UR S2UR UBMSK UBREV UCLEA UFLO UIADD3 UIMAD UISETP ULEA ULOP ULOP3 ULOP32I UMOV UP2UR "
        "UPLOP3 UPOPC UPRMT UPSETP UR2UP USEL USGXT USHF USHL USHR VOTEU UIABS UIMNMX",
        C::uniform, kTuring),
    alu("UF2FP CS2UR UCS2R", C::uniform, kAmpere),
    // These are of the tensor cores.
    alu("HMMA", C::tensor, kVolta),
    alu("IMMA BMMA", C::tensor, kTuring),
    alu("DMMA", C::tensor, kAmpere),
    alu("QMMA", C::tensor, kAda),
    alu("BGMMA HGMMA IGMMA QGMMA", C::tensor, kHopper),
    // These access memory.
    mem("LD", M::load, S::generic),
    mem("ST", M::store, S::generic),
    mem("ATOM", M::atomic, S::generic),
    mem("RED", M::reduction, S::global),
    mem("LDG", M::load, S::global),
    mem("STG", M::store, S::global, kMaxwell),
    mem("ATOMG", M::atomic, S::global, kVolta),
    mem("REDG", M::reduction, S::global, kVolta),
    mem("LDGSTS", M::load, S::global, kAmpere, kLast, R::copy),
    mem("LDL", M::load, S::local),
    mem("STL", M::store, S::local),
    mem("LDS", M::load, S::shared),
    mem("STS", M::store, S::shared),
    mem("LDSLK", M::load, S::shared, kKepler, kBeforeMaxwell),
    mem("STSCUL", M::store, S::shared, kKepler, kBeforeMaxwell),
    mem("ATOMS", M::atomic, S::shared, kMaxwell),
    mem("LDSM", M::load, S::shared, kTuring),
    mem("STSM", M::store, S::shared, kHopper),
    mem("LDC", M::load, S::constant),
    mem("ULDC", M::load, S::constant, kTuring),
    alu("LDGDEPBAR", C::int_alu, kAmpere, kLast, R::close_group),
    alu("DEPBAR", C::int_alu, kKepler, kLast, R::wait_group),
    alu("ARRIVES", C::int_alu, kAmpere),
    alu("CCTL CCTLL CCTLT", C::int_alu),
    alu("ERRBAR QSPC", C::int_alu, kVolta),
    alu("CGAERRBAR ACQBULK", C::int_alu, kHopper),
    alu("MEMBAR", C::fence),
    alu("FENCE", C::fence, kHopper),
    alu("UBLKCP UBLKPF UBLKRED UTMALDG UTMAPF UTMAREDG UTMASTG UTMACCTL UTMACMDFLUSH LDGMC REDAS "
        "STAS",
        C::texture, kHopper, kLast, R::untraced),
    // These are for textures and surfaces.
    alu("TEX TLD TLD4 TXD TXQ TMML", C::texture, kKepler, kLast, R::untraced),
    alu("TEXS TLDS TLD4S TXA", C::texture, kKepler, kBeforeVolta, R::untraced),
    alu("TEXDEPBAR", C::int_alu, kKepler, kBeforeMaxwell),
    alu("SULD SUST SUATOM SURED", C::texture, kMaxwell, kLast, R::untraced),
    alu("SULDGA SUSTGA SULDB SUSTB SULEA", C::texture, kKepler, kBeforeMaxwell, R::untraced),
    alu("SUQUERY", C::texture, kTuring, kLast, R::untraced),
    // These control the flow.
    alu("EXIT", C::control, kKepler, kLast, R::exit),
    alu("BRA BRX JMP JMX RET BPT", C::control),
    alu("SSY SYNC CAL JCAL PRET BRK PBK CONT PCNT PEXIT PLONGJMP LONGJMP", C::control, kKepler,
        kBeforeVolta),
    alu("BMOV BREAK BSSY BSYNC CALL KILL NANOSLEEP RPCMOV RTT WARPSYNC YIELD", C::control, kVolta),
    alu("BRXU JMXU", C::control, kTuring),
    alu("PREEXIT ENDCOLLECTIVE", C::control, kHopper),
    alu("BAR", C::barrier),
    alu("UCGABAR_ARV UCGABAR_WAIT", C::int_alu, kHopper),
};

using Table = std::unordered_map<std::string_view, SassOpcode>;

Table build() {
  Table table;
  for (const Row& row : kRows) {
    std::string_view rest = row.names;
    while (!rest.empty()) {
      const std::size_t space = std::min(rest.find(' '), rest.size());
      table.emplace(rest.substr(0, space), row.opcode);
      rest.remove_prefix(std::min(space + 1, rest.size()));
    }
  }
  return table;
}

bool digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Calls each(component) for every component but the first until it returns true.
template <class Each>
bool any_component(std::string_view mnemonic, Each&& each) {
  std::size_t dot = mnemonic.find('.');
  while (dot != std::string_view::npos) {
    const std::size_t next = mnemonic.find('.', dot + 1);
    if (each(mnemonic.substr(dot + 1, next - dot - 1))) return true;
    dot = next;
  }
  return false;
}

unsigned bits_of(std::string_view component) {
  if (component == "F16x2" || component == "F16X2" || component == "BF16x2") return 32;
  if (component.substr(0, 2) == "BF")
    component.remove_prefix(2);
  else if (!component.empty() &&
           (component[0] == 'U' || component[0] == 'S' || component[0] == 'F'))
    component.remove_prefix(1);
  if (!digits(component) || component.size() > 3) return 0;
  const unsigned bits = static_cast<unsigned>(std::stoul(std::string(component)));
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 ? bits : 0;
}

}  // namespace

const SassOpcode* find_sass_opcode(std::string_view name) {
  static const Table kTable = build();
  const auto at = kTable.find(name);
  return at == kTable.end() ? nullptr : &at->second;
}

const char* sass_architecture(unsigned version) {
  switch (version) {
    case 30:
    case 32:
    case 35:
    case 37:
      return "Kepler";
    case 50:
    case 52:
    case 53:
      return "Maxwell";
    case 60:
    case 61:
    case 62:
      return "Pascal";
    case 70:
    case 72:
      return "Volta";
    case 75:
      return "Turing";
    case 80:
    case 86:
    case 87:
      return "Ampere";
    case 89:
      return "Ada";
    case 90:
      return "Hopper";
    default:
      return nullptr;
  }
}

bool has_component(std::string_view mnemonic, std::string_view component) {
  return any_component(mnemonic, [&](std::string_view c) { return c == component; });
}

unsigned sass_width(std::string_view mnemonic) {
  // Each lane names a row of 16 bytes of a matrix; ".16" is the size of an element.
  const std::string_view name = mnemonic.substr(0, mnemonic.find('.'));
  if (name == "LDSM" || name == "STSM") return 16;
  unsigned bits = 0;
  any_component(mnemonic, [&](std::string_view c) { return (bits = bits_of(c)) != 0; });
  return bits / 8;
}

}  // namespace warpmem::program::trace
