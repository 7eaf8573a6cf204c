// SPDX-License-Identifier: Apache-2.0
// A loosely timed memory in place of DRAM, in the whole GPU.
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "gpu/machine.hpp"
#include "own_memory.hpp"
#include "program/device_memory.hpp"
#include "program/ptx/module.hpp"

namespace {

template <class T>
void add_argument(std::vector<std::uint8_t>& block, T value) {
  const std::size_t at = (block.size() + sizeof value - 1) / sizeof value * sizeof value;
  block.resize(at + sizeof value);
  std::memcpy(block.data() + at, &value, sizeof value);
}

void run(const std::string& file) {
  using warpmem::Addr;
  using warpmem::program::DeviceMemory;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file + " cannot be read");
  const std::string text{std::istreambuf_iterator<char>(in), {}};

  warpmem::set_simulation_resolution();
  const warpmem::gpu::MachineParams params = warpmem::gpu::read_params(
      "", {"dram.kind=external", "sm.count=4", "memory.partitions=2", "check_data=true"});
  warpmem::gpu::Machine gpu("gpu", params);
  std::vector<std::unique_ptr<OwnMemory>> memories;
  for (unsigned p = 0; p < params.map.partitions; ++p) {
    memories.push_back(std::make_unique<OwnMemory>(("own" + std::to_string(p)).c_str()));
    gpu.memory().memory(p).bind(memories.back()->socket);
  }

  constexpr std::uint32_t kElements = 4096;
  constexpr std::uint64_t kBytes = 4 * kElements;
  DeviceMemory device(params.memory_bytes);
  warpmem::program::ptx::Module module(text, file);
  module.bind(device);
  const Addr a = device.allocate(kBytes), b = device.allocate(kBytes), c = device.allocate(kBytes);
  const auto word = [](Addr at, std::uint32_t i) -> std::uint32_t& {
    return reinterpret_cast<std::uint32_t*>(DeviceMemory::host(at))[i];
  };
  for (std::uint32_t i = 0; i < kElements; ++i) {
    word(a, i) = i;
    word(b, i) = 3 * i + 1;
  }
  // cudaMemcpy to the device.
  gpu.host_wrote(a, kBytes);
  gpu.host_wrote(b, kBytes);

  std::vector<std::uint8_t> arguments;
  add_argument(arguments, a);
  add_argument(arguments, b);
  add_argument(arguments, c);
  add_argument(arguments, kElements);
  const auto grid = warpmem::program::ptx::make_grid(module, "vectoradd", {kElements / 256}, {256},
                                                     0, arguments, device);
  gpu.launch(*grid);  // throws when the data check finds a wrong byte

  for (std::uint32_t i = 0; i < kElements; ++i)
    if (word(c, i) != 4 * i + 1) throw std::runtime_error("c[" + std::to_string(i) + "] is wrong");
  std::cout << "vectoradd: " << kElements << " elements right, " << gpu.cycles() << " cycles\n";
  std::uint64_t accesses = 0;
  for (const auto& memory : memories) accesses += memory->accesses;
  if (accesses < 3 * kBytes / 128 / 2) throw std::runtime_error("the memory was not used");
  std::cout << "accesses of the own memory: " << accesses << "\n";
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("needs one argument, the file vectoradd.ptx");
    run(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 2;
  }
}
