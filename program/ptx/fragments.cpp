// SPDX-License-Identifier: Apache-2.0
// wmma.load, wmma.store and wmma.mma become ordinary loads and stores, and two mma.sync (PTX ISA
// 7.0 sections 9.7.13.3.2 to 9.7.13.3.4); fragment_form.hpp says which lane has what.
#include <algorithm>
#include <array>

#include "program/ptx/fragment_form.hpp"
#include "program/ptx/parser.hpp"
#include "program/ptx/statement_writer.hpp"

namespace warpmem::program::ptx {
namespace {

struct Access {
  std::string_view pair, word, half, byte;  ///< of 8, 4, 2 and 1 bytes
};
constexpr std::array<Access, kFragmentSpaces.size()> kLoads = {
    {{"ld.v2.b32", "ld.b32", "ld.u16", "ld.u8"},
     {"ld.global.v2.b32", "ld.global.b32", "ld.global.u16", "ld.global.u8"},
     {"ld.shared.v2.b32", "ld.shared.b32", "ld.shared.u16", "ld.shared.u8"},
     {"ld.shared.v2.b32", "ld.shared.b32", "ld.shared.u16", "ld.shared.u8"}}};
constexpr std::array<Access, kFragmentSpaces.size()> kStores = {
    {{"st.v2.b32", "st.b32", "st.u16", ""},
     {"st.global.v2.b32", "st.global.b32", "st.global.u16", ""},
     {"st.shared.v2.b32", "st.shared.b32", "st.shared.u16", ""},
     {"st.shared.v2.b32", "st.shared.b32", "st.shared.u16", ""}}};

const std::vector<Operand>& registers_of(const Operand& o, std::vector<Operand>& single) {
  if (o.kind == Operand::Kind::vector) return o.elements;
  single.assign(1, o);
  return single;
}

/// Writes the loads or stores of a fragment.
class FragmentAccess : private StatementWriter {
 public:
  FragmentAccess(Function& function, const Statement& instruction, const FragmentForm& form)
      : StatementWriter(function, instruction, "%fragment"),
        layout_(form.use, *form.shape, *form.type),
        bytes_(form.type->bytes),
        together_(lies_together(form)),
        opcodes_(form.operation == FragmentForm::Operation::load ? kLoads[form.space]
                                                                 : kStores[form.space]) {
    const bool load = form.operation == FragmentForm::Operation::load;
    const Operand& address = instruction.operands[load ? 1 : 0];
    registers_ = registers_of(instruction.operands[load ? 0 : 1], single_);
    stride_ =
        instruction.operands.size() > 2 ? instruction.operands[2] : number(dense_stride(form));
    offset_ = address.offset;
    find_first(address.elements[0]);
  }

  void load() {
    keep_stride();
    for (unsigned i = 0; i < layout_.elements; i += layout_.together) {
      if (layout_.sums && layout_.in_register == 1) {
        load_words(i);
      } else if (together_) {
        add_as_written(opcodes_.word, {registers_[i / layout_.in_register], place(i)});
      } else {
        load_apart(i, registers_[i / layout_.in_register]);
      }
    }
    for (unsigned r = layout_.registers; r < layout_.named; ++r)
      if (registers_[r].kind != Operand::Kind::sink) repeat(r);
  }

  void store() {
    for (unsigned i = 0; i < layout_.elements; i += 2) {
      const Operand& first = registers_[i / layout_.in_register];
      if (layout_.in_register == 2) {
        if (together_) {
          add_as_written(opcodes_.word, {place(i), first});
          continue;
        }
        const Operand upper = new_register(Type::b32);
        add("shr.u32", {upper, first, number(16)});
        add_as_written(opcodes_.half, {place(i), first});
        add_as_written(opcodes_.half, {place(i + 1), upper});
      } else if (together_) {
        add_as_written(opcodes_.pair, {place(i), braces({first, registers_[i + 1]})});
      } else {
        add_as_written(opcodes_.word, {place(i), first});
        add_as_written(opcodes_.word, {place(i + 1), registers_[i + 1]});
      }
    }
  }

 private:
  /// The address of (g, t p).
  void find_first(const Operand& base) {
    const Operand lane = new_register(Type::b32), g = new_register(Type::b32);
    const Operand t = new_register(Type::b32), index = new_register(Type::b32);
    add("mov.u32", {lane, named(Operand::Kind::special, 0, "%laneid")});
    add("shr.u32", {g, lane, number(2)});
    add("and.b32", {t, lane, number(3)});
    if (layout_.together > 1) add("mul.lo.u32", {t, t, number(layout_.together)});
    add("mad.lo.u32", {index, together_ ? g : t, stride_, together_ ? t : g});
    Operand from = base;
    if (base.kind == Operand::Kind::module_variable) {
      from = new_register(Type::b64);
      add("mov.u64", {from, base});
    }
    wide_ = size_bytes(function_.registers[from.index].type) == 8;
    first_ = new_register(wide_ ? Type::b64 : Type::b32);
    add(multiply_add(), {first_, index, number(bytes_), from});
  }
  std::string_view multiply_add() const { return wide_ ? "mad.wide.u32" : "mad.lo.u32"; }

