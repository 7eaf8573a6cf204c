// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/lower.hpp"

#include <algorithm>
#include <cstring>

#include "base/errors.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr std::uint64_t kMaxFrameBytes = 1u << 19;  ///< local or parameter bytes of one function

std::uint64_t align_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

double as_double(std::uint64_t bits) {
  double v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
float as_float(std::uint64_t bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  float v;
  std::memcpy(&v, &low, sizeof v);
  return v;
}
std::uint64_t bits_of(double v) {
  std::uint64_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}
std::uint64_t bits_of(float v) {
  std::uint32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}

}  // namespace

const LowerTable& lower_table() {
  static const LowerTable table = [] {
    LowerTable t;
    add_integer(t);
    add_wide_integer(t);
    add_bits(t);
    add_fields(t);
    add_float(t);
    add_sfu(t);
    add_compare(t);
    add_convert(t);
    add_move(t);
    add_memory(t);
    add_async_copy(t);
    add_mbarrier(t);
    add_atomic(t);
    add_control(t);
    add_call(t);
    add_barrier(t);
    add_warp(t);
    add_cluster(t);
    add_matrix(t);
    add_load_matrix(t);
    return t;
  }();
  return table;
}

Lowering::Lowering(const detail::ModuleData& module, const Reach& reach, const Function& function,
                   Program& program)
    : module_(module), reach_(reach), function_(function), program_(program) {}

LoweredFunction Lowering::run() {
  for (const auto& r : function_.registers) out_.registers.push_back(r.type);
  layout_variables();
  for (const auto& s : function_.statements) {
    out_.first_inst.push_back(static_cast<std::uint32_t>(out_.code.size()));
    lower(s);
  }
  // A body that runs off its end returns, as `ret` would.
  Statement end;
  end.opcode = "ret";
  end.line = function_.line;
  if (!function_.statements.empty()) {
    end.line = function_.statements.back().line;
    end.source = function_.statements.back().source;
  }
  out_.first_inst.push_back(static_cast<std::uint32_t>(out_.code.size()));
  lower(end);
  return std::move(out_);
}

void Lowering::layout_variables() {
  // The kernel's parameters lie in the launch's parameter block; everything else of .param in rows
  // of 16 bytes of the frame's own area, so that calls copy whole rows.
  std::uint64_t block = 0;
  std::vector<bool> formal(function_.variables.size(), false);
  if (function_.entry)
    for (const auto index : function_.parameters) formal[index] = true;
  for (std::size_t i = 0; i < function_.variables.size(); ++i) {
    const VariableDecl& v = function_.variables[i];
    std::uint64_t* end = v.space == Space::local ? &out_.local_bytes
                         : formal[i]             ? &block
                                                 : &out_.parameter_bytes;
    const std::uint64_t unit = v.space == Space::local || formal[i]
                                   ? v.alignment
                                   : std::max<std::uint64_t>(v.alignment, LaneMemory::kRow);
    const std::uint64_t offset = align_up(*end, unit);
    if (v.bytes > kMaxFrameBytes || offset + v.bytes > kMaxFrameBytes)
      throw UserError(module_.name + ":" + std::to_string(v.line) + ": `" + std::string(v.name) +
                      "` takes the function over 512 KiB of local memory or parameters");
    *end = offset + v.bytes;
    const bool own_area = v.space == Space::param && !formal[i];
    out_.variable_offset.push_back(own_area ? kFrameParameters + offset : offset);
  }
}

void Lowering::lower(const Statement& s) {
  statement_ = &s;
  out_.code.emplace_back();
  out_.infos.emplace_back();
  out_.reads_clock.push_back(false);
  out_.spelling.push_back(s.written.empty() ? s.opcode : s.written);
  info().line = s.line;
  info().source_line = s.source.line;
  out_.source_file.push_back(s.source.file);
  modifiers_.clear();
  std::string_view rest = s.opcode;
  const std::size_t first_dot = rest.find('.');
  const std::string_view name = rest.substr(0, first_dot);
  while (rest.find('.') != std::string_view::npos) {
    rest.remove_prefix(rest.find('.') + 1);
    modifiers_.push_back(rest.substr(0, rest.find('.')));
  }
  if (s.guarded) {
    inst().guard = s.guard_negate ? kNegate : 0;
    add_use(RegisterUse::kGuardSlot, s.guard, false);
  }
  const auto entry = lower_table().find(name);
  if (!s.refusal.empty()) bad(std::string(s.refusal));
  if (entry == lower_table().end()) unsupported();
  entry->second(*this);
  if (!modifiers_.empty() || inst().run == nullptr) unsupported();
}

