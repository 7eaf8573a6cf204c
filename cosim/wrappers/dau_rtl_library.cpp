// SPDX-License-Identifier: Apache-2.0
// The Verilated DAU as a library; compiled on demand behind Verilator's output, with WARPMEM_SETS,
// WARPMEM_SLOTS and WARPMEM_RESERVED, and WARPMEM_TRACE for waveforms.
#include <verilated.h>
#ifdef WARPMEM_TRACE
#include <verilated_fst_c.h>
#endif

#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "Vdau.h"
#include "cosim/wrappers/dau_abi.hpp"

namespace {

using warpmem::mha::DauIn;
using warpmem::mha::DauOut;
using warpmem::mha::DauSets;
using warpmem::mha::DauState;

constexpr unsigned kSets = WARPMEM_SETS;

constexpr unsigned bits_for(unsigned values) {
  unsigned bits = 1;
  while ((1u << bits) < values) ++bits;
  return bits;
}
constexpr unsigned kSetBits = bits_for(kSets);
constexpr unsigned kSlotBits = bits_for(WARPMEM_SLOTS);

// Bit of a port, which is a plain integer up to 64 bits and an array of words beyond.
template <class T>
unsigned bit(const T& port, unsigned i) {
  return static_cast<unsigned>(std::uint64_t{port} >> i) & 1;
}
template <std::size_t N>
unsigned bit(const VlWide<N>& port, unsigned i) {
  return (port[i / 32] >> (i % 32)) & 1;
}

// Number of a set, from a port of bit planes.
template <class T>
unsigned number(const T& port, unsigned set, unsigned bits) {
  unsigned value = 0;
  for (unsigned b = 0; b < bits; ++b) value |= bit(port, b * kSets + set) << b;
  return value;
}

// State by the bits H, L, S_free, S_full, fail, releasing (bit 0 to 5); 15 for what no state gives.
constexpr unsigned kIllegal = 15;
constexpr std::array<std::uint8_t, 64> state_table(bool reserved) {
  std::array<std::uint8_t, 64> table{};
  for (unsigned i = 0; i < 64; ++i) {
    const bool head = i & 1, linked = i & 2;
    const unsigned rest = i >> 2;  // S_free, S_full, fail, releasing
    const unsigned base = head ? 0 : 5;
    unsigned state = kIllegal;
    if (rest == 0b0001 && !linked && head == reserved) state = 0;
    if (rest == 0b0000 && !linked) state = base + 1;
    if (rest == 0b0010) state = base + (linked ? 3 : 2);
    if (rest == 0b0110 && !linked) state = base + 4;
    if (rest == 0b1000) state = base + 5;
    table[i] = static_cast<std::uint8_t>(state);
  }
  return table;
}
constexpr std::array<std::uint8_t, 64> kState[2] = {state_table(false), state_table(true)};

std::string first_failure;

struct Unit {
  VerilatedContext context;
  Vdau top{&context};
#ifdef WARPMEM_TRACE
  std::unique_ptr<VerilatedFstC> waves;
#endif
  DauIn in;
  bool settled = false;  // outputs are those of `in` before the clock edge

  std::array<DauState, kSets> state;
  std::array<std::uint8_t, kSets> count;
  std::array<std::uint8_t, kSets> linked;
  std::array<std::uint16_t, kSets> next;
  std::array<std::uint16_t, kSets> peer;

