// SPDX-License-Identifier: Apache-2.0
#include "app/value_meanings.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cache/mha/params.hpp"

namespace warpmem::app {

namespace {

struct Meaning {
  std::string_view value, meaning;
};
struct Meanings {
  std::vector<std::string_view> keys;
  std::vector<Meaning> values;
};

std::vector<Meaning> miss_handlers() {
  std::vector<Meaning> all;
  for (const mha::Kind kind : mha::kKinds) all.push_back({mha::name_of(kind), meaning_of(kind)});
  return all;
}

const std::vector<Meanings>& all_meanings() {
  // clang-format off
  static const std::vector<Meanings> kAll = {
      {{"memory.partition_hash", "l2.slice_hash"},
       {{"linear", "each round of turns begins at the first one"},
        {"xor",
         "a round begins at its number XOR itself shifted: strides of a power of two spread"},
        {"polynomial",
         "a round begins at the residue of its number by a polynomial (Rau, ISCA 1991)"},
        {"xor_low", "a chunk's place is XORed with its round's number, low bits of both"}}},
      {{"memory.order"},
       {{"row_bank_column",
         "consecutive rows of a bank lie apart by all banks: streams stay in an open row"},
        {"row_column_bank",
         "consecutive columns lie in different banks: streams use all banks at once"}}},
      {{"sm.scheduler.policy"},
       {{"rr", "the ready warps in turn"},
        {"gtrr", "the warp that issued last until it cannot, then the next ready one in turn"},
        {"gtlr", "as gtrr, and a load also ends a warp's turn"},
        {"gto", "the warp that issued last until it cannot, then the oldest ready one"},
        {"two_level", "fetch groups of warps: those of the active group go before all others"},
        {"ccws",
         "cache-conscious: warps that lose their own lines may load, the others are held back"},
        {"laws",
         "gtlr while locality is between warps, gto while it is within a warp, by a score"},
        {"laws_th", "laws, with a limit on the warps of each SM"},
        {"laws_nmd", "laws_th without the rule that decides anew when the limit did not help"},
        {"swl:N", "static warp limiting: gto among the N oldest warps of the SM"}}},
      {{"sm.scheduler.group_policy"},
       {{"rr", "the fetch groups in turn"},
        {"gto", "the oldest fetch group with a ready warp"}}},
      {{"sm.scheduler.warp_policy"},
       {{"rr", "the ready warps in turn"},
        {"gtrr", "the warp that issued last until it cannot, then the next ready one in turn"},
        {"gtlr", "as gtrr, and a load also ends a warp's turn"},
        {"gto", "the warp that issued last until it cannot, then the oldest ready one"}}},
      {{"sm.scheduler.first"},
       {{"lowest", "scheduler 0 in every cycle"},
        {"rotating", "scheduler c modulo their number in SM cycle c"}}},
      {{"sm.lsu.order"},
       {{"turns", "the queues in turn"},
        {"oldest", "the queue whose head was issued first"}}},
      {{"sm.timing.int_mul.unit"},
       {{"own", "a unit of its own"},
        {"int_alu", "that of integer arithmetic"},
        {"fp32", "that of single precision"}}},
      {{"sm.coalescer.granularity"},
       {{"line", "a request for each L1D line that the lanes touch"},
        {"sector", "a request for each 32 B sector"},
        {"segment",
         "a request for each segment of 32, 64 or 128 B, halved where one half is not touched"}}},
      {{"sm.coalescer.past_l1d"},
       {{"alike", "requests as of other accesses"},
        {"sector", "a request for each 32 B sector"}}},
      {{"sm.coalescer.atomics"},
       {{"together", "in one request with several operations"},
        {"apart", "in further requests of one operation each"}}},
      {{"sm.lsu.queue_of"},
       {{"sm", "the SM has one queue"},
        {"scheduler", "each scheduler has a queue; they take turns at the LSU"}}},
      {{"l1d.index", "l2.index"},
       {{"linear", "the line's address, modulo the sets"},
        {"xor", "its five lowest bits XOR the five bits above the index, modulo the sets"},
        {"polynomial", "the residue of the address by a polynomial over GF(2), modulo the sets"}}},
      {{"l1d.replacement", "l2.replacement"},
       {{"lru", "the least recently used line leaves"},
        {"plru", "the line that a binary tree of bits names leaves"},
        {"srrip", "the line that is expected to be used last leaves (Jaleel et al., ISCA 2010)"},
        {"random", "any line leaves"}}},
      {{"l1d.allocate", "l2.allocate"},
       {{"on_miss",
         "a miss reserves its line at once; a set whose lines are all reserved refuses"},
        {"on_fill", "the line is chosen when its bytes have arrived"}}},
      {{"l1d.write"},
       {{"through_evict", "a store that hits drops the line and goes to L2, as on Fermi"},
        {"through_update", "a store that hits writes the line and goes to L2, as since Volta"}}},
      {{"l1d.write_miss"},
       {{"pass", "the store goes to L2 only"},
        {"allocate", "its bytes take a line as well; the others are fetched when they are read"}}},
      {{"l1d.keep"},
       {{"all", "every miss leaves its line"},
        {"prefetches", "only prefetched lines stay: L1D is a prefetch cache"}}},
      {{"l1d.store_packet"},
       {{"segment", "the least aligned 32, 64 or 128 B with what the lanes write"},
        {"line", "the whole request"}}},
      {{"l1d.frontend.kind"},
       {{"none", "the oldest request alone is tried"},
        {"nonblocking", "a request that is refused lets those behind it pass"},
        {"mrpb", "requests wait in queues by signature, which a drain policy empties (MR)"}}},
      {{"l1d.frontend.mrpb.signature"},
       {{"cta", "a queue for each thread block"},
        {"warp", "a queue for each warp"},
        {"warp_in_cta", "a queue for each warp number within a block"}}},
      {{"l1d.frontend.mrpb.drain"},
       {{"fixed", "the queue with the lowest number that has a request"},
        {"round_robin", "the queues in turn"},
        {"longest", "the longest queue"},
        {"greedy_fixed", "the last queue until it is empty, then the lowest number"},
        {"greedy_round_robin", "the last queue until it is empty, then the next in turn"},
        {"greedy_longest", "the last queue until it is empty, then the longest"}}},
      {{"l1d.bypass.kind"},
       {{"none", "no load goes past L1D for its sake"},
        {"associativity",
         "loads go past it that are refused because every line of their set is taken"},
        {"any_rf", "loads go past it that are refused for any reservation fail"},
        {"bucl_dyn", "un-coalesced loads go past it, above a threshold that BUCL adapts"},
        {"bucl_prf", "un-coalesced loads go past it, above a threshold that was profiled"}}},
      {{"l1d.bypass.fetch"},
       {{"segment", "the least aligned 32, 64 or 128 B with what the lanes want"},
        {"line", "the whole request"}}},
      {{"l1d.prefetch.kind"},
       {{"none", "nothing is prefetched"},
        {"pc_stride", "strides by PC: every memory instruction of every warp trains one table"},
        {"pcst", "strides by PC: a single thread trains the table, all warps use it"},
        {"itpc", "pcst, and strides from one PC to the next"},
        {"stpe", "itpc, which stops when its prefetches are of no use"},
        {"mt_hwp", "strides by PC, between warps, and by PC and warp (LLK10)"}}},
      {{"l1d.mshr.kind", "l2.mshr.kind"}, miss_handlers()},
      {{"l1d.mshr.granularity", "l2.mshr.granularity"},
       {{"line", "an entry tracks all misses of a line"},
        {"sector", "an entry tracks one fetch of sectors"}}},
      {{"l1d.mshr.dau", "l1d.mshr.index_gen", "l1d.mshr.file", "l1d.mshr.steer",
        "l2.mshr.dau", "l2.mshr.index_gen", "l2.mshr.file", "l2.mshr.steer",
        "l1d.bypass.bucl.unit", "l1d.frontend.mrpb.unit", "l2.frontend.cart_unit",
        "sm.scheduler.laws_score", "sm.scheduler.throttle_unit"},
       {{"class", "the fast class"},
        {"core", "the synthesizable core in C++"},
        {"systemc", "the SC_MODULE around the core, by its pins"},
        {"rtl", "the SystemVerilog, through Verilator"}}},
      {{"noc.input_queues"},
       {{"fifo", "the head of a queue alone; it holds up those behind it"},
        {"virtual_output", "the oldest packet for each output; iSLIP pairs them"}}},
      {{"l2.write_miss"},
       {{"fetch", "its line is fetched"},
        {"fetch_partial", "its line is fetched unless the write covers it"},
        {"validate",
         "it takes a line without a fetch; missing bytes are fetched when they are read"},
        {"through_fetch", "it goes to DRAM, and its line is fetched"}}},
      {{"l2.memcpy"},
       {{"drop", "L2 drops the lines that are written"},
        {"keep", "L2 holds them afterwards, clean"},
        {"update", "L2 keeps those that it has, and takes no others"}}},
      {{"l2.frontend.kind"},
       {{"fifo", "the oldest request alone is tried"},
        {"nonblocking", "a request that is refused lets those behind it pass"},
        {"bank_queues", "a queue for each DRAM bank; their heads in turn"},
        {"cart", "a tree of queues by bank and row (GU 2)"}}},
      {{"l2.frontend.drain"},
       {{"same_or_longest_row",
         "the other banks' queues of the same row number, else the longest of the row"},
        {"longest", "the longest queue of all"},
        {"round_robin", "the queues in turn"},
        {"greedy", "one queue until it is empty"}}},
      {{"l2.bypass.kind"},
       {{"none", "never"},
        {"any_rf", "on any reservation fail"}}},
      {{"dram.kind"},
       {{"gddr5", "the channels that this group describes"},
        {"external", "a memory of your own, at the library's sockets"}}},
      {{"dram.group_bits"},
       {{"low", "neighbouring banks are in different groups"},
        {"high", "neighbouring banks are in one group"}}},
      {{"dram.command_bus"},
       {{"one", "one command a cycle"},
        {"row_and_column", "a row command and a column command a cycle, as HBM"}}},
      {{"dram.column_command"},
       {{"train", "all bursts of a request one after the other"},
        {"burst", "one burst"}}},
      {{"dram.refresh"},
       {{"none", "no refresh"},
        {"all_bank", "all banks of a channel at once, every tREFI"},
        {"per_bank", "one bank after the other, all of them within tREFI"}}},
      {{"dram.policy"},
       {{"fr_fcfs", "row hits first, then the oldest"},
        {"fcfs", "the oldest"}}},
      {{"dram.page"},
       {{"open", "it stays open"},
        {"closed", "its last column command closes it"}}},
      {{"uvm.prefetch"},
       {{"none", "no page"},
        {"random", "one more absent page of the same 2 MiB"},
        {"sequential", "the aligned 64 KiB around the page"},
        {"tree",
         "its 64 KiB leaf, and nodes of the binary tree above that are more than half full"},
        {"cap", "an aligned block whose size follows from free and allocated memory (GU 4.3)"}}},
      {{"uvm.evict"},
       {{"random", "single resident pages"},
        {"sequential", "the 64 KiB around the least recently used page"},
        {"nvidia", "the least recently used 2 MiB"},
        {"tree", "the least recently used 64 KiB, and nodes above that are more than half empty"},
        {"ture", "blocks whose lease, learned from their use, has run out (GU 4.4)"}}},
      {{"uvm.fault.handling"},
       {{"single", "one at a time"},
        {"batch", "all that wait, together"}}},
  };
  // clang-format on
  return kAll;
}

}  // namespace

std::string value_meaning(const std::string& key, const std::string& value) {
  for (const Meanings& group : all_meanings()) {
    if (std::find(group.keys.begin(), group.keys.end(), key) == group.keys.end()) continue;
    const auto found = std::find_if(group.values.begin(), group.values.end(),
                                    [&](const Meaning& m) { return m.value == value; });
    if (found != group.values.end()) return std::string(found->meaning);
  }
  return "";
}

}  // namespace warpmem::app
