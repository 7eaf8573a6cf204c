// SPDX-License-Identifier: Apache-2.0
// Copies of rectangles and boxes in all directions, also asynchronous ones and those of arrays;
// fills of two and three dimensions.
#include <cstring>

#include "check.h"

const size_t kWidth = 20, kHeight = 6, kDepth = 3;

__global__ void increase(unsigned char* data, size_t pitch, size_t rows) {
  for (size_t r = blockIdx.x; r < rows; r += gridDim.x)
    if (threadIdx.x < kWidth) ++data[r * pitch + threadIdx.x];
}

static void planes() {
  unsigned char host[kHeight][kWidth], back[kHeight][kWidth + 4], *a, *b;
  for (size_t y = 0; y < kHeight; ++y)
    for (size_t x = 0; x < kWidth; ++x) host[y][x] = static_cast<unsigned char>(y * 31 + x);
  size_t pitch_a, pitch_b;
  OK(cudaMallocPitch(reinterpret_cast<void**>(&a), &pitch_a, kWidth, kHeight));
  OK(cudaMallocPitch(reinterpret_cast<void**>(&b), &pitch_b, 3 * kWidth, kHeight));
  OK(cudaMemcpy2D(a, pitch_a, host, kWidth, kWidth, kHeight, cudaMemcpyHostToDevice));
  increase<<<2, 32>>>(a, pitch_a, kHeight);
  OK(cudaMemcpy2DAsync(b + 5, pitch_b, a, pitch_a, kWidth, kHeight, cudaMemcpyDeviceToDevice, 0));
  cudaArray_t array, other;
  const cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();
  OK(cudaMallocArray(&array, &byte, kWidth + 2, kHeight + 1));
  OK(cudaMallocArray(&other, &byte, kWidth + 2, kHeight + 1));
  OK(cudaMemcpy2DToArray(array, 2, 1, b + 5, pitch_b, kWidth, kHeight, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy2DArrayToArray(other, 0, 0, array, 2, 1, kWidth, kHeight, cudaMemcpyDeviceToDevice));
  std::memset(back, 0xee, sizeof back);
  OK(cudaMemcpy2DFromArrayAsync(back, sizeof back[0], other, 0, 0, kWidth, kHeight,
                                cudaMemcpyDeviceToHost, 0));
  OK(cudaDeviceSynchronize());
  for (size_t y = 0; y < kHeight; ++y)
    for (size_t x = 0; x < kWidth + 4; ++x)
      CHECK(back[y][x] == (x < kWidth ? static_cast<unsigned char>(host[y][x] + 1) : 0xee));
  OK(cudaMemset2D(a, pitch_a, 7, kWidth - 1, kHeight));
  OK(cudaMemcpy2D(back, sizeof back[0], a, pitch_a, kWidth, kHeight, cudaMemcpyDefault));
  for (size_t y = 0; y < kHeight; ++y)
    for (size_t x = 0; x < kWidth; ++x)
      CHECK(back[y][x] == (x < kWidth - 1 ? 7 : static_cast<unsigned char>(host[y][x] + 1)));
  EXPECT(cudaErrorInvalidPitchValue,
         cudaMemcpy2D(a, kWidth - 1, host, kWidth, kWidth, kHeight, cudaMemcpyHostToDevice));
  cudaGetLastError();
}

// Bytes that follow one another in arrays whose rows are of different lengths.
static void packed() {
  const cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t wide, narrow;
  OK(cudaMallocArray(&wide, &byte, 12, 3));
  OK(cudaMallocArray(&narrow, &byte, 5, 7));
  unsigned char host[36], back[35] = {};
  for (unsigned char i = 0; i < 36; ++i) host[i] = i;
  OK(cudaMemcpyToArray(wide, 0, 0, host, 36, cudaMemcpyHostToDevice));
  OK(cudaMemcpyToArray(narrow, 0, 0, host, 35, cudaMemcpyHostToDevice));
  OK(cudaMemcpyArrayToArray(narrow, 3, 1, wide, 10, 0, 26, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpyFromArray(back, narrow, 0, 0, 35, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 35; ++i) CHECK(back[i] == (i < 8 || i >= 34 ? i : i + 2));
  OK(cudaMemcpyArrayToArray(narrow, 0, 0, wide, 12, 0, 24, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpyFromArray(back, narrow, 0, 0, 24, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 12 && back[23] == 35);
  EXPECT(cudaErrorInvalidValue,
         cudaMemcpyArrayToArray(narrow, 3, 1, wide, 10, 0, 27, cudaMemcpyDeviceToDevice));
  EXPECT(cudaErrorInvalidValue,
         cudaMemcpyArrayToArray(narrow, 0, 0, wide, 2, 0, 35, cudaMemcpyDeviceToDevice));
  cudaGetLastError();
}

static void boxes() {
  static unsigned char host[kDepth][kHeight][kWidth], back[kDepth][kHeight][kWidth];
  for (size_t i = 0; i < sizeof host; ++i) (&host[0][0][0])[i] = static_cast<unsigned char>(i * 7);
  const cudaExtent extent = make_cudaExtent(kWidth, kHeight, kDepth);
  cudaPitchedPtr box;
  OK(cudaMalloc3D(&box, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, kWidth, kWidth, kHeight);
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3DAsync(&copy, 0));
  increase<<<2, 32>>>(static_cast<unsigned char*>(box.ptr), box.pitch, kHeight * kDepth);
  cudaArray_t array;
  const cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();
  OK(cudaMalloc3DArray(&array, &byte, extent));
  cudaMemcpy3DParms into = {};
  into.srcPtr = box;
  into.dstArray = array;
  into.extent = extent;
  into.kind = cudaMemcpyDeviceToDevice;
  OK(cudaMemcpy3D(&into));
  cudaMemcpy3DParms part = {};  // without the first column, row and plane
  part.srcArray = array;
  part.srcPos = make_cudaPos(1, 1, 1);
  part.dstPtr = make_cudaPitchedPtr(back, kWidth, kWidth, kHeight);
  part.dstPos = make_cudaPos(1, 1, 1);
  part.extent = make_cudaExtent(kWidth - 1, kHeight - 1, kDepth - 1);
  part.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&part));
  for (size_t z = 0; z < kDepth; ++z)
    for (size_t y = 0; y < kHeight; ++y)
      for (size_t x = 0; x < kWidth; ++x)
        CHECK(back[z][y][x] ==
              (x > 0 && y > 0 && z > 0 ? static_cast<unsigned char>(host[z][y][x] + 1) : 0));
  OK(cudaMemset3D(box, 9, make_cudaExtent(kWidth, kHeight, 1)));
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(back, kWidth, kWidth, kHeight);
  copy.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&copy));
  CHECK(back[0][kHeight - 1][kWidth - 1] == 9);
  CHECK(back[1][0][0] == static_cast<unsigned char>(host[1][0][0] + 1));

  cudaMemcpy3DPeerParms between = {};  // the first plane to the second
  between.srcPtr = between.dstPtr = box;
  between.dstPos = make_cudaPos(0, 0, 1);
  between.extent = make_cudaExtent(kWidth, kHeight, 1);
  OK(cudaMemcpy3DPeer(&between));
  OK(cudaMemcpy3D(&copy));
  CHECK(back[1][0][0] == 9);
  between.dstDevice = 1;
  EXPECT(cudaErrorInvalidDevice, cudaMemcpy3DPeerAsync(&between));
  cudaGetLastError();
}

int main() {
  planes();
  packed();
  boxes();
  return finish();
}
