// SPDX-License-Identifier: Apache-2.0
// The instructions of a warp in an Accel-Sim trace: a line each.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "program/trace/accelsim_kernel.hpp"
#include "program/trace/tokens.hpp"

namespace warpmem::program::trace {
namespace {

bool may_have_addresses(Space space) { return has_addresses(space) || space == Space::generic; }

}  // namespace

bool AccelsimKernel::is_instruction(std::uint32_t index, std::string_view rest) const {
  const std::string& text = code_[index]->text;
  const std::size_t n = text.size();
  return rest.size() >= n && std::memcmp(rest.data(), text.data(), n) == 0 &&
         (rest.size() == n || Tokens::blank(rest[n]));
}

// Returns the instruction whose text `rest` begins with, and takes that text away. Most come after
// the same one as the last time.
std::uint32_t AccelsimKernel::find_instruction(std::uint32_t pc, std::string_view& rest) {
  const auto take = [&](std::uint32_t index) {
    rest.remove_prefix(code_[index]->text.size());
    return last_ = index;
  };
  if (last_ < after_.size()) {
    const std::uint32_t likely = after_[last_];
    if (code_[likely]->pc == pc && is_instruction(likely, rest)) return take(likely);
  }
  std::vector<std::uint32_t>& known = by_pc_[pc];
  auto found = std::find_if(known.begin(), known.end(),
                            [&](std::uint32_t index) { return is_instruction(index, rest); });
  if (found == known.end()) {
    code_.push_back(std::make_unique<SassInstruction>(
        parse_sass_instruction(rest, pc, header_.binary_version, lines_, notes_)));
    // With the PCs of the source, RET and EXIT at one PC are the same instruction.
    if (header_.exact.known)
      take_exact(pc, *code_.back());
    else
      code_.back()->info.pc = pcs_.take(pc);
    found = known.insert(known.end(), static_cast<std::uint32_t>(code_.size() - 1));
    after_.push_back(*found);
    again_.emplace_back();
  }
  after_[last_] = *found;
  return take(*found);
}

// What the header says of an instruction is more than its text can.
void AccelsimKernel::take_exact(std::uint32_t pc, SassInstruction& s) const {
  const auto exact = header_.exact.instructions.find(pc);
  if (exact == header_.exact.instructions.end())
    fail(fmt::format("no `-{}` for the instruction at {:04x}", kExactInstructionKey, pc));
  s.info = exact->second.info;
  s.mnemonic = exact->second.mnemonic;
  s.note = nullptr;
}

// Reads the next line if it is that of the instruction which came last after this one, in the usual
// form and with nothing wrong; otherwise false, with nothing read.
bool AccelsimKernel::read_again(WarpTrace& warp) {
  if (last_ >= after_.size() || steps_ == expected_) return false;
  const std::uint32_t index = after_[last_];
  const RepeatedLine& again = again_[index];
  const std::string_view ahead = lines_.ahead();
  LaneMask lanes = 0;
  if (!again.matches(ahead, lanes)) return false;
  const LaneMask live = warps_[static_cast<unsigned>(warp_)].live;
  if (live == 0 || (lanes & ~live) != 0) return false;
  const char* at = ahead.data() + again.length();
  SassInstruction& s = *code_[index];
  if (s.memory_operand && !scan_addresses(at, lanes, address_.data())) return false;
  const auto bytes = static_cast<std::size_t>(at - ahead.data());
  if (*at != '\n' || bytes == ahead.size()) return false;
  lines_.take(bytes);
  ++steps_;
  last_ = index;
  Step& step = warp.steps.emplace_back(again.step());
  step.lanes = lanes;
  step.first_address = static_cast<std::uint32_t>(warp.addresses.size());
  if (s.memory_operand) place_addresses(s, step, warp);
  finish_step(s, lanes, step);
  return true;
}

void AccelsimKernel::read_step(std::string_view line, WarpTrace& warp) {
  if (steps_++ == expected_)
    fail(fmt::format("{}: more instructions than `insts = {}`", where(), expected_));
  Tokens tokens(line);
  if (header_.tracer_version < 3) {
    for (unsigned i = 0; i < 4; ++i) {
      std::uint64_t value = 0;
      const std::string_view token = tokens.next();
      if (!parse_decimal(token, value))
        fail(
            fmt::format("`{}`; allowed: four decimal numbers at the start of the line (CTA x, y, "
                        "z, warp) for tracer versions below 3",
                        shown(token)));
    }
  }
  std::uint32_t source_line = 0;
  if (header_.line_numbers) {
    const std::string_view token = tokens.next();
    if (!parse_decimal(token, source_line))
      fail(fmt::format("`{}` as line number; allowed: a decimal number (`enable lineinfo` is 1)",
                       shown(token)));
  }
  std::uint32_t pc = 0;
  const std::string_view pc_token = tokens.next();
  if (!parse_hex(pc_token, pc))
    fail(fmt::format("`{}` as PC; allowed: a hexadecimal number below 2^32", shown(pc_token)));
  LaneMask lanes = 0;
  const std::string_view mask_token = tokens.next();
  if (!parse_hex(mask_token, lanes))
    fail(fmt::format("`{}` as mask; allowed: 8 hexadecimal digits", shown(mask_token)));
  WarpState& state = warps_[static_cast<unsigned>(warp_)];
  if (state.live == 0) fail(where() + ": an instruction after EXIT has retired all lanes");
  if ((lanes & ~state.live) != 0) {
    const LaneMask block = block_lanes(static_cast<unsigned>(warp_));
    fail(fmt::format("{}: mask {:08x} has lanes {}; allowed: lanes of {:08x}", where(), lanes,
                     (lanes & ~block) != 0 ? "outside the block" : "that have executed EXIT",
                     state.live));
  }

  std::string_view rest = tokens.rest();
  const std::uint32_t index = find_instruction(pc, rest);
  const std::string_view operands = rest;
  SassInstruction& s = *code_[index];
  if (source_line != 0 && s.info.source_line == 0) s.info.source_line = source_line;
  Step& step = warp.steps.emplace_back();
  step.inst = index;
  step.lanes = lanes;
  step.space = s.info.space;
  step.first_address = static_cast<std::uint32_t>(warp.addresses.size());
  if (s.memory_operand) {
    read_addresses(rest, s, lanes, step, warp);
  } else if (s.info.mem != MemOp::none && may_have_addresses(s.info.space)) {
    if (lanes != 0)
      fail(fmt::format("{}: {} with mem_width 0; allowed: a memory operand", where(), s.mnemonic));
    if (step.space == Space::generic) step.space = Space::global;
  }
  if (!rest.empty()) {
    Tokens more(rest);
    const std::string_view immediate = more.next();
    std::int64_t value = 0;
    std::uint64_t unsigned_value = 0;
    if (!immediate.empty() && !parse_decimal(immediate, value) &&
        !parse_decimal(immediate, unsigned_value) && !parse_hex(immediate, unsigned_value))
      fail(fmt::format("`{}` as immediate; allowed: a number of 64 bits", shown(immediate)));
    if (header_.exact.known && s.info.op_class == OpClass::barrier &&
        (!parse_decimal(immediate, unsigned_value) || !read_exact_barrier(unsigned_value, step)))
      fail(fmt::format("`{}` as barrier; allowed: a number that stands for at most 32 warps",
                       shown(immediate)));
    if (s.has_immediate && !immediate.empty())
      fail(fmt::format("`{}` after the immediate; allowed: the end of the line", shown(immediate)));
    if (!more.rest().empty())
      fail(fmt::format(
          "`{}` at the end of {}; allowed: one immediate after {}", shown(more.rest()), s.mnemonic,
          s.memory_operand ? fmt::format("the addresses of {} lanes", __builtin_popcount(lanes))
                           : std::string("mem_width 0")));
  }
  const bool plain =
      s.memory_operand ? s.info.op_class != OpClass::barrier : s.info.mem == MemOp::none;
  const auto mask = static_cast<std::size_t>(mask_token.data() - line.data());
  if (plain && mask_token.size() == RepeatedLine::kMaskDigits) {
    Step same = step;
    same.space = s.info.space;
    const std::size_t varies = s.memory_operand ? operands.size() : 0;
    again_[index].remember(line, mask, line.size() - varies, same);
  }
  finish_step(s, lanes, step);
}

void AccelsimKernel::finish_step(SassInstruction& s, LaneMask lanes, Step& step) {
  LaneMask& live = warps_[static_cast<unsigned>(warp_)].live;
  ++by_class_[static_cast<std::size_t>(s.info.op_class)];
  if (s.note != nullptr) ++s.note->count;
  if (s.role == SassRole::exit) live &= ~lanes;
  step.exited = live == 0;
}

void AccelsimKernel::read_addresses(std::string_view& rest, SassInstruction& s, LaneMask lanes,
                                    Step& step, WarpTrace& warp) {
  Tokens tokens(rest);
  const unsigned n = lane_count(lanes);
  const auto hex = [&] {
    const std::string_view token = tokens.next();
    Addr value = 0;
    if (token.empty()) fail(fmt::format("the line ends before the addresses of {} lanes", n));
    if (!parse_hex(token, value) || value >> 49 != 0)
      fail(fmt::format("`{}` as address; allowed: a hexadecimal number below 2^49", shown(token)));
    return value;
  };
  const auto signed_number = [&](const char* what) {
    const std::string_view token = tokens.next();
    std::int64_t value = 0;
    if (!parse_decimal(token, value))
      fail(token.empty() ? fmt::format("the line ends before the {} of {} lanes", what, n)
                         : fmt::format("`{}` as {}; allowed: a decimal number of 64 bits",
                                       shown(token), what));
    return static_cast<std::uint64_t>(value);
  };
  const std::string_view mode = tokens.next();
  if (mode == "0") {
    for (unsigned i = 0; i < n; ++i) address_[i] = hex();
  } else if (mode == "1") {
    Addr at = hex();
    const std::uint64_t stride = signed_number("stride");
    const LaneMask low = lanes == 0 ? 0 : lanes >> __builtin_ctz(lanes);
    if ((low & (low + 1)) != 0)
      fail(fmt::format("addresses as base and stride with mask {:08x}; allowed: adjoining lanes",
                       lanes));
    for (unsigned i = 0; i < n; ++i, at += stride) address_[i] = at;
  } else if (mode == "2") {
    // There are popcount - 1 deltas: what follows them is the immediate.
    Addr at = hex();
    for (unsigned i = 0; i < n; ++i) {
      if (i != 0) at += signed_number("deltas");
      address_[i] = at;
    }
  } else {
    fail(
        fmt::format("`{}` as form of the addresses; allowed: 0 (list), 1 (base and stride) or 2 "
                    "(base and deltas)",
                    shown(mode)));
  }
  rest = tokens.rest();
  place_addresses(s, step, warp);
}

// Resolves generic addresses, and adds to the warp's what address_ holds of the step's lanes.
void AccelsimKernel::place_addresses(SassInstruction& s, Step& step, WarpTrace& warp) {
  if (s.info.mem == MemOp::none || !may_have_addresses(s.info.space)) return;
  keep_lanes(step, s.address_lanes);
  if (step.space == Space::generic) resolve_generic(s, step);
  if (step.lanes != 0 && is_atomic_in_local(s.info, step.space))
    fail(fmt::format("{}: {} of local memory, at 0x{:x}; allowed: global and shared memory",
                     where(), s.mnemonic, address_[0]));
  if (step.space == Space::global)
    skip_no_access(step);
  else
    make_offsets(step);
  const unsigned n = lane_count(step.lanes);
  Addr any = 0;  // bits that some address has
  for (unsigned i = 0; i < n; ++i) any |= address_[i];
  if (any >> 48 != 0) {
    const auto wrong = std::find_if(address_.begin(), address_.begin() + n,
                                    [](Addr address) { return address >> 48 != 0; });
    fail(fmt::format("{}: address 0x{:x} of {}; allowed: below 2^48", where(), *wrong, s.mnemonic));
  }
  warp.addresses.insert(warp.addresses.end(), address_.begin(), address_.begin() + n);
  if ((any & (s.info.bytes - 1u)) == 0) return;
  if (s.unaligned == nullptr)
    s.unaligned = &notes_.of(s.mnemonic +
                                 ": addresses that are no multiple of the access; only the line of "
                                 "the first byte is accessed",
                             "warp instructions");
  ++s.unaligned->count;
}

// The first address says the space. The machine accesses one space at a time, and the trace has one
// line, so lanes that are elsewhere access nothing.
void AccelsimKernel::resolve_generic(SassInstruction& s, Step& step) {
  skip_no_access(step);
  const auto space_of = [this](Addr address) {
    return address - header_.shared_window < kWindow  ? Space::shared
           : address - header_.local_window < kWindow ? Space::local
                                                      : Space::global;
  };
  step.space = step.lanes == 0 ? Space::global : space_of(address_[0]);
  const LaneMask there =
      lanes_with(step, [&](Addr address) { return space_of(address) == step.space; });
  if (there == step.lanes) return;
  keep_lanes(step, there);
  if (s.mixed == nullptr)
    s.mixed = &notes_.of(s.mnemonic +
                             ": lanes in several of global, shared and local memory; only those "
                             "that are where the first one is access it",
                         "warp instructions");
  ++s.mixed->count;
}

// Takes lanes with address 0, the format's "no access", from the step.
void AccelsimKernel::skip_no_access(Step& step) {
  const unsigned n = lane_count(step.lanes);
  bool some = false;
  for (unsigned i = 0; i < n; ++i) some |= address_[i] == 0;
  if (some) keep_lanes(step, lanes_with(step, [](Addr address) { return address != 0; }));
}

// Returns the lanes of the step whose address is `wanted`.
template <class Wanted>
LaneMask AccelsimKernel::lanes_with(const Step& step, Wanted&& wanted) const {
  LaneMask lanes = 0;
  unsigned i = 0;
  for (LaneMask left = step.lanes; left != 0; left &= left - 1, ++i)
    if (wanted(address_[i])) lanes |= left & (~left + 1);
  return lanes;
}

// Takes the lanes that are not among `lanes` from the step, and their addresses.
void AccelsimKernel::keep_lanes(Step& step, LaneMask lanes) {
  if ((step.lanes & ~lanes) == 0) return;
  unsigned i = 0, count = 0;
  for (LaneMask left = step.lanes; left != 0; left &= left - 1, ++i)
    if ((left & (~left + 1) & lanes) != 0) address_[count++] = address_[i];
  step.lanes &= lanes;
}

// Turns addresses of shared or local memory into offsets.
void AccelsimKernel::make_offsets(const Step& step) {
  const bool shared = step.space == Space::shared;
  const Addr window = shared ? header_.shared_window : header_.local_window;
  const unsigned n = lane_count(step.lanes);
  for (unsigned i = 0; i < n; ++i) {
    Addr& address = address_[i];
    if (window != 0 && address - window < kWindow) address -= window;
    if (address >= kWindow)
      fail(
          fmt::format("{}: {} address 0x{:x}; allowed: offsets below 0x{:x} and addresses of the "
                      "window at 0x{:x}",
                      where(), shared ? "shared" : "local", address, kWindow, window));
    if (!shared && !header_.exact.known) address %= kLocalBytes;
  }
}

}  // namespace warpmem::program::trace