  /// A destination may be the register of the stride, too.
  void keep_stride() {
    if (stride_.kind != Operand::Kind::reg) return;
    for (const Operand& r : registers_) {
      if (r.kind != Operand::Kind::reg || r.index != stride_.index) continue;
      const Operand copy = new_register(Type::b32);
      add("mov.u32", {copy, stride_});
      stride_ = copy;
      return;
    }
  }

  /// Where element `i` is. Elements follow one another, so that the last line serves again.
  Operand place(unsigned i) {
    const unsigned line = together_ ? layout_.outer(i) : layout_.inner(i);
    const unsigned within = together_ ? layout_.inner(i) : layout_.outer(i);
    const std::uint64_t offset = offset_ + std::uint64_t(within) * bytes_;
    if (stride_.kind == Operand::Kind::integer)
      return at(first_, offset + (stride_.bits & 0xffffffff) * line * bytes_);
    if (line == 0) return at(first_, offset);
    const auto known = std::find_if(lines_.begin(), lines_.end(),
                                    [line](const auto& of) { return of.first == line; });
    if (known != lines_.end()) return at(known->second, offset);
    const Operand begin = new_register(wide_ ? Type::b64 : Type::b32);
    add(multiply_add(), {begin, stride_, number(std::uint64_t(line) * bytes_), first_});
    lines_.emplace_back(line, begin);
    return at(begin, offset);
  }

  void load_words(unsigned i) {
    if (together_) {
      add_as_written(opcodes_.pair, {braces({registers_[i], registers_[i + 1]}), place(i)});
      return;
    }
    for (unsigned j = i; j < i + 2; ++j) add_as_written(opcodes_.word, {registers_[j], place(j)});
  }

  /// The elements of one register, each by itself.
  void load_apart(unsigned i, const Operand& to) {
    if (layout_.in_register == 1) {
      add_as_written(opcodes_.word, {to, place(i)});
    } else if (layout_.in_register == 2) {
      join(to, {load_one(opcodes_.half, i), load_one(opcodes_.half, i + 1)}, kHalves);
    } else {
      const Operand low = new_register(Type::b32), high = new_register(Type::b32);
      join(low, {load_one(opcodes_.byte, i), load_one(opcodes_.byte, i + 1)}, kBytes);
      join(high, {load_one(opcodes_.byte, i + 2), load_one(opcodes_.byte, i + 3)}, kBytes);
      join(to, {low, high}, kHalves);
    }
  }
  Operand load_one(std::string_view opcode, unsigned i) {
    const Operand to = new_register(Type::b32);
    add_as_written(opcode, {to, place(i)});
    return to;
  }
  static constexpr std::uint64_t kHalves = 0x5410, kBytes = 0x0040;  ///< selectors of prmt
  void join(const Operand& to, const std::array<Operand, 2>& parts, std::uint64_t selector) {
    add("prmt.b32", {to, parts[0], parts[1], number(selector)});
  }

  /// Registers beyond what a lane has.
  void repeat(unsigned r) {
    const Operand& from = registers_[r % layout_.registers];
    if (from.kind != Operand::Kind::sink) add("mov.b32", {registers_[r], from});
  }

  FragmentLayout layout_;
  unsigned bytes_;
  bool together_;
  const Access& opcodes_;
  std::vector<Operand> registers_, single_;
  std::vector<std::pair<unsigned, Operand>> lines_;
  Operand stride_, first_;
  std::uint64_t offset_ = 0;
  bool wide_ = false;
};

/// Writes the two mma.sync of a product.
class FragmentProduct : private StatementWriter {
 public:
  FragmentProduct(Function& function, const Statement& instruction, const FragmentForm& form)
      : StatementWriter(function, instruction, "%fragment"), opcode_(form.product) {
    const FragmentLayout a(FragmentUse::a, *form.shape, *form.type);
    const FragmentLayout b(FragmentUse::b, *form.shape, *form.type);
    const FragmentLayout sums(FragmentUse::sums, *form.shape, *form.sums);
    const auto& operands = instruction.operands;
    const bool swapped = form.shape->m == 8, side_by_side = form.shape->m == 16;
    const std::vector<Operand> d = parts(operands[0], sums.registers);
    const std::vector<Operand> left =
        swapped ? parts(operands[2], b.registers) : parts(operands[1], a.registers);
    const std::vector<Operand> right =
        swapped ? parts(operands[1], a.registers) : parts(operands[2], b.registers);
    const std::vector<Operand> c = parts(operands[3], sums.registers);
    first_ = {half(d, 0), side_by_side ? left : half(left, 0),
              side_by_side ? half(right, 0) : right, half(c, 0)};
    second_ = {half(d, 1), side_by_side ? left : half(left, 1),
               side_by_side ? half(right, 1) : right, half(c, 1)};
  }

