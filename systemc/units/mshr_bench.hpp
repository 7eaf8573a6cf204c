// SPDX-License-Identifier: Apache-2.0
// Benches of the whole MSHR files: mshr_bench_models.hpp stands where other units have their class,
// for the classes of the files are the miss handlers, which have no pins.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/random.hpp"
#include "cosim/lockstep_unit.hpp"
#include "units/mshr_bench_models.hpp"

namespace warpmem::cosim {

/// The bits of a request that its field has, of those that the file keeps.
inline std::uint32_t slot_mask(const MshrSize& size) {
  return size.slot_bits < 32 ? (1u << size.slot_bits) - 1 : ~0u;
}

/// Gives a request and a return random sectors: of lines that are fetched in parts often one, or
/// all of them; of others the pins carry anything.
void choose_sectors(const MshrSize& size, Random& random, MshrIn* in);

/// The bits of an address that the file has.
inline std::uint64_t address_mask(const MshrSize& size) {
  return size.addr_bits < 64 ? (std::uint64_t{1} << size.addr_bits) - 1 : ~std::uint64_t{0};
}

/// Finds out whether comparators look at all bits of an address: only they tell a block that waits
/// from one whose address differs in a single bit.
class OneBitBeside {
 public:
  explicit OneBitBeside(const MshrSize& size) : all_(address_mask(size)) {}
  /// Takes note of an address that is looked for among those of the blocks that wait. Returns
  /// whether it is such a neighbour, and there has been one for every bit.
  bool see(std::uint64_t address, const std::vector<std::uint64_t>& waiting) {
    std::uint64_t bits = 0;
    for (const std::uint64_t other : waiting)
      if (const std::uint64_t difference = address ^ other; (difference & (difference - 1)) == 0)
        bits |= difference;
    seen_ |= bits;
    return bits != 0 && seen_ == all_;
  }

 private:
  std::uint64_t all_;
  std::uint64_t seen_ = 0;
};

/// Random requests, also of blocks that drain, and returns, also of no block.
class MshrStimulus {
 public:
  MshrStimulus(const MshrSize& size, std::uint64_t seed)
      : size_(size), random_(seed), sectors_(~seed) {}
  /// `names` are the blocks that wait or drain.
  MshrIn next(const std::vector<std::uint64_t>& names);

 private:
  std::uint64_t block(std::uint32_t blocks);
  std::uint64_t one_bit_beside(std::uint64_t address) {
    return address ^ std::uint64_t{1} << random_.below(size_.addr_bits);
  }

  MshrSize size_;
  Random random_;
  Random sectors_;
  std::uint64_t cycle_ = 0;
  std::uint64_t asked_ = 0;  // address of the last request
};

/// Returns vectors that bring a file of this size into every situation, from its reset on: the
/// tables of the files' READMEs and DL Fig 4 and 5, a file that fills up, and drains.
std::vector<MshrIn> mshr_directed(const MshrSize& size);
CoverPoints mshr_coverage(const MshrSize& size);
/// These are parts of a situation that the model knows.
struct MshrSituation {
  bool back_to_back = false;
  bool waits_for_release = false;
  bool some_come = false;  ///< data of a block that misses further sectors
  bool sectored = false;   ///< lines are fetched in parts
  bool waits_for_port = false;
  bool request_beside = false, return_beside = false;  ///< by OneBitBeside
};
/// Counts what the situation of a cycle is.
void mshr_count(const MshrIn& in, const MshrOut& out, const MshrSituation& situation,
                CoverPoints& points);
/// Adds what the limits of the fields do not say of sizes that the files do not have.
void mshr_check(const MshrSize& size, Problems& problems);
/// Returns the size for people: "8 sets of 4 entries of 8 slots".
std::string mshr_text(const MshrSize& size);
/// Return what such texts say of sectors, which may be nothing.
std::string sectors_text(const MshrSize& size);
std::string fetch_text(const MshrOut& out);
std::string come_text(const MshrSize& size, const MshrIn& in);
std::string mshr_line(const MshrSize& size, const MshrIn& in, const MshrOut& out);

template <class Unit>
class MshrBench : public BenchOf<Unit> {
 public:
  using Model = std::conditional_t<Unit::kAttacked.dl(), DlMshrModel, MshrFileModel>;
  static constexpr const char* kClass = "plain model";

  static std::string text_of(const MshrSize& size) { return mshr_text(size); }
  static void check(const MshrSize& size, Problems& problems) { mshr_check(size, problems); }
  static CoverPoints coverage_of(const MshrSize& size) { return mshr_coverage(size); }

  MshrBench(const MshrSize& size, std::uint64_t seed)
      : size_(size),
        model_(size),
        stimulus_(size, seed),
        requests_beside_(size),
        returns_beside_(size) {}

  MshrOut eval_class(const MshrIn& in) const { return model_.eval(in); }
  void commit_class(const MshrIn& in) { model_.commit(in); }
  void reset_class() { model_.reset(); }
  /// Memories keep what was in them over a reset, and the model knows of no memories.
  static void forget_meaningless(MshrOut& out) {
    if (!out.rsp_valid) out.rsp_entry = out.rsp_slot = 0, out.rsp_addr = 0;
  }

  std::vector<MshrIn> directed() const { return mshr_directed(size_); }
  MshrIn random() { return stimulus_.next(model_.names()); }
  static std::string line(const MshrIn& in, const MshrOut& out) {
    return mshr_line(Unit::kAttacked, in, out);
  }
  void before_edge(const MshrIn& in, const MshrOut& out, CoverPoints& points) {
    const std::vector<std::uint64_t> names = model_.names();
    mshr_count(in, out,
               {model_.back_to_back(in), model_.waits_for_release(), model_.some_come(in),
                size_.sectors > 1, model_.waits_for_port(),
                in.req_valid && requests_beside_.see(in.req_addr, names),
                in.ret_valid && returns_beside_.see(in.ret_addr, names)},
               points);
  }

 private:
  MshrSize size_;
  Model model_;
  MshrStimulus stimulus_;
  OneBitBeside requests_beside_, returns_beside_;
};

template <class Unit>
std::unique_ptr<HardwareUnit> make_mshr_bench() {
  return std::make_unique<LockstepUnit<MshrBench<Unit>>>();
}

}  // namespace warpmem::cosim
