// SPDX-License-Identifier: Apache-2.0
// Ranges and marks for a profiler that is not there.
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

__global__ void write(int* to) { *to = 7; }

class Range {
 public:
  explicit Range(const char* name) {
    nvtxEventAttributes_t attributes = {};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.colorType = NVTX_COLOR_ARGB;
    attributes.color = 0xff00ff00;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name;
    nvtxRangePushEx(&attributes);
  }
  ~Range() { nvtxRangePop(); }
};

int main() {
  int* to = nullptr;
  const Range all("all");
  nvtxRangePush("allocation");
  if (cudaMallocManaged(&to, sizeof(int)) != cudaSuccess) return 1;
  nvtxRangePop();
  const nvtxRangeId_t kernel = nvtxRangeStart("kernel");
  write<<<1, 1>>>(to);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  nvtxRangeEnd(kernel);
  nvtxMark("done");
  if (*to == 7) std::puts("PASS");
  return *to != 7;
}