  void write() {
    // What the second product reads is not written before.
    std::vector<std::pair<Operand, Operand>> later;
    for (Operand& to : first_[0]) {
      if (!read_by_second(to)) continue;
      const Operand kept = new_register(Type::b32);
      later.emplace_back(to, kept);
      to = kept;
    }
    for (auto& product : {first_, second_})
      add_as_written(opcode_, {braces(product[0]), braces(product[1]), braces(product[2]),
                               braces(product[3])});
    for (const auto& [to, kept] : later) add("mov.b32", {to, kept});
  }

 private:
  using Product = std::array<std::vector<Operand>, 4>;  ///< D, A, B, C

  static std::vector<Operand> parts(const Operand& o, unsigned registers) {
    std::vector<Operand> single;
    const std::vector<Operand>& all = registers_of(o, single);
    return {all.begin(), all.begin() + registers};
  }
  static std::vector<Operand> half(const std::vector<Operand>& all, unsigned which) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    return which == 0 ? std::vector<Operand>(all.begin(), middle)
                      : std::vector<Operand>(middle, all.end());
  }
  bool read_by_second(const Operand& to) const {
    if (to.kind != Operand::Kind::reg) return false;
    for (std::size_t source = 1; source < second_.size(); ++source)
      for (const Operand& o : second_[source])
        if (o.kind == Operand::Kind::reg && o.index == to.index) return true;
    return false;
  }

  std::string_view opcode_;
  Product first_, second_;
};

}  // namespace

std::string_view Parser::refuse_fragments(const Statement& s, const FragmentForm& form) const {
  using Kind = Operand::Kind;
  const auto fits = [this](const Operand& o, const FragmentLayout& layout, bool written) {
    std::vector<Operand> single;
    const std::vector<Operand>& all = registers_of(o, single);
    return all.size() == layout.named && std::all_of(all.begin(), all.end(), [&](const Operand& r) {
             return (written && r.kind == Kind::sink) || (r.kind == Kind::reg && is_word(r));
           });
  };
  constexpr std::string_view kWrongRegisters =
      "a fragment is in braces, of 32-bit registers: eight for f16 operands and f32 and s32 sums, "
      "four for f16 sums and tf32, and for the rest as many as a lane's elements need";
  if (form.operation == FragmentForm::Operation::multiply) {
    if (s.operands.size() != 4) return "the operands must be D, A, B and C";
    const FragmentLayout sums(FragmentUse::sums, *form.shape, *form.sums);
    const bool good = fits(s.operands[0], sums, true) &&
                      fits(s.operands[1], {FragmentUse::a, *form.shape, *form.type}, false) &&
                      fits(s.operands[2], {FragmentUse::b, *form.shape, *form.type}, false) &&
                      fits(s.operands[3], sums, false);
    return good ? std::string_view() : kWrongRegisters;
  }
  const bool load = form.operation == FragmentForm::Operation::load;
  if (s.operands.size() < 2 || s.operands.size() > 3 ||
      s.operands[load ? 1 : 0].kind != Kind::address ||
      s.operands[load ? 1 : 0].elements.size() != 1)
    return "the operands must be a fragment, an address in brackets and perhaps a stride";
  const Operand& base = s.operands[load ? 1 : 0].elements[0];
  if (base.kind != Kind::reg && base.kind != Kind::module_variable)
    return "the address must begin with a register or a variable";
  if (base.kind == Kind::reg && function_->registers[base.index].type == Type::pred)
    return "the address cannot be a predicate";
  if (base.kind == Kind::module_variable &&
      (module_.variables[base.index].space == Space::shared) != (form.space >= kFirstSharedSpace))
    return "the variable is in another state space than the instruction";
  if (s.operands.size() == 3 && !(s.operands[2].kind == Kind::integer ||
                                  (s.operands[2].kind == Kind::reg && is_word(s.operands[2]))))
    return "the stride must be a register of 32 bits or a number";
  const FragmentLayout layout(form.use, *form.shape, *form.type);
  return fits(s.operands[load ? 0 : 1], layout, load) ? std::string_view() : kWrongRegisters;
}

bool Parser::fragment_operation(Statement& s) {
  FragmentForm form;
  if (!read_form(s.opcode, form)) return false;
  s.refusal = refuse_fragments(s, form);
  if (!s.refusal.empty()) return false;
  if (form.operation == FragmentForm::Operation::multiply)
    FragmentProduct(*function_, s, form).write();
  else if (form.operation == FragmentForm::Operation::load)
    FragmentAccess(*function_, s, form).load();
  else
    FragmentAccess(*function_, s, form).store();
  return true;
}

}  // namespace warpmem::program::ptx
