// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/device_properties.hpp"

#include <gtest/gtest.h>

namespace warpmem::program::cuda {
namespace {

cudaDeviceProp described(std::uint64_t shared_bytes) {
  DeviceProperties device;
  device.shared_bytes_per_cta = shared_bytes;
  cudaDeviceProp out;
  describe(device, 70, out);
  return out;
}

TEST(DeviceProperties, MoreSharedMemoryThanEveryGpuHasIsForKernelsThatAskForIt) {
  EXPECT_EQ(described(96 * 1024).sharedMemPerBlock, 48u * 1024);
  EXPECT_EQ(described(96 * 1024).sharedMemPerBlockOptin, 96u * 1024);
  EXPECT_EQ(described(16 * 1024).sharedMemPerBlock, 16u * 1024);
  EXPECT_EQ(described(16 * 1024).sharedMemPerBlockOptin, 16u * 1024);
}

}  // namespace
}  // namespace warpmem::program::cuda
