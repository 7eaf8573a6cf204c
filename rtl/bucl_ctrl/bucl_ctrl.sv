// SPDX-License-Identifier: Apache-2.0
// Control of BUCL (BU section IV): which loads and which refused requests bypass L1D, and the
// threshold of the un-coalescing degree. The rules are in README.md. PERIOD 4, HIT_LIMIT 800:
//
//   cycle         0    1    2    3    4    5      clear_i in the cycle before
//   access        hit  hit       miss  .
//   balance_q     0  200  400  400    0    0      1000 x hits - HIT_LIMIT x accesses
//   period_end    0    0    0    1    0    0
//   tucd          5    5    5    5    4    4      400 - 800 is not above 0
`default_nettype none
`include "common/check.svh"

module bucl_ctrl #(
  parameter int unsigned PERIOD    = 1000,  // cycles of a sampling period: 2 to 1000000
  parameter int unsigned HIT_LIMIT = 800,   // of L1DHR, in thousandths: 0 to 1000
  parameter int unsigned UIB_LIMIT = 700,   // limit of UIB, in thousandths: 0 to 1000
  parameter int unsigned TUCD      = 5,     // threshold at launch: LEAST to MOST
  parameter int unsigned LEAST     = 2,     // least threshold: 1 to 32
  parameter int unsigned MOST      = 25,    // largest threshold: LEAST to 32
  parameter int unsigned PROFILE   = 0      // 1: each SM its own threshold until one is chosen
) (
  input  wire logic       clk,
  input  wire logic       rst_n,

  input  wire logic       clear_i,         // a kernel is launched: its first cycle is the next
  input  wire logic       access_valid_i,  // the observed L1D had an access
  input  wire logic       access_hit_i,
  input  wire logic       choose_valid_i,  // PROFILE: the best SM is known
  input  wire logic [3:0] choose_row_i,    // its row of BU Table II, 0 to 14

  input  wire logic [5:0] load_degree_i,   // requests of a load
  input  wire logic [3:0] load_row_i,      // its SM's row of BU Table II, 0 to 14
  output wire logic [5:0] tucd_o,          // that SM's threshold
  output wire logic       load_bypass_o,

  input  wire logic [9:0] uib_i,           // use of a refused request's partition, 0 to 1000
  output wire logic       refused_bypass_o,
  output wire logic       low_o,           // the hit rate is below its limit
  output wire logic       period_end_o
);
  if (PERIOD < 2 || PERIOD > 1000000) begin : gen_bad_period
    $error("bucl_ctrl: PERIOD must be 2 to 1000000");
  end
  if (HIT_LIMIT > 1000 || UIB_LIMIT > 1000) begin : gen_bad_limit
    $error("bucl_ctrl: HIT_LIMIT and UIB_LIMIT must be 0 to 1000");
  end
  if (LEAST < 1 || LEAST > TUCD || TUCD > MOST || MOST > 32) begin : gen_bad_tucd
    $error("bucl_ctrl: LEAST, TUCD and MOST must rise from 1 to 32");
  end
  if (PROFILE > 1) begin : gen_bad_profile
    $error("bucl_ctrl: PROFILE must be 0 or 1");
  end

  localparam int unsigned CYCLE_W   = PERIOD > 1 ? $clog2(PERIOD) : 1;
  localparam int unsigned BALANCE_W = $clog2(1000*PERIOD + 1) + 1;
  localparam logic [BALANCE_W-1:0] HIT  = BALANCE_W'(1000 - HIT_LIMIT);
  localparam logic [BALANCE_W-1:0] MISS = BALANCE_W'(0) - BALANCE_W'(HIT_LIMIT);

  localparam logic [9:0] UIB_MOST = 10'(UIB_LIMIT == 0 ? 0 : UIB_LIMIT - 1);  // below the limit

  // The table is BU Table II.
  function automatic logic [5:0] profile_tucd(input logic [3:0] row);
    case (row)
      4'd0:    profile_tucd = 6'd2;
      4'd1:    profile_tucd = 6'd3;
      4'd2:    profile_tucd = 6'd4;
      4'd3:    profile_tucd = 6'd5;
      4'd4:    profile_tucd = 6'd6;
      4'd5:    profile_tucd = 6'd7;
      4'd6:    profile_tucd = 6'd8;
      4'd7:    profile_tucd = 6'd10;
      4'd8:    profile_tucd = 6'd12;
      4'd9:    profile_tucd = 6'd14;
      4'd10:   profile_tucd = 6'd16;
      4'd11:   profile_tucd = 6'd18;
      4'd12:   profile_tucd = 6'd20;
      4'd13:   profile_tucd = 6'd22;
      default: profile_tucd = 6'd25;
    endcase
  endfunction

  logic [CYCLE_W-1:0]   cycle_q;
  logic [BALANCE_W-1:0] balance_q, balance;  // two's complement; with the access of this cycle
  logic                 accessed_q, accessed, above, below, low_q;
  logic [5:0]           tucd_q, tucd_d, tucd;
  logic                 ends, chosen_q;

  assign ends     = cycle_q == CYCLE_W'(PERIOD - 1);
  assign accessed = accessed_q || access_valid_i;
  assign balance  = balance_q + ((access_hit_i ? HIT : MISS) & {BALANCE_W{access_valid_i}});
  assign below    = balance[BALANCE_W-1];
  assign above    = !below && balance != '0;

  always_comb begin
    tucd_d = tucd_q;
    if (PROFILE != 0) begin
      if (choose_valid_i) tucd_d = profile_tucd(choose_row_i);
    end else if (ends && accessed) begin
      if (above && tucd_q != 6'(MOST)) tucd_d = tucd_q + 6'd1;
      if (!above && tucd_q != 6'(LEAST)) tucd_d = tucd_q - 6'd1;
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n || clear_i) begin
      cycle_q    <= '0;
      balance_q  <= '0;
      accessed_q <= 1'b0;
      low_q      <= HIT_LIMIT != 0;  // the rate counts as 0 until one is known
      tucd_q     <= 6'(TUCD);
      chosen_q   <= 1'b0;
    end else begin
      cycle_q    <= ends ? '0 : cycle_q + CYCLE_W'(1);
      balance_q  <= ends ? '0 : balance;
      accessed_q <= accessed && !ends;
      if (ends && accessed) low_q <= below;
      tucd_q     <= tucd_d;
      chosen_q   <= chosen_q || (PROFILE != 0 && choose_valid_i);
    end
  end

  assign tucd             = PROFILE != 0 && !chosen_q ? profile_tucd(load_row_i) : tucd_q;
  assign tucd_o           = tucd;
  assign load_bypass_o    = load_degree_i > tucd;
  assign refused_bypass_o = low_q && UIB_LIMIT != 0 && uib_i <= UIB_MOST;
  assign low_o            = low_q;
  assign period_end_o     = ends;

  `CHECK(cycle_is_within_the_period, 32'(cycle_q) < PERIOD)
  `CHECK(threshold_keeps_its_bounds, PROFILE != 0 || (tucd_q >= 6'(LEAST) && tucd_q <= 6'(MOST)))
  `CHECK(no_balance_without_an_access, accessed_q || balance_q == '0)
`ifdef FORMAL
  `include "bucl_ctrl/bucl_ctrl_formal.svh"
`endif
endmodule
`default_nettype wire
