// SPDX-License-Identifier: Apache-2.0
// MRPB's drain selector, described once for all its views. Masks have a bit for each queue.
#pragma once

#include <cstdint>

#include "units/bits_for.hpp"
#include "units/unit_fields.hpp"

namespace warpmem::units {

enum class MrpbDrainPolicy : std::uint8_t {
  fixed,
  round_robin,
  longest,
  greedy_fixed,
  greedy_round_robin,
  greedy_longest
};
inline constexpr const char* kMrpbDrainPolicies[] = {
    "fixed",          "round_robin", "longest", "greedy_fixed", "greedy_round_robin",
    "greedy_longest", nullptr};

struct MrpbDrainSize {
  std::uint32_t queues = 48;
  std::uint32_t entries = 8;  ///< requests of a queue; 0: no limit (only the class has that)
  MrpbDrainPolicy policy = MrpbDrainPolicy::fixed;
  bool flush = true;
};

struct MrpbDrainIn {
  std::uint64_t ready = 0;      ///< queues whose oldest request may leave, if they hold one
  bool take = false;            ///< the chosen request leaves, if there is one
  bool head_valid = false;      ///< a request waits to enter or pass
  bool head_stored = false;     ///< that request is to be stored; else its queue has to be empty
  std::uint8_t head_queue = 0;  ///< queue of the waiting request, and of the one that enters
  bool enter = false;           ///< a request is stored in head_queue, after another one has left

  using Size = MrpbDrainSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("ready", &MrpbDrainIn::ready, size.queues);
    v("take", &MrpbDrainIn::take, 1);
    v("head_valid", &MrpbDrainIn::head_valid, 1);
    v("head_stored", &MrpbDrainIn::head_stored, 1);
    v("head_queue", &MrpbDrainIn::head_queue, bits_for(size.queues));
    v("enter", &MrpbDrainIn::enter, 1);
  }
};

struct MrpbDrainOut {
  bool drain_valid = false;      ///< some queue may drain
  bool drain_forced = false;     ///< the queue is the one that the waiting request needs
  std::uint8_t drain_queue = 0;  ///< 0 unless drain_valid
  bool head_full = false;        ///< head_queue has no room, after what leaves in this cycle
  bool head_empty = false;       ///< head_queue is empty, after what leaves in this cycle
  std::uint64_t held = 0;        ///< queues with requests

  using Size = MrpbDrainSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("drain_valid", &MrpbDrainOut::drain_valid, 1);
    v("drain_forced", &MrpbDrainOut::drain_forced, 1);
    v("drain_queue", &MrpbDrainOut::drain_queue, bits_for(size.queues));
    v("head_full", &MrpbDrainOut::head_full, 1);
    v("head_empty", &MrpbDrainOut::head_empty, 1);
    v("held", &MrpbDrainOut::held, size.queues);
  }
};

struct MrpbDrainDescription : UnitDefaults {
  using In = MrpbDrainIn;
  using Out = MrpbDrainOut;
  using Size = MrpbDrainSize;

  static constexpr const char* kName = "mrpb_drain";
  static constexpr const char* kViewKey = "mrpb.unit";
  static constexpr const char* const kValidWith[][2] = {{"drain_queue_o", "drain_valid_o"}};
  static constexpr unsigned kPlace = 7;
  static constexpr unsigned kProofPlace = 10;

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"QUEUES", "queues", "--queues", "queues", 1, 64}, size.queues);
    v(SizeField{"ENTRIES", "entries", "--queue-entries", "requests of a queue", 1, 1024},
      size.entries);
    v(SizeField{"POLICY", "policy", "--drain", "policy", 0, 5, kMrpbDrainPolicies}, size.policy);
    v(SizeField{"FLUSH", "flush", "--no-flush", "a waiting request changes nothing"}, size.flush);
  }
  static constexpr Size kSizes[] = {{48, 8, MrpbDrainPolicy::fixed, true},
                                    {1, 1, MrpbDrainPolicy::round_robin, true},
                                    {5, 3, MrpbDrainPolicy::round_robin, true},
                                    {48, 32, MrpbDrainPolicy::longest, true},
                                    {8, 4, MrpbDrainPolicy::greedy_fixed, true},
                                    {32, 8, MrpbDrainPolicy::greedy_round_robin, false},
                                    {64, 5, MrpbDrainPolicy::greedy_longest, true}};
  static constexpr Size kAttacked = {5, 3, MrpbDrainPolicy::greedy_longest, true};
  static constexpr UnitProof kProofs[] = {
      {"QUEUES=5 ENTRIES=3 POLICY=0", true}, {"QUEUES=3 ENTRIES=2 POLICY=1"},
      {"QUEUES=3 ENTRIES=2 POLICY=3"},       {"QUEUES=3 ENTRIES=2 POLICY=4"},
      {"QUEUES=3 ENTRIES=2 POLICY=5"},       {"QUEUES=4 ENTRIES=3 POLICY=2"},
      {"QUEUES=16 ENTRIES=8 POLICY=0"}};
};

}  // namespace warpmem::units
