// SPDX-License-Identifier: Apache-2.0
// The synthesizable core of the DAU as a library; compiled on demand with WARPMEM_SETS,
// WARPMEM_SLOTS and WARPMEM_RESERVED.
#include <array>

#include "cosim/wrappers/dau_abi.hpp"
#include "units/dau/dau_core.hpp"

namespace {

using warpmem::mha::DauIn;
using warpmem::mha::DauOut;
using warpmem::mha::DauSets;
using warpmem::mha::DauState;

using Core = warpmem::units::DauCore<WARPMEM_SETS, WARPMEM_SLOTS, WARPMEM_RESERVED>;

struct Unit {
  Core core;
  std::array<DauState, WARPMEM_SETS> state;
  std::array<std::uint8_t, WARPMEM_SETS> count;
  std::array<std::uint8_t, WARPMEM_SETS> linked;
  std::array<std::uint16_t, WARPMEM_SETS> next;
  std::array<std::uint16_t, WARPMEM_SETS> peer;
};

Unit& unit_of(void* unit) { return *static_cast<Unit*>(unit); }

Core::In convert(const DauIn& in) {
  Core::In i;
  i.req_valid = in.req_valid;
  i.req_secondary = in.req_secondary;
  i.req_head = static_cast<std::uint16_t>(in.req_head);
  i.ret_valid = in.ret_valid;
  i.ret_head = static_cast<std::uint16_t>(in.ret_head);
  return i;
}

void* create() { return new Unit(); }
void destroy(void* unit) { delete &unit_of(unit); }
void reset(void* unit) { unit_of(unit).core.reset(); }

void eval(void* unit, const DauIn* in, DauOut* out) {
  const Core::Out o = unit_of(unit).core.eval(convert(*in));
  out->req_ready = o.req_ready;
  out->rf = o.rf;
  out->req_set = o.req_set;
  out->req_slot = o.req_slot;
  out->req_link = o.req_link;
  out->ret_ready = o.ret_ready;
  out->release_busy = o.release_busy;
  out->n_free = o.n_free;
  out->n_linkable = o.n_linkable;
}

void commit(void* unit, const DauIn* in) { unit_of(unit).core.commit(convert(*in)); }

void inspect(void* unit, DauSets* sets) {
  Unit& u = unit_of(unit);
  for (unsigned i = 0; i < WARPMEM_SETS; ++i) {
    u.state[i] = static_cast<DauState>(u.core.state(i));
    u.count[i] = u.core.count(i);
    u.linked[i] = u.core.linked(i);
    u.next[i] = u.core.next(i);
    u.peer[i] = u.core.peer(i);
  }
  *sets = {u.state.data(), u.count.data(), u.linked.data(), u.next.data(), u.peer.data()};
}

const char* failure() { return nullptr; }
bool open_waves(void*, const char*) { return false; }
bool write_coverage(void*, const char*) { return false; }

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
