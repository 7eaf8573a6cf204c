// SPDX-License-Identifier: Apache-2.0
// Copies of the RTL with one mistake each, and the properties that must notice it.
#pragma once

#include <string>
#include <vector>

#include "formal/proofs.hpp"

namespace warpmem::formal::test {

struct BrokenCopy {
  std::string name;
  std::string file;  ///< below rtl/
  std::string from;  ///< occurs in it, the first occurrence is replaced
  std::string to;
  std::vector<std::string> noticed_by;
};

/// For one parameter set of one unit.
struct BrokenUnit {
  Proof proof;
  std::vector<BrokenCopy> copies;
};

inline const std::vector<BrokenUnit>& broken_units() {
  static const std::vector<BrokenUnit> kUnits = {
      {{"dau", {{"SETS", "3"}, {"SLOTS", "2"}, {"RESERVED", "1"}}},
       {
           {"tail_beyond_the_sets",
            "dau/dau.sv",
            "= |(head_hot & peer_q[b*SETS +: SETS]);",
            "= 1'b1;",
            {"tail_exists"}},
           {"head_linked_at_birth",
            "dau/dau.sv",
            ".link_i(links)",
            ".link_i(links | req_h)",
            {"u_sets.linked_is_full_or_releasing"}},
           {"linking_set_is_attached",
            "dau/dau.sv",
            ".req_a_i(req_a)",
            ".req_a_i(req_a | links)",
            {"u_sets.taken_only_when_free"}},
           {"free_counter_stands",
            "dau/dau.sv",
            "if (!taken && frees) n_free_q",
            "if (1'b0) n_free_q",
            {"n_free_counts_free_sets", "answer_follows_the_rules", "primary_gets_a_free_set",
             "slot_is_not_given_twice"}},
           {"linkable_counter_stands",
            "dau/dau.sv",
            "if (!taken_linkable && frees_linkable)",
            "if (1'b0)",
            {"n_linkable_counts_ordinary_ones", "merge_links_an_ordinary_free_set",
             "fail_ends_when_a_set_can_be_linked", "fail_only_while_none_could_be_linked"}},
           {"reserved_sets_are_linked",
            "dau/dau.sv",
            "lowest(s_free_o & ORDINARY)",
            "lowest(s_free_o)",
            {"reserved_set_is_never_attached"}},
           {"next_is_not_written",
            "dau/dau.sv",
            "| (links & {SETS{link_set[b]}});",
            "| (links & {SETS{free_set[b]}});",
            {"merge_uses_the_tail_while_it_has_room", "ret_frees_a_set_a_cycle",
             "ret_is_ready_when_the_last_set_goes", "attached_set_has_one_predecessor",
             "head_has_no_predecessor", "chain_ends", "tail_pointer_shows_the_last_set",
             "members_name_their_head"}},
           {"tail_is_not_moved",
            "dau/dau.sv",
            "| (new_tail & {SETS{link_set[b]}});",
            "| (new_tail & {SETS{tail[b]}});",
            {"one_set_freed_a_cycle", "every_set_is_in_one_state", "u_sets.fail_only_when_full",
             "u_sets.link_only_behind_a_full_tail"}},
           {"attached_forgets_its_head",
            "dau/dau.sv",
            "| (req_a & {SETS{req_head_i[b]}})",
            "| (req_a & {SETS{link_set[b]}})",
            {"a_release_goes_on", "request_is_in_its_chain", "ret_releases_all_sets_at_once"}},

           {"ret_does_not_win",
            "dau/dau.sv",
            "&& !(ret_accept && ret_head_i == req_head_i)",
            "",
            {"slot_goes_only_after_its_ret"}},
           {"slot_always_zero",
            "dau/dau.sv",
            "{SLOT_W{take}} & tail_count",
            "'0",
            {"slot_in_use_is_known"}},
           {"rf_without_request",
            "dau/dau.sv",
            "assign rf_o        = req_valid_i && !req_ready_o",
            "assign rf_o        = !req_ready_o",
            {"refused_means_rf"}},

           {"primary_from_the_top",
            "dau/dau.sv",
            "assign free_hot = lowest(s_free_o)",
            "assign free_hot = link_hot",
            {"primary_prefers_a_reserved_set", "no_slot_survives_its_chain"}},

           {"ret_ready_always",
            "dau/dau.sv",
            "assign ret_ready_o    = (releasing_o & ~freed) == '0",
            "assign ret_ready_o    = 1'b1",
            {"one_release_at_a_time"}},

           {"full_survives_ret",
            "dau/dau_sets.sv",
            "ONE_SLOT)) & ~ret_i",
            "ONE_SLOT))",
            {"u_sets.free_sets_have_no_bit", "u_sets.releasing_is_not_full"}},

           {"comparator_off",
            "dau/dau_sets.sv",
            "(taken_q & ~attached_q) | HEADS_ONLY",
            "(taken_q & ~attached_q)",
            {"reserved_set_keeps_its_comparator"}},

           {"second_ret",
            "dau/dau_sets.sv",
            "taken_q & ~attached_q & ~releasing_q",
            "taken_q & ~attached_q",
            {"u_sets.slot_only_when_there_is_one", "u_sets.ret_only_when_taken"}},

       }},
      {{"tsma_index_gen", {{"ENTRIES", "5"}}},
       {
           {"takes_nothing",
            "tsma_index_gen/tsma_index_gen.sv",
            "{ENTRIES{take_i && !full_q}}",
            "{ENTRIES{1'b0}}",
            {"index_is_not_in_use", "given_index_is_not_available",
             "available_is_what_is_not_in_use"}},

           {"release_lost_beside_take",
            "tsma_index_gen/tsma_index_gen.sv",
            "{ENTRIES{release_i}}",
            "{ENTRIES{release_i && !take_i}}",
            {"freed_index_returns"}},
           {"full_late",
            "tsma_index_gen/tsma_index_gen.sv",
            "full_q      <= available_d == '0",
            "full_q      <= available_q == '0",
            {"full_iff_none_is_available", "full_iff_all_are_in_use"}},
           {"idx_not_zero_while_full",
            "tsma_index_gen/tsma_index_gen.sv",
            "idx_d[b] = |(next_hot & HAVING)",
            "idx_d[b] = |(next_hot & HAVING) || available_d == '0",
            {"index_is_zero_while_full"}},
           {"idx_late",
            "tsma_index_gen/tsma_index_gen.sv",
            "next_hot    = lowest(available_d)",
            "next_hot    = lowest(available_q)",
            {"idx_is_available"}},
           {"idx_inverted",
            "tsma_index_gen/tsma_index_gen.sv",
            "idx_d[b] = |(next_hot & HAVING)",
            "idx_d[b] = !(|(next_hot & HAVING))",
            {"index_is_an_entry", "index_is_the_lowest_free_one"}},
       }},
      {{"laws_score", {{"SCORE_BITS", "3"}, {"MISS_BITS", "2"}, {"MISS_LIMIT", "2"}}},
       {
           {"wraps_up",
            "laws_score/laws_score.sv",
            "if ($signed(sum) > $signed(MOST)) sum = MOST;",
            "",
            {"score_equals_reference", "score_never_wraps_upward"}},
           {"wraps_down",
            "laws_score/laws_score.sv",
            "if ($signed(sum) < $signed(LEAST)) sum = LEAST;",
            "",
            {"score_never_wraps_downward"}},
           {"count_has_no_limit",
            "laws_score/laws_score.sv",
            "mshr_primary && miss_count_l1d != MISS_BITS'(MISS_LIMIT)",
            "mshr_primary",
            {"miss_count_stays_within_its_limit", "miss_count_equals_reference"}},

           {"fair_of_zero",
            "laws_score/laws_score.sv",
            "fair_o       = score_q[SCORE_BITS-1]",
            "fair_o       = score_q[SCORE_BITS-1] || score_q == '0",
            {"fair_means_a_negative_score"}},
       }},
      {{"throttle_unit", {{"WARPS", "3"}, {"DIVERGENCE", "2"}, {"STABLE", "1"}, {"HOLD", "3"}}},
       {
           {"holds_much_shorter",
            "throttle_unit/throttle_unit.sv",
            "hold_d = HOLD_W'(HOLD);",
            "hold_d = HOLD_W'(HOLD - 2);",
            {"decision_stands_its_time"}},

           {"one_warp",
            "throttle_unit/throttle_unit.sv",
            "if (count < (COUNT_W+1)'(2)) warps_for = COUNT_W'(2);",
            "",
            {"at_least_two_warps", "limit_equals_reference", "minimum_equals_reference",
             "maximum_equals_reference", "divergence_equals_reference",
             "limit_is_two_to_all_warps"}},
           {"more_than_all",
            "throttle_unit/throttle_unit.sv",
            "if (count > (COUNT_W+1)'(WARPS)) warps_for = COUNT_W'(WARPS);",
            "",
            {"limited_equals_reference"}},

           {"fair_is_ignored",
            "throttle_unit/throttle_unit.sv",
            "mode_q != OFF && !fair_i",
            "mode_q != OFF",
            {"no_limit_while_fair"}},

           {"maximum_takes_all",
            "throttle_unit/throttle_unit.sv",
            "if (above) max_d = hits;",
            "max_d = '0;",
            {"min_up_to_max", "minimum_up_to_maximum"}},
           {"end_is_ignored",
            "throttle_unit/throttle_unit.sv",
            "& access_hot)) & ~end_warps_i",
            "& access_hot))",
            {"hit_count_equals_reference"}},

           {"no_such_mode",
            "throttle_unit/throttle_unit.sv",
            "? DIVERGENT : OFF",
            "? DIVERGENT : 2'd3",
            {"no_such_mode"}},
       }},
  };
  return kUnits;
}

}  // namespace warpmem::formal::test
