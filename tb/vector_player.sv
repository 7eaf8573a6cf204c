// SPDX-License-Identifier: Apache-2.0
// Plays a vector file (README.md) to a unit: gives its inputs and compares its outputs in every
// cycle. +vectors=FILE names the file. The last line printed begins with PASS, FAIL or error:.
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
  reg               reset, differs;
  reg [INPUTS-1:0]  next_in;
  reg [OUTPUTS-1:0] expected, care;

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
      for (cycle = 0; cycle < cycles && !differs; cycle = cycle + 1) begin
        read = $fscanf(file, "%b %b %b %b\n", reset, next_in, expected, care);
        if (read != 4) begin
          $display("error: cycle %0d is not as the file's format has it", cycle);
          $finish;
        end
        if (reset) reset_cycle;
        in = next_in;
        #4 differs = ((out ^ expected) & care) !== {OUTPUTS{1'b0}};
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
      if (differs) $display("FAIL in cycle %0d of %0d", cycle - 1, cycles);
      else $display("PASS: %0d cycles", cycles);
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
      else if (cycles == 0) $display("error: the file has no cycles");
      else play;
    end
    $finish;
  end
endmodule
