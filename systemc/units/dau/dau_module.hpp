// SPDX-License-Identifier: Apache-2.0
// Pin-level DAU: the core with the ports of rtl/dau/dau.sv. The ports count_o, next_o and peer_o
// are bit planes: bit b of set i stands at b * kSets + i.
#pragma once

#include <array>
#include <systemc>

#include "units/bits_for.hpp"
#include "units/clocked_module.hpp"
#include "units/dau/dau_core.hpp"

namespace warpmem::units {

template <unsigned kSets, unsigned kSlots, unsigned kReserved>
class DauModule
    : public ClockedModule<DauModule<kSets, kSlots, kReserved>, DauCore<kSets, kSlots, kReserved>> {
  using Core = DauCore<kSets, kSlots, kReserved>;
  using Base = ClockedModule<DauModule, Core>;
  friend Base;
  using Base::core_;

 public:
  static constexpr int kSetBits = bits_for(kSets);
  static constexpr int kSlotBits = bits_for(kSlots);
  static constexpr int kCountBits = bits_for(kSets + 1);

  using SetIndex = sc_dt::sc_uint<kSetBits>;
  using SlotIndex = sc_dt::sc_uint<kSlotBits>;
  using SetCount = sc_dt::sc_uint<kCountBits>;
  using SetVector = sc_dt::sc_bv<static_cast<int>(kSets)>;
  using PointerVector = sc_dt::sc_bv<static_cast<int>(kSets) * kSetBits>;
  using SlotVector = sc_dt::sc_bv<static_cast<int>(kSets) * kSlotBits>;

  sc_core::sc_in<bool> req_valid_i{"req_valid_i"};
  sc_core::sc_in<bool> req_secondary_i{"req_secondary_i"};
  sc_core::sc_in<SetIndex> req_head_i{"req_head_i"};
  sc_core::sc_out<bool> req_ready_o{"req_ready_o"};
  sc_core::sc_out<bool> rf_o{"rf_o"};
  sc_core::sc_out<SetIndex> req_set_o{"req_set_o"};
  sc_core::sc_out<SlotIndex> req_slot_o{"req_slot_o"};
  sc_core::sc_out<bool> req_link_o{"req_link_o"};

  sc_core::sc_in<bool> ret_valid_i{"ret_valid_i"};
  sc_core::sc_in<SetIndex> ret_head_i{"ret_head_i"};
  sc_core::sc_out<bool> ret_ready_o{"ret_ready_o"};
  sc_core::sc_out<bool> release_busy_o{"release_busy_o"};

  sc_core::sc_out<SetCount> n_free_o{"n_free_o"};
  sc_core::sc_out<SetCount> n_linkable_o{"n_linkable_o"};

  sc_core::sc_out<SetVector> head_o{"head_o"};
  sc_core::sc_out<SetVector> linked_o{"linked_o"};
  sc_core::sc_out<SetVector> s_free_o{"s_free_o"};
  sc_core::sc_out<SetVector> s_full_o{"s_full_o"};
  sc_core::sc_out<SetVector> fail_o{"fail_o"};
  sc_core::sc_out<SetVector> releasing_o{"releasing_o"};
  sc_core::sc_out<SlotVector> count_o{"count_o"};
  sc_core::sc_out<PointerVector> next_o{"next_o"};
  sc_core::sc_out<PointerVector> peer_o{"peer_o"};

  SC_HAS_PROCESS(DauModule);
  explicit DauModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(drive_requests);
    this->sensitive << core_ << req_valid_i << req_secondary_i << req_head_i << ret_valid_i
                    << ret_head_i;
    SC_METHOD(drive_state);
    this->sensitive << core_;
  }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.req_valid = req_valid_i.read();
    in.req_secondary = req_secondary_i.read();
    in.req_head = static_cast<std::uint16_t>(req_head_i.read().to_uint());
    in.ret_valid = ret_valid_i.read();
    in.ret_head = static_cast<std::uint16_t>(ret_head_i.read().to_uint());
    return in;
  }

  void drive_requests() {
    const typename Core::Out out = core_.read().eval(inputs());
    req_ready_o.write(out.req_ready);
    rf_o.write(out.rf);
    req_set_o.write(SetIndex(out.req_set));
    req_slot_o.write(SlotIndex(out.req_slot));
    req_link_o.write(out.req_link);
    ret_ready_o.write(out.ret_ready);
    release_busy_o.write(out.release_busy);
    n_free_o.write(SetCount(out.n_free));
    n_linkable_o.write(SetCount(out.n_linkable));
  }

  /// Returns the lowest bits of eight bytes as eight bits: the product brings each to the top byte.
  static std::uint32_t lowest_bits(std::uint64_t bytes) {
    constexpr std::uint64_t kLowest = 0x0101010101010101ULL, kToTop = 0x0102040810204080ULL;
    return static_cast<std::uint32_t>((bytes & kLowest) * kToTop >> 56);
  }

  // Eight sets at a time: a bit at a time in a vector would take most of the cycle.
  template <int kPlanes, class Vector, class OfSet>
  static void write_planes(sc_core::sc_out<Vector>& port, const OfSet& of_set) {
    constexpr unsigned kWords = (kPlanes * kSets + 31) / 32;
    std::array<std::uint32_t, kWords + 1> words{};
    for (unsigned first = 0; first < kSets; first += 8) {
      std::array<std::uint64_t, 2> bytes{};
      for (unsigned j = 0; j < 8 && first + j < kSets; ++j) {
        const auto value = static_cast<std::uint64_t>(of_set(first + j));
        bytes[0] |= (value & 0xff) << 8 * j;
        bytes[1] |= (value >> 8) << 8 * j;
      }
      for (unsigned plane = 0; plane < kPlanes; ++plane) {
        const unsigned at = plane * kSets + first;
        const std::uint64_t bits = std::uint64_t{lowest_bits(bytes[plane / 8] >> plane % 8)}
                                   << at % 32;
        words[at / 32] |= static_cast<std::uint32_t>(bits);
        words[at / 32 + 1] |= static_cast<std::uint32_t>(bits >> 32);
      }
    }
    Vector vector;
    for (unsigned w = 0; w < kWords; ++w) vector.set_word(static_cast<int>(w), words[w]);
    port.write(vector);
  }

  void drive_state() {
    const Core& core = core_.read();
    write_planes<1>(head_o, [&core](unsigned i) { return core.head(i); });
    write_planes<1>(linked_o, [&core](unsigned i) { return core.linked(i); });
    write_planes<1>(s_free_o, [&core](unsigned i) { return core.s_free(i); });
    write_planes<1>(s_full_o, [&core](unsigned i) { return core.s_full(i); });
    write_planes<1>(fail_o, [&core](unsigned i) { return core.fail(i); });
    write_planes<1>(releasing_o, [&core](unsigned i) { return core.releasing(i); });
    write_planes<kSlotBits>(count_o, [&core](unsigned i) { return core.count(i); });
    write_planes<kSetBits>(next_o, [&core](unsigned i) { return core.next(i); });
    write_planes<kSetBits>(peer_o, [&core](unsigned i) { return core.peer(i); });
  }
};

}  // namespace warpmem::units