std::string place_of(const std::map<std::uint32_t, std::string>& sources, std::uint32_t file,
                     std::uint32_t source_line, const std::string& ptx, std::uint32_t line) {
  const auto source = sources.find(file);
  if (source_line == 0 || source == sources.end()) return ptx + ":" + std::to_string(line);
  return source->second + ":" + std::to_string(source_line) + " (PTX line " + std::to_string(line) +
         ")";
}

void Lowering::unsupported() const {
  bad("unsupported instruction `" + std::string(statement_->opcode) + "`");
}

void Lowering::bad(const std::string& what) const {
  const std::string place = place_of(module_.ast.files, statement_->source.file,
                                     statement_->source.line, module_.name, statement_->line);
  std::string text = "kernel " + program_.kernel + ", " + place + ": ";
  if (what.find('`' + std::string(statement_->opcode) + '`') == std::string::npos)
    text += "`" + std::string(statement_->opcode) + "`: ";
  throw UserError(text + what);
}

bool Lowering::take(std::string_view modifier) {
  const auto it = std::find(modifiers_.begin(), modifiers_.end(), modifier);
  if (it == modifiers_.end()) return false;
  modifiers_.erase(it);
  return true;
}

Type Lowering::take_type_or_none() {
  for (auto it = modifiers_.begin(); it != modifiers_.end(); ++it) {
    const Type type = parse_type(*it);
    if (type == Type::none) continue;
    modifiers_.erase(it);
    return type;
  }
  return Type::none;
}

Type Lowering::take_type() {
  const Type type = take_type_or_none();
  if (type == Type::none) unsupported();
  return type;
}

Rounding Lowering::take_rounding(bool* found) {
  if (found != nullptr) *found = true;
  if (take("rn")) return Rounding::nearest;
  if (take("rz")) return Rounding::zero;
  if (take("rm")) return Rounding::down;
  if (take("rp")) return Rounding::up;
  if (found != nullptr) *found = false;
  return Rounding::nearest;
}

const Operand& Lowering::operand(std::size_t i) const {
  if (i >= statement_->operands.size()) bad("too few operands");
  return statement_->operands[i];
}

void Lowering::want_operands(std::size_t n) {
  if (operands() != n)
    bad("has " + std::to_string(operands()) + " operands, not " + std::to_string(n));
}

Ref& Lowering::ref(unsigned slot) {
  return slot < kMatrixSlot ? inst().ref[slot]
                            : program_.matrix_operands[inst().aux][slot - kMatrixSlot];
}

void Lowering::add_use(unsigned slot, std::uint32_t reg, bool is_def) {
  out_.uses.push_back({static_cast<std::uint32_t>(out_.code.size() - 1), reg,
                       static_cast<std::uint8_t>(slot), is_def});
}

RegClass Lowering::def_any(unsigned slot, const Operand& o, Type type) {
  if (o.kind == Operand::Kind::sink) {
    out_.registers.push_back(type);
    add_use(slot, static_cast<std::uint32_t>(out_.registers.size() - 1), true);
    ref(slot) = 0;
    return reg_class(type);
  }
  if (o.kind != Operand::Kind::reg || o.negate) bad("the destination must be a register");
  const RegClass have = reg_class(function_.registers[o.index].type), want = reg_class(type);
  if ((have == RegClass::predicate) != (want == RegClass::predicate) ||
      (have == RegClass::word && want == RegClass::wide))
    bad("register " + std::string(o.text) + " has the wrong size");
  ref(slot) = 0;
  add_use(slot, o.index, true);
  return have;
}

RegClass Lowering::use_any(unsigned slot, const Operand& o, Type type) {
  const RegClass want = reg_class(type);
  if (o.negate && want != RegClass::predicate) bad("`!` is for predicates");
  if (o.kind == Operand::Kind::reg) {
    const RegClass have = reg_class(function_.registers[o.index].type);
    if ((have == RegClass::predicate) != (want == RegClass::predicate) ||
        (have == RegClass::word && want == RegClass::wide))
      bad("register " + std::string(o.text) + " has the wrong size");
    ref(slot) = o.negate ? kNegate : 0;
    add_use(slot, o.index, false);
    return have;
  }
  if (o.kind == Operand::Kind::special)
    bad("special register " + std::string(o.text) + " can only be read by mov");
  std::uint64_t bits = 0;
  if (o.kind == Operand::Kind::variable || o.kind == Operand::Kind::module_variable ||
      o.kind == Operand::Kind::name)
    bits = address_of(o);
  else
    bits = number(o, type);
  ref(slot) = constant(bits, want);
  return want;
}

