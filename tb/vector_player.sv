// SPDX-License-Identifier: Apache-2.0
// Plays a vector file (README.md) to a unit: gives its inputs and compares its outputs in every
// cycle. +vectors=FILE names the file; with +inputs_alone nothing is compared, and other checks
// judge the unit. The last line printed begins with PASS, FAIL or error:.
//
// In a 4-state simulator all inputs are X while the unit is in reset, and so is what it has not
// written yet; an X on an output that means something is a difference.
module vector_player #(
  parameter INPUTS  = 1,  // bits of all inputs but the clock and the reset
  parameter OUTPUTS = 1
) (
  output reg               clk,
  output reg               rst_n,
  output reg [INPUTS-1:0]  in,
  input  wire [OUTPUTS-1:0] out
);
  reg [8*512-1:0]   file_name;
  reg [8*8192-1:0]  pins;
  integer           file, read, inputs, outputs, cycles, cycle;
  reg               reset, differs, compares;
  reg [INPUTS-1:0]  next_in;
  reg [OUTPUTS-1:0] expected, care;

  // "reset inputs outputs care" and the end of the line, whose last character is the lowest byte.
  localparam LENGTH = 5 + INPUTS + 2 * OUTPUTS;
  reg [8*LENGTH-1:0] line;
  reg                good;
  integer            at;

  // Returns the bit that a character stands for; it clears `good` where that is none.
  function digit;
    input integer place;
    begin
      if (line[8*place+1+:7] != 7'h18) good = 1'b0;  // "0" and "1" are 30 and 31 in hexadecimal
      digit = line[8*place];
    end
  endfunction

  // Reads a cycle. `good` tells whether the line is one, each column of its full width.
  task read_cycle;
    begin
      read = $fgets(line, file);
      good = read == LENGTH && line[7:0] == "\n" && line[8*(1+OUTPUTS)+:8] == " "
             && line[8*(2+2*OUTPUTS)+:8] == " " && line[8*(LENGTH-2)+:8] == " ";
      for (at = 0; at < OUTPUTS; at = at + 1) begin
        care[at] = digit(1 + at);
        expected[at] = digit(2 + OUTPUTS + at);
      end
      for (at = 0; at < INPUTS; at = at + 1) next_in[at] = digit(3 + 2 * OUTPUTS + at);
      reset = digit(LENGTH - 1);
    end
  endtask

  task reset_cycle;
    begin
      rst_n = 1'b0;
      in = {INPUTS{1'bx}};
      #5 clk = 1'b1;
      #5 clk = 1'b0;
      rst_n = 1'b1;
    end
  endtask

  task play;
    begin
      reset_cycle;
      reset_cycle;
      differs = 1'b0;
      compares = !$test$plusargs("inputs_alone");
      for (cycle = 0; cycle < cycles && !differs; cycle = cycle + 1) begin
        read_cycle;
        if (!good) begin
          $display("error: cycle %0d is not as the file's format has it", cycle);
          $finish;
        end
        if (reset) reset_cycle;
        in = next_in;
        #4 differs = compares && ((out ^ expected) & care) !== {OUTPUTS{1'b0}};
        if (differs) begin
          $display("cycle %0d, outputs in the order of the file's third line", cycle);
          $display("  inputs    %b", in);
          $display("  expected  %b", expected);
          $display("  found     %b", out);
          $display("  compared  %b", care);
        end
        #1 clk = 1'b1;
        #5 clk = 1'b0;
      end
      if (differs) begin
        $display("FAIL in cycle %0d of %0d", cycle - 1, cycles);
      end else begin
        read = $fgets(line, file);
        if (read != 0) $display("error: there are more cycles than the %0d of line 4", cycles);
        else $display("PASS: %0d cycles", cycles);
      end
    end
  endtask

  initial begin
    clk = 1'b0;
    rst_n = 1'b0;
    in = {INPUTS{1'bx}};
    file = 0;
    if (!$value$plusargs("vectors=%s", file_name)) begin
      $display("error: no file: give +vectors=FILE");
    end else begin
      file = $fopen(file_name, "r");
      if (file == 0) $display("error: %0s cannot be read", file_name);
    end
    if (file != 0) begin
      read = $fgets(pins, file);
      read = $fgets(pins, file);
      read = $fgets(pins, file);
      read = $fscanf(file, "%d %d %d\n", inputs, outputs, cycles);
      if (read != 3) $display("error: this is no vector file");
      else if (inputs != INPUTS || outputs != OUTPUTS)
        $display("error: the file has %0d bits of inputs and %0d of outputs, the unit %0d and %0d",
                 inputs, outputs, INPUTS, OUTPUTS);
      else if (cycles <= 0) $display("error: the file has no cycles");
      else play;
    end
    $finish;
  end
endmodule
