// SPDX-License-Identifier: Apache-2.0
// The Verilated DAU as a library; compiled on demand behind Verilator's output, with WARPMEM_SETS,
// WARPMEM_SLOTS and WARPMEM_RESERVED, and WARPMEM_TRACE for waveforms.
#include <array>

#include "Vdau.h"
#include "cosim/wrappers/dau_abi.hpp"
#include "cosim/wrappers/verilated_top.hpp"

namespace {

using warpmem::mha::DauIn;
using warpmem::mha::DauOut;
using warpmem::mha::DauSets;
using warpmem::mha::DauState;

constexpr unsigned kSets = WARPMEM_SETS;
constexpr unsigned kPadded = (kSets + 7) / 8 * 8;  // sets are looked at by eights

constexpr unsigned bits_for(unsigned values) {
  unsigned bits = 1;
  while ((1u << bits) < values) ++bits;
  return bits;
}
constexpr unsigned kSetBits = bits_for(kSets);
constexpr unsigned kSlotBits = bits_for(WARPMEM_SLOTS);

// Returns eight bits of a port, which is a plain integer up to 64 bits and an array of words
// beyond.
template <class T>
std::uint64_t eight_bits(const T& port, unsigned lsb) {
  return lsb < 64 ? std::uint64_t{port} >> lsb & 0xff : 0;
}
template <std::size_t N>
std::uint64_t eight_bits(const VlWide<N>& port, unsigned lsb) {
  const unsigned word = lsb / 32;
  std::uint64_t bits = word < N ? port[word] : 0;
  if (word + 1 < N) bits |= std::uint64_t{port[word + 1]} << 32;
  return bits >> (lsb % 32) & 0xff;
}

// Spreads eight bits, one into the lowest bit of each byte.
std::uint64_t spread(std::uint64_t bits) {
  constexpr std::uint64_t kOwnBit = 0x8040201008040201ULL;
  constexpr std::uint64_t kLowSeven = 0x7f7f7f7f7f7f7f7fULL;
  const std::uint64_t own = bits * 0x0101010101010101ULL & kOwnBit;
  return ((own + kLowSeven) | own) >> 7 & 0x0101010101010101ULL;
}

// Returns the numbers of eight sets from `first` on, from a port of bit planes; `bits` is at most
// 16.
template <class T, class Port>
void numbers(const Port& port, unsigned first, unsigned bits, T* to) {
  std::uint64_t bytes[2] = {0, 0};
  for (unsigned b = 0; b < bits; ++b)
    bytes[b / 8] |= spread(eight_bits(port, b * kSets + first)) << (b % 8);
  for (unsigned i = 0; i < 8; ++i)
    to[i] = static_cast<T>((bytes[0] >> 8 * i & 0xff) | (bytes[1] >> 8 * i & 0xff) << 8);
}

// This table gives the state by the bits H, L, S_free, S_full, fail, releasing (bit 0 to 5), and 15
// for what no state gives.
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

void drive(Vdau& top, const DauIn& in) {
  top.req_valid_i = in.req_valid;
  top.req_secondary_i = in.req_secondary;
  top.req_head_i = in.req_head & ((1u << kSetBits) - 1);
  top.ret_valid_i = in.ret_valid;
  top.ret_head_i = in.ret_head & ((1u << kSetBits) - 1);
}

struct Unit {
  warpmem::cosim::VerilatedTop<Vdau, DauIn, drive> verilated;
  std::array<DauState, kPadded> state;
  std::array<std::uint8_t, kPadded> count;
  std::array<std::uint8_t, kPadded> linked;
  std::array<std::uint16_t, kPadded> next;
  std::array<std::uint16_t, kPadded> peer;
};

Unit& unit_of(void* unit) { return *static_cast<Unit*>(unit); }

void* create() { return new Unit(); }
void destroy(void* unit) { delete &unit_of(unit); }
void reset(void* unit) { unit_of(unit).verilated.reset(); }

void eval(void* unit, const DauIn* in, DauOut* out) {
  unit_of(unit).verilated.settle(*in);
  const Vdau& top = unit_of(unit).verilated.top();
  out->req_ready = top.req_ready_o;
  out->rf = top.rf_o;
  out->req_set = top.req_set_o;
  out->req_slot = top.req_slot_o;
  out->req_link = top.req_link_o;
  out->ret_ready = top.ret_ready_o;
  out->release_busy = top.release_busy_o;
  out->n_free = top.n_free_o;
  out->n_linkable = top.n_linkable_o;
}

void commit(void* unit, const DauIn* in) { unit_of(unit).verilated.commit(*in); }

void inspect(void* unit, DauSets* sets) {
  Unit& u = unit_of(unit);
  const Vdau& top = u.verilated.top();
  for (unsigned i = 0; i < kSets; i += 8) {
    const std::uint64_t linked = spread(eight_bits(top.linked_o, i));
    const std::uint64_t bits =
        spread(eight_bits(top.head_o, i)) | linked << 1 | spread(eight_bits(top.s_free_o, i)) << 2 |
        spread(eight_bits(top.s_full_o, i)) << 3 | spread(eight_bits(top.fail_o, i)) << 4 |
        spread(eight_bits(top.releasing_o, i)) << 5;
    for (unsigned j = 0; j < 8; ++j) {
      const unsigned reserved = i + j < WARPMEM_RESERVED ? 1 : 0;
      u.state[i + j] = static_cast<DauState>(kState[reserved][bits >> 8 * j & 63]);
      u.linked[i + j] = static_cast<std::uint8_t>(linked >> 8 * j & 1);
    }
    numbers(top.count_o, i, kSlotBits, &u.count[i]);
    numbers(top.next_o, i, kSetBits, &u.next[i]);
    numbers(top.peer_o, i, kSetBits, &u.peer[i]);
  }
  *sets = {u.state.data(), u.count.data(), u.linked.data(), u.next.data(), u.peer.data()};
}

const char* failure() {
  const std::string& text = warpmem::cosim::first_failure();
  return text.empty() ? nullptr : text.c_str();
}

bool open_waves(void* unit, const char* file) { return unit_of(unit).verilated.open_waves(file); }
bool write_coverage(void* unit, const char* file) {
  return unit_of(unit).verilated.write_coverage(file);
}

constexpr warpmem::cosim::DauAbi kAbi = {{WARPMEM_SETS, WARPMEM_SLOTS, WARPMEM_RESERVED},
                                         create,
                                         destroy,
                                         reset,
                                         eval,
                                         commit,
                                         inspect,
                                         failure,
                                         open_waves,
                                         write_coverage};

}  // namespace

extern "C" __attribute__((visibility("default"))) const warpmem::cosim::DauAbi* warpmem_dau() {
  return &kAbi;
}