  void eval() {
    top.eval();
#ifdef WARPMEM_TRACE
    if (waves) waves->dump(context.time());
    context.timeInc(1);
#endif
  }
  void settle(const DauIn& i) {
    if (settled && i.req_valid == in.req_valid && i.req_secondary == in.req_secondary &&
        i.req_head == in.req_head && i.ret_valid == in.ret_valid && i.ret_head == in.ret_head)
      return;
    in = i;
    top.req_valid_i = in.req_valid;
    top.req_secondary_i = in.req_secondary;
    top.req_head_i = in.req_head & ((1u << kSetBits) - 1);
    top.ret_valid_i = in.ret_valid;
    top.ret_head_i = in.ret_head & ((1u << kSetBits) - 1);
    top.clk = 0;
    eval();
    settled = true;
  }
  void edge() {
    top.clk = 1;
    eval();
    settled = false;
  }
};

Unit& unit_of(void* unit) { return *static_cast<Unit*>(unit); }

void reset(void* unit) {
  Unit& u = unit_of(unit);
  u.top.rst_n = 0;
  u.settled = false;
  u.settle({});
  u.edge();
  u.top.rst_n = 1;
}

void* create() {
  auto unit = std::make_unique<Unit>();
  reset(unit.get());
  return unit.release();
}

void destroy(void* unit) {
  Unit& u = unit_of(unit);
  u.top.final();
#ifdef WARPMEM_TRACE
  if (u.waves) u.waves->close();
#endif
  delete &u;
}

void eval(void* unit, const DauIn* in, DauOut* out) {
  Unit& u = unit_of(unit);
  u.settle(*in);
  out->req_ready = u.top.req_ready_o;
  out->rf = u.top.rf_o;
  out->req_set = u.top.req_set_o;
  out->req_slot = u.top.req_slot_o;
  out->req_link = u.top.req_link_o;
  out->ret_ready = u.top.ret_ready_o;
  out->release_busy = u.top.release_busy_o;
  out->n_free = u.top.n_free_o;
  out->n_linkable = u.top.n_linkable_o;
}

void commit(void* unit, const DauIn* in) {
  Unit& u = unit_of(unit);
  u.settle(*in);
  u.edge();
}

void inspect(void* unit, DauSets* sets) {
  Unit& u = unit_of(unit);
  const Vdau& top = u.top;
  for (unsigned i = 0; i < kSets; ++i) {
    const unsigned linked = bit(top.linked_o, i);
    const unsigned bits = bit(top.head_o, i) | linked << 1 | bit(top.s_free_o, i) << 2 |
                          bit(top.s_full_o, i) << 3 | bit(top.fail_o, i) << 4 |
                          bit(top.releasing_o, i) << 5;
    u.state[i] = static_cast<DauState>(kState[i < WARPMEM_RESERVED ? 1 : 0][bits]);
    u.count[i] = static_cast<std::uint8_t>(number(top.count_o, i, kSlotBits));
    u.linked[i] = static_cast<std::uint8_t>(linked);
    u.next[i] = static_cast<std::uint16_t>(number(top.next_o, i, kSetBits));
    u.peer[i] = static_cast<std::uint16_t>(number(top.peer_o, i, kSetBits));
  }
  *sets = {u.state.data(), u.count.data(), u.linked.data(), u.next.data(), u.peer.data()};
}

const char* failure() { return first_failure.empty() ? nullptr : first_failure.c_str(); }

bool open_waves(void* unit, const char* file) {
#ifdef WARPMEM_TRACE
  Unit& u = unit_of(unit);
  u.context.traceEverOn(true);
  u.waves = std::make_unique<VerilatedFstC>();
  u.top.trace(u.waves.get(), 99);
  u.waves->open(file);
  return u.waves->isOpen();
#else
  return false;
#endif
}

constexpr warpmem::cosim::DauAbi kAbi = {{WARPMEM_SETS, WARPMEM_SLOTS, WARPMEM_RESERVED},
                                         create,
                                         destroy,
                                         reset,
                                         eval,
                                         commit,
                                         inspect,
                                         failure,
                                         open_waves};

void note_failure(const char* file, int line, const char* what) {
  if (first_failure.empty())
    first_failure = std::string(file) + ":" + std::to_string(line) + ": " + what;
}

}  // namespace

// A check of the RTL that fails is noted instead of ending the process.
void vl_stop(const char* file, int line, const char* scope) VL_MT_UNSAFE {
  note_failure(file, line, "a check failed");
}
void vl_fatal(const char* file, int line, const char* scope, const char* message) VL_MT_UNSAFE {
  note_failure(file, line, message);
}

extern "C" __attribute__((visibility("default"))) const warpmem::cosim::DauAbi* warpmem_dau() {
  return &kAbi;
}