void Lowering::def(unsigned slot, const Operand& o, Type type) {
  if (def_any(slot, o, type) != reg_class(type))
    bad("register " + std::string(o.text) + " has the wrong size");
}

void Lowering::use(unsigned slot, const Operand& o, Type type) {
  if (use_any(slot, o, type) != reg_class(type))
    bad("register " + std::string(o.text) + " has the wrong size");
}

void Lowering::def_use(Type d, std::initializer_list<Type> sources) {
  want_operands(sources.size() + 1);
  def(0, operand(0), d);
  unsigned slot = 1;
  for (const Type t : sources) {
    use(slot, operand(slot), t);
    ++slot;
  }
}

std::uint64_t Lowering::number(const Operand& o, Type type) {
  using Kind = Operand::Kind;
  if (o.kind != Kind::integer && o.kind != Kind::float32 && o.kind != Kind::float64)
    bad("operand is neither a register nor a number");
  if (type == Type::pred) return o.bits != 0 ? ~std::uint64_t(0) : 0;
  if (type == Type::f64) {
    if (o.kind == Kind::float32) return bits_of(static_cast<double>(as_float(o.bits)));
    if (o.kind == Kind::integer)
      return bits_of(static_cast<double>(static_cast<std::int64_t>(o.bits)));
    return o.bits;
  }
  if (type == Type::f32) {
    if (o.kind == Kind::float64) return bits_of(static_cast<float>(as_double(o.bits)));
    if (o.kind == Kind::integer)
      return bits_of(static_cast<float>(static_cast<std::int64_t>(o.bits)));
    return o.bits;
  }
  if (o.kind == Kind::float64 && size_bytes(type) != 8) bad("a double does not fit here");
  if (size_bytes(type) == 2) return o.bits & 0xffff;
  if (size_bytes(type) == 1) return o.bits & 0xff;
  return size_bytes(type) == 4 ? o.bits & 0xffffffff : o.bits;
}

std::uint64_t Lowering::address_of(const Operand& o) {
  if (o.kind == Operand::Kind::variable) {
    const VariableDecl& v = function_.variables[o.index];
    if (v.space == Space::local && !function_.entry)
      bad("the address of `" + std::string(v.name) + "` is only known to mov and ld/st");
    return variable_offset(o.index) + o.offset;
  }
  if (o.kind == Operand::Kind::module_variable) {
    const VariableDecl& v = module_.ast.variables[o.index];
    if (v.space == Space::shared) return reach_.shared_offset.at(o.index) + o.offset;
    const Addr address = module_.variables[o.index].address;
    if (address == 0)
      bad("`" + std::string(v.name) + "` is declared but not defined in this module");
    return address + o.offset;
  }
  const auto function = module_.ast.function_index.find(std::string(o.text));
  if (function != module_.ast.function_index.end()) {
    if (module_.ast.functions[function->second].entry)
      bad("the address of kernel `" + std::string(o.text) + "`: kernels are launched by the host");
    const Addr address = module_.function_address[function->second];
    if (address == 0) bad("the module is not bound: `" + std::string(o.text) + "` has no address");
    return address;
  }
  bad("`" + std::string(o.text) + "` is not defined");
}

Ref Lowering::constant(std::uint64_t bits, RegClass register_class) {
  auto& known = constants_[static_cast<std::size_t>(register_class)];
  const auto it = known.find(bits);
  if (it != known.end()) return it->second;
  ConstantLanes lanes{};
  if (register_class == RegClass::predicate) {
    std::memcpy(lanes.bytes, &bits, 4);
  } else if (register_class == RegClass::word) {
    for (unsigned i = 0; i < kWarpLanes; ++i) std::memcpy(lanes.bytes + i * 4, &bits, 4);
  } else {
    for (unsigned i = 0; i < kWarpLanes; ++i) std::memcpy(lanes.bytes + i * 8, &bits, 8);
  }
  const auto ref =
      static_cast<Ref>(program_.constants.size() * sizeof(ConstantLanes)) | kConstantBank;
  program_.constants.push_back(lanes);
  known.emplace(bits, ref);
  return ref;
}

}  // namespace warpmem::program::ptx
