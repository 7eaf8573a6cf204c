// SPDX-License-Identifier: Apache-2.0
// A whole miss handling architecture, or a reordering front end: control and comparators
// synthesized around their storage; slots, data buffers and waiting requests as memory macros.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "synth/macro_model.hpp"

namespace warpmem::synth {

/// How the slots' memory takes a write and a read of one cycle, as rtl/common/slot_memory.sv does.
enum class SlotAccess : std::uint8_t {
  two_ports,   ///< one port writes and one reads
  one_port,    ///< the read waits, so a drain takes longer; its word has a multiplexer
  split_cycle  ///< one port is used twice a cycle (MR 6): two accesses, and a register of a slot
};

struct MissHandlerDesign {
  /// The kind is conventional, set_assoc, dl, tsma or htsma; or the control of queues with
  /// `entries` x `slots` requests in a memory: cart_branch, cart_shared or mrpb_drain (at their
  /// default sizes).
  std::string kind = "conventional";
  unsigned entries = 32;       ///< dl: slot sets
  unsigned slots = 8;          ///< slots of an entry or set
  unsigned ways = 4;           ///< set_assoc: entries of a set
  unsigned reserved = 0;       ///< dl: sets that are heads only
  unsigned small_entries = 8;  ///< htsma: entries of the s-MSHR
  unsigned small_slots = 0;    ///< htsma: slots of such an entry; 0: as many as `slots`
  unsigned sectors = 1;        ///< sectors, fetched apart, of what an entry tracks
  unsigned addr_bits = 25;
  unsigned slot_bits = 16;  ///< bits of a slot without the data buffer
  unsigned data_bits = 0;   ///< bits of the data buffer of a slot
  /// Addresses and their comparators are a CAM macro with two searches a cycle, a request's and a
  /// return's; what is synthesized keeps an address of one bit. It is without effect on a tsma.
  bool cam = false;
  SlotAccess slot_access = SlotAccess::two_ports;
};

struct MissHandlerOptions {
  std::filesystem::path rtl_root;
  std::filesystem::path liberty;  ///< empty: osu018
  double node_nm = 180;
  double activity = 0.1;
  unsigned most_synthesized = 32;  ///< entries; larger files follow the law through kLawSizes
  std::filesystem::path cache_dir;
  std::function<void(const std::string&)> progress;
};

/// This is one synthesized size behind a law, and what the law says there.
struct LawPoint {
  unsigned entries = 0;
  double area_um2 = 0;  ///< area of the control, macros left out
  double fitted_um2 = 0;
  double period_ns = 0;
  double fitted_ns = 0;
};

struct MissHandlerCost {
  double sequential_um2 = 0;  ///< the next three added up
  double tag_um2 = 0;         ///< area of the flip-flops of addresses
  double link_um2 = 0;        ///< area of the pointers and bits of chains
  double control_um2 = 0;     ///< area of everything else
  double combinational_um2 = 0;
  double storage_um2 = 0;  ///< slots, a macro: estimated
  double cam_um2 = 0;      ///< addresses, if a macro: estimated
  double period_ns = 0;    ///< cycle of the control: its longest path, between registers as a rule
  /// This is the time of a request on its way: the control's longest path from input to output, a
  /// CAM before it, the slots' macro behind it.
  double access_ns = 0;
  double through_ns = 0;  ///< the control's part of it
  double cam_ns = 0;      ///< search of the CAM, if there is one
  double leakage_mw = 0;
  double dynamic_mw = 0;      ///< power of one request and one return a cycle of cycle_ns()
  std::vector<LawPoint> law;  ///< empty: synthesized at its own size
  double area_um2() const { return sequential_um2 + combinational_um2 + storage_um2 + cam_um2; }
  double cycle_ns() const { return std::max(period_ns, access_ns); }
  double power_mw() const { return leakage_mw + dynamic_mw; }
};

/// A law goes through these sizes.
inline constexpr unsigned kLawSizes[] = {8, 16, 32};

/// Returns {a, b} of the least squares of y = a + b·n through points (n, y), which have at least
/// two different n.
std::pair<double, double> line_through(const std::vector<std::pair<double, double>>& points);

/// Returns "8 entries +0.3 % area -1.2 % period, 16 ...": how far the law is from what was
/// synthesized.
std::string residuals(const std::vector<LawPoint>& law);

/// Returns the cost. Throws UserError for an unknown kind and whatever the flow refuses.
MissHandlerCost cost_of(const MissHandlerDesign& design, const MissHandlerOptions& options);

/// Returns the RTL units that a miss handler of this kind is made of. Throws UserError for a kind
/// that is unknown.
std::vector<std::string> units_of(const std::string& kind);

}  // namespace warpmem::synth
