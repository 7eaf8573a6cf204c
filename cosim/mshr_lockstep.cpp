// SPDX-License-Identifier: Apache-2.0
#include "cosim/mshr_lockstep.hpp"

#include "base/random.hpp"
#include "cosim/mshr_library.hpp"

namespace warpmem::cosim {

namespace {

class Stimulus {
 public:
  Stimulus(const MshrFileSize& size, std::uint64_t seed) : size_(size), random_(seed) {}

  template <class Model>
  MshrIn next(std::uint64_t cycle, Model* model) {
    // The phases have few blocks (merges), many blocks (no entry), and slow and fast returns.
    const std::uint32_t blocks =
        cycle / 1000 % 2 == 0 ? size_.entries() / 4 + 1 : size_.entries() * 2 + 1;
    const unsigned returns = cycle / 3000 % 2 == 0 ? 2 : 60;
    MshrIn in;
    in.req_valid = random_.chance(85);
    in.req_slot = static_cast<std::uint32_t>(random_.next()) & mask(size_.slot_bits);
    in.rsp_ready = random_.chance(80);
    in.ret_valid = random_.chance(returns);
    const std::uint32_t addr = address(blocks);
    std::uint32_t returned = address(blocks);  // also blocks that nobody asked for
    const std::vector<std::uint32_t> held = model->addresses();
    if (!held.empty() && random_.chance(70)) returned = held[random_.below(held.size())];
    model->name(addr, returned, &in);
    return in;
  }

 private:
  static std::uint32_t mask(std::uint32_t bits) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  }
  /// An odd factor keeps different numbers different, and uses all bits.
  std::uint32_t address(std::uint32_t blocks) {
    return static_cast<std::uint32_t>(random_.below(blocks) * 2654435761u) & mask(size_.addr_bits);
  }

  MshrFileSize size_;
  Random random_;
};

template <class Model>
MshrLockstepResult run(const MshrLockstepOptions& options) {
  const auto unit =
      make_library_mshr(options.size.unit, parameters_of(options.size), options.places);
  MshrLockstepResult result(options.seed);
  Model model(options.size);
  Stimulus stimulus(options.size, options.seed);
  const auto note = [&](const std::string& signal, const std::string& model_value,
                        const std::string& of_rtl) {
    if (!result.difference)
      result.difference = Difference{result.cycles, signal, model_value, "", of_rtl, ""};
  };
  const MshrExpect expect = [&](const char* signal, std::uint64_t wanted, std::uint64_t of_rtl) {
    if (wanted != of_rtl) note(signal, std::to_string(wanted), std::to_string(of_rtl));
  };
  for (; result.cycles < options.cycles && !result.difference; ++result.cycles) {
    const MshrIn in = stimulus.next(result.cycles, &model);
    const MshrOut out = unit->eval(in);
    model.check(in, out, expect);
    if (result.difference) break;
    model.edge(in, out, &result.counts);
    unit->commit(in);
    if (const std::string failure = unit->failure(); !failure.empty()) note(failure, "", "");
  }
  return result;
}

}  // namespace

UnitParameters parameters_of(const MshrFileSize& size) {
  UnitParameters list;
  if (size.unit == "dl_mshr") {
    list = {{"SETS", size.sets}, {"SLOTS", size.slots}, {"RESERVED", size.reserved}};
  } else {
    list = {{"ENTRIES", size.entries()}};
    if (size.unit == "mshr_set_assoc") list.emplace_back("WAYS", size.ways);
    list.emplace_back("SLOTS", size.slots);
  }
  if (!size.tagless()) list.emplace_back("ADDR_BITS", size.addr_bits);
  list.emplace_back("SLOT_BITS", size.slot_bits);
  return list;
}

MshrLockstepResult run_mshr_lockstep(const MshrLockstepOptions& options) {
  return options.size.unit == "dl_mshr" ? run<DlMshrModel>(options) : run<MshrFileModel>(options);
}

}  // namespace warpmem::cosim
