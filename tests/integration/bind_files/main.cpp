// SPDX-License-Identifier: Apache-2.0
// Gives the module `bench` random inputs: +cycles of them, with a reset every 5000 cycles.
#include <cstdlib>
#include <random>
#include <string>

#include "Vbench.h"
#include "verilated.h"

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  const std::string option = context.commandArgsPlusMatch("cycles=");
  const unsigned long cycles = option.empty() ? 0 : std::stoul(option.substr(8));
  Vbench bench(&context);
  std::mt19937 random(1);
  for (unsigned long cycle = 0; cycle < cycles; ++cycle) {
    bench.rst_n = cycle % 5000 > 1;
    for (auto& word : bench.random_i.m_storage) word = random();
    bench.clk = 0;
    bench.eval();
    bench.clk = 1;
    bench.eval();
    context.timeInc(1);
  }
  return 0;
}
