// SPDX-License-Identifier: Apache-2.0
#include "sm/params.hpp"

#include "sm/scheduler/scheduler.hpp"

namespace warpmem::sm {

namespace {

struct OpClassText {
  const char* name;
  const char* doc;  ///< which instructions belong to the class
};
constexpr std::array<OpClassText, program::kOpClasses> kOps = {{
    {"int_alu",
     "integer additions, logic, shifts, comparisons, selections, moves, conversions between "
     "integers"},
    {"int_mul", "integer multiplications and multiply-additions"},
    {"fp32", "single-precision additions, multiplications, fused multiply-additions, comparisons"},
    {"fp64", "double-precision arithmetic"},
    {"sfu", "reciprocals, square roots, sines, exponents, logarithms"},
    {"div", "divisions and remainders, integer or float"},
    {"memory", "loads, stores and atomics of every space"},
    {"control", "branches, calls, returns, exits"},
    {"barrier", "barriers of a thread block"},
    {"fence", "memory fences"},
    {"tensor", "matrix multiply-accumulations"},
    {"texture", "texture and surface instructions, which cause no traffic (traces only)"},
    {"uniform", "instructions of the uniform datapath of Turing and later (traces only)"},
}};

// The last three classes come from SASS traces alone; Fermi has no such units.
const char* timing_source(std::size_t c) {
  return c >= static_cast<std::size_t>(program::OpClass::tensor) ? "Accel-Sim RTX2060 class"
                                                                 : "mechanisms 1.1";
}

}  // namespace

void SmParams::describe(Schema& s, std::function<bool()> shared_apart) {
  s.integer("warps", warps, {1, 64}, "warps that can be resident on an SM at a time", "DL Table 2");
  s.integer("ctas", ctas, {1, 32}, "thread blocks that can be resident on an SM at a time",
            "DL Table 2");
  s.integer("registers", registers, {1024, 1u << 20}, "32-bit registers of an SM",
            "GPGPU-Sim GTX480 class");
  s.only_if("l1d.unified: 0", std::move(shared_apart), [&] {
    s.size("shared_memory", shared_bytes, {0, 1u << 20}, "bytes of shared memory of an SM",
           "MR Table 1");
  });
  s.integer("schedulers", schedulers, {1, 4},
            "warp schedulers of an SM; warp w belongs to scheduler w mod sm.schedulers, and each "
            "issues one instruction in sm.issue_interval cycles",
            "MR Table 1");
  s.integer("issue_interval", issue_interval, {1, 32},
            "SM cycles from an instruction that a scheduler issues to its next one, whatever unit "
            "they go to",
            "1: Fermi; 4: SMs of 8 lanes, whose warps take four cycles to issue");
  s.group("scheduler", "warp scheduling", [&] {
    s.choice("policy", policy,
             {{"rr", Policy::rr},
              {"gtrr", Policy::gtrr},
              {"gtlr", Policy::gtlr},
              {"gto", Policy::gto},
              {"two_level", Policy::two_level},
              {"ccws", Policy::ccws},
              {"laws", Policy::laws},
              {"laws_th", Policy::laws_th},
              {"laws_nmd", Policy::laws_nmd}},
             Schema::Counted<Policy>{"swl", Policy::swl, warp_limit, {1, 64}},
             "order in which ready warps issue; swl:N is gto among the N oldest warps of the SM",
             "KI 2.3, mechanisms 1.7");
    s.added(added_schedulers().names(), added_policy, policy, Policy::gto);
    s.choice(
        "first", first_scheduler,
        {{"lowest", FirstScheduler::lowest}, {"rotating", FirstScheduler::rotating}},
        "which scheduler of an SM issues first in a cycle, and so gets the place in the LSU or "
        "the unit that several of them want: always scheduler 0, or scheduler c mod "
        "sm.schedulers in SM cycle c; the others follow by number, modulo sm.schedulers",
        "lowest: GPGPU-Sim 3.2.2; rotating: GPGPU-Sim 4");
    s.only_if(
        "sm.scheduler.policy: two_level", [this] { return policy == Policy::two_level; },
        [&] {
          s.integer("fetch_group", fetch_group, {1, 64},
                    "warps that one fetch group of a scheduler has", "KI 2.3");
          s.choice("group_policy", group_policy,
                   {{"rr", GroupPolicy::rr}, {"gto", GroupPolicy::gto}},
                   "how two_level chooses the next fetch group", "KI 2.3");
          s.choice("warp_policy", warp_policy,
                   {{"rr", Policy::rr},
                    {"gtrr", Policy::gtrr},
                    {"gtlr", Policy::gtlr},
                    {"gto", Policy::gto}},
                   "order in which the warps of a fetch group issue", "KI 2.3");
        });
    s.only_if(
        "sm.scheduler.policy: laws, laws_th or laws_nmd", [this] { return laws(); },
        [&] {
          s.integer("miss_limit", miss_limit, {1, 65535},
                    "largest value of Miss_CNT, the misses that LAWS has counted since the last "
                    "reuse between warps",
                    "KI 2.7.3.2");
          s.choice("laws_score", laws_score, view_names(), view_text("the locality score"),
                   "mechanisms 6");
        });
    s.only_if(
        "sm.scheduler.policy: laws_th", [this] { return policy == Policy::laws_th; },
        [&] {
          s.integer("divergence", divergence, {1, 64},
                    "memory divergence factor: when nothing is reused within warps, full MSHRs "
                    "limit the warps only if fewer warps than this hold their entries",
                    "KI 3.3.2");
        });
    s.only_if(
        "sm.scheduler.policy: laws_th or laws_nmd", [this] { return laws_throttles(); },
        [&] {
          s.integer("stable_periods", stable_periods, {1, 255},
                    "throttling decisions for which Min_CNT and Max_CNT must have stood before the "
                    "limit becomes their mean",
                    "KI 3.3.1");
          s.integer("hold", hold, {1, 65535},
                    "SM cycles after the first for which a throttling decision stands", "KI 3.3");
          s.choice("throttle_unit", throttle_unit, view_names(), view_text("the throttling unit"),
                   "mechanisms 6");
        });
    s.only_if(
        "sm.scheduler.policy: ccws", [this] { return policy == Policy::ccws; },
        [&] {
          s.integer("victim_tags", victim_tags, {1, 1024},
                    "tags of evicted lines that CCWS remembers for each warp", "KI 3.5.4");
          s.integer("base_score", ccws_base, {1, 65535}, "CCWS score of a warp that loses no lines",
                    "MICRO 2012");
          s.integer("k_throttle", ccws_k, {1, 1024},
                    "K of CCWS: weight of a lost line in the score of its warp", "MICRO 2012");
        });
    s.only_if(
        "sm.scheduler.policy: swl:N, laws_th or laws_nmd",
        [this] { return policy == Policy::swl || laws_throttles(); },
        [&] {
          s.integer("patience", patience, {1000, 1u << 30},
                    "SM cycles after which a warp that is held back is let in, in case another one "
                    "spins until it has run",
                    "chosen");
        });
    s.only_if(
        "sm.scheduler.policy: not rr, gtrr or gtlr", [this] { return may_starve(); },
        [&] {
          s.integer(
              "starvation_bound", starvation_bound, {16, 1u << 30},
              "issue slots of its scheduler after which a warp that was passed over goes first",
              "chosen");
        });
    s.flag("barrel", barrel,
           "true: there is no scoreboard, and a warp does not issue again until its previous "
           "instruction has committed",
           "KI 2.1");
  });
  s.group("coalescer", "merging of a warp's lanes", [&] {
    s.choice("granularity", granularity,
             {{"line", Granularity::line},
              {"sector", Granularity::sector},
              {"segment", Granularity::segment}},
             "what the lanes of a warp are merged into: requests for whole L1D lines, for 32 B "
             "sectors, or for segments of 32 B (accesses of 1 B), 64 B (2 B) or 128 B (4 B and "
             "more; a line at most), each then halved while all of its lanes are in one half",
             "mechanisms 1.1; CUDA C Programming Guide, compute capability 1.2 and 1.3");
    s.only_if(
        "sm.coalescer.granularity: line or segment",
        [this] { return granularity != Granularity::sector; },
        [&] {
          s.choice("past_l1d", past_l1d, {{"alike", PastL1d::alike}, {"sector", PastL1d::sector}},
                   "what the lanes of atomics and volatile loads, which go past L1D, are merged "
                   "into: the same as those of other accesses, or 32 B sectors",
                   "alike: chosen; sector: CUDA C Programming Guide, compute capability 2.x");
        });
    s.choice("atomics", atomics,
             {{"together", AtomicConflicts::together}, {"apart", AtomicConflicts::apart}},
             "how lanes of an atomic that meet on one word, more than l2.atomic.lanes of them, go "
             "to L2: in one request of several operations, or in further requests of one each",
             "chosen; apart: GPGPU-Sim class");
  });
  s.flag("await_atomics", await_atomics,
         "true: a warp issues nothing before its atomics are answered, those without a result "
         "included",
         "GPGPU-Sim 4 waits; chips do not");
  s.group("lsu", "load/store unit", [&] {
    s.integer("queue", lsu_queue, {1, 64},
              "memory instructions that a queue in front of the LSU holds; with sm.lsu.pipeline: 0 "
              "the one that makes its requests is among them",
              "GPGPU-Sim class");
    s.choice("queue_of", lsu_queue_of, {{"sm", OwnedBy::sm}, {"scheduler", OwnedBy::scheduler}},
             "what has such a queue; those of the schedulers take turns at the LSU, an instruction "
             "each",
             "scheduler: NVIDIA, Volta white paper (2017), partitions of an SM");
    s.only_if(
        "sm.lsu.queue_of: scheduler", [this] { return lsu_queue_of == OwnedBy::scheduler; },
        [&] {
          s.choice("order", lsu_order,
                   {{"turns", QueueOrder::turns}, {"oldest", QueueOrder::oldest}},
                   "which queue gives the next instruction: each in turn, or the one whose head "
                   "was issued first",
                   "turns: chosen; oldest: GPGPU-Sim 4");
          s.integer("collectors", lsu_collectors, {0, 64},
                    "operand collectors of a scheduler, one of which each memory instruction in "
                    "its queue but the first takes: while all are taken, the scheduler issues no "
                    "other instruction; 0: memory instructions hold up each other alone",
                    "chosen; GPGPU-Sim 4 has eight an SM, divided by the schedulers");
        });
    s.integer("pipeline", lsu_pipeline, {0, 64},
              "stages of the memory pipeline behind the queue, an instruction each; each takes a "
              "cycle, and an instruction stays in the last one until its requests have gone",
              "GPGPU-Sim class");
    s.integer("pending", lsu_pending, {1, 4096},
              "memory instructions of an SM that may be in flight at a time",
              "not a bottleneck by default");
    s.integer("responses", lsu_responses, {1, 64}, "responses from L1D that may wait for the LSU",
              "chosen");
  });
  s.group("shared", "shared memory: what blocks take, and timing", [&] {
    s.size("reserved", shared_reserved, {0, 1u << 16},
           "bytes of shared memory that a resident block takes besides those of its kernel",
           "0: Fermi; 1 KiB since compute capability 8.0: CUDA C++ Programming Guide");
    s.integer("banks", shared_banks, {1, 64, true}, "banks of an SM's shared memory, each 4 B wide",
              "mechanisms 1.1");
    s.integer("latency", shared_latency, {1, 511},
              "SM cycles of an access to shared memory without bank conflicts", "Fermi class");
    s.integer(
        "conflict_cycles", shared_conflict, {1, 16},
        "SM cycles that each further access to the same bank adds to the latency; the bank is "
        "taken for one of them",
        "Fermi class");
  });
  s.group("bulk", "bulk copy engine", [&] {
    s.flag("enable", bulk,
           "whether an SM has an engine for bulk copies (cp.async.bulk); kernels with such copies "
           "do not run without one",
           "NVIDIA, H100 white paper (2022): the Tensor Memory Accelerator");
    s.only_if(
        "sm.bulk.enable: true", [this] { return bulk; },
        [&] {
          s.integer("queue", bulk_queue, {1, 64},
                    "copies with requests to be sent that hold further bulk copies back; a copy is "
                    "one lane's",
                    "chosen");
          s.integer("rate", bulk_rate, {1, 4},
                    "requests to L1D that the engine sends in an SM cycle, if the port is free: it "
                    "and the LSU take turns",
                    "chosen");
          s.integer("pending", bulk_pending, {1, 4096}, "requests of the engine under way",
                    "chosen");
        });
  });
  s.integer("mbarrier_wait", mbarrier_wait, {1, 1u << 30},
            "SM cycles for which mbarrier.try_wait may suspend a warp; one with a time of its own "
            "takes that",
            "chosen: PTX leaves the limit to the system");
  s.integer("constant_latency", constant_latency, {1, 511},
            "SM cycles of a load of constant memory or of a parameter, which always hits",
            "Fermi class");
  s.group("timing", "latency and initiation interval of instruction classes", [&] {
    for (std::size_t i = 0; i < program::kOpClasses; ++i) {
      s.group(kOps[i].name, kOps[i].doc, [&] {
        if (i != static_cast<std::size_t>(program::OpClass::memory))  // the hierarchy decides
          s.integer("latency", timing[i].latency, {1, 511},
                    "SM cycles from the issue of an instruction of this class until its result can "
                    "be used",
                    timing_source(i));
        s.integer("interval", timing[i].interval, {1, 511},
                  "SM cycles before the unit takes the next warp instruction of this class",
                  timing_source(i));
        if (i == static_cast<std::size_t>(program::OpClass::int_mul))
          s.choice("unit", multiply_unit,
                   {{"own", MultiplyUnit::own},
                    {"int_alu", MultiplyUnit::int_alu},
                    {"fp32", MultiplyUnit::fp32}},
                   "the unit that executes the class: one of its own, or that of another class, "
                   "which is then busy for the interval of whichever it has taken",
                   "own: mechanisms 1.1; int_alu: GPGPU-Sim 4; fp32: NVIDIA, Nsight Compute "
                   "documentation, FMA pipe");
        if (i == static_cast<std::size_t>(program::OpClass::fp64))
          s.choice("unit_of", fp64_unit_of,
                   {{"sm", OwnedBy::sm}, {"scheduler", OwnedBy::scheduler}},
                   "whether an SM has one unit for this class, or each of its schedulers one",
                   "sm: Fermi class; scheduler: NVIDIA, V100 white paper (2017)");
      });
    }
  });
}

unsigned SmParams::shared_units() const {
  using program::OpClass;
  unsigned units = 0;
  for (const OpClass c :
       {OpClass::fp64, OpClass::sfu, OpClass::div, OpClass::memory, OpClass::texture})
    units |= 1u << index_of(c);
  if (fp64_unit_of == OwnedBy::scheduler) units &= ~(1u << index_of(OpClass::fp64));
  return units;
}

unsigned SmParams::longest_result() const {
  constexpr unsigned kMostPasses = 32 * 16 / 4;  // a word each: all lanes, 16 B, one bank
  unsigned longest = std::max(constant_latency, shared_latency + kMostPasses * shared_conflict);
  for (const OpTiming& t : timing) longest = std::max(longest, t.latency);
  return longest;
}

void SmParams::validate(Problems& problems) const {
  if (lsu_queue_of == OwnedBy::scheduler && lsu_collectors != 0 && lsu_collectors >= lsu_queue)
    problems.add("sm.lsu.collectors", std::to_string(lsu_collectors) + " with a queue of " +
                                          std::to_string(lsu_queue) +
                                          "; allowed: less than sm.lsu.queue");
  if (policy == Policy::laws_th && divergence > warps)
    problems.add("sm.scheduler.divergence", std::to_string(divergence) + " of " +
                                                std::to_string(warps) +
                                                " warps; allowed: at most sm.warps");
  if (laws_throttles() && warps < 2)
    problems.add("sm.warps", "1 with a throttling policy; allowed: 2 to 64");
  if (schedulers > warps) {
    problems.add("sm.schedulers", std::to_string(schedulers) + " schedulers for " +
                                      std::to_string(warps) + " warps; allowed: at most sm.warps");
  }
}

}  // namespace warpmem::sm
