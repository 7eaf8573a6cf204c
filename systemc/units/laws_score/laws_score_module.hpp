// SPDX-License-Identifier: Apache-2.0
// Pin-level LAWS score: the core with the ports of rtl/laws_score/laws_score.sv.
#pragma once

#include <systemc>

#include "units/clocked_module.hpp"
#include "units/laws_score/laws_score_core.hpp"

namespace warpmem::units {

template <unsigned kScoreBits, unsigned kMissBits, unsigned kMissLimit>
class LawsScoreModule : public ClockedModule<LawsScoreModule<kScoreBits, kMissBits, kMissLimit>,
                                             LawsScoreCore<kScoreBits, kMissBits, kMissLimit>> {
  using Core = LawsScoreCore<kScoreBits, kMissBits, kMissLimit>;
  using Base = ClockedModule<LawsScoreModule, Core>;
  friend Base;
  using Base::core_;

 public:
  using Score = sc_dt::sc_int<static_cast<int>(kScoreBits)>;
  using MissCount = sc_dt::sc_uint<static_cast<int>(kMissBits)>;

  sc_core::sc_in<bool> clear_i{"clear_i"};
  sc_core::sc_in<bool> l1d_hit_i{"l1d_hit_i"};
  sc_core::sc_in<bool> l1d_intra_i{"l1d_intra_i"};
  sc_core::sc_in<bool> mshr_valid_i{"mshr_valid_i"};
  sc_core::sc_in<bool> mshr_hit_i{"mshr_hit_i"};
  sc_core::sc_in<bool> mshr_intra_i{"mshr_intra_i"};

  sc_core::sc_out<bool> fair_o{"fair_o"};
  sc_core::sc_out<Score> score_o{"score_o"};
  sc_core::sc_out<MissCount> miss_count_o{"miss_count_o"};

  SC_HAS_PROCESS(LawsScoreModule);
  explicit LawsScoreModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(show);
    this->sensitive << core_;
  }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.clear = clear_i.read();
    in.l1d_hit = l1d_hit_i.read();
    in.l1d_intra = l1d_intra_i.read();
    in.mshr_valid = mshr_valid_i.read();
    in.mshr_hit = mshr_hit_i.read();
    in.mshr_intra = mshr_intra_i.read();
    return in;
  }

  // The outputs are registers: they change with the clock and with nothing else.
  void show() {
    const typename Core::Out out = core_.read().eval();
    fair_o.write(out.fair);
    score_o.write(Score(out.score));
    miss_count_o.write(MissCount(out.miss_count));
  }
};

}  // namespace warpmem::units
