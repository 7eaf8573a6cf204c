// SPDX-License-Identifier: Apache-2.0
// Objects of classes with virtual functions that kernels make with new, use in others, and delete.
#include "check.h"

class Shape {
 public:
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
class Square : public Shape {
 public:
  __device__ explicit Square(int side) : side_(side) {}
  __device__ int area() const override { return side_ * side_; }
  __device__ int corners() const override { return 4; }

 private:
  int side_;
};
class Pile : public Shape {
 public:
  __device__ Pile(int n, int side) : n_(n), parts_(new Square*[n]) {
    for (int i = 0; i < n_; ++i) parts_[i] = new Square(side + i);
  }
  __device__ ~Pile() override {
    for (int i = 0; i < n_; ++i) delete parts_[i];
    delete[] parts_;
  }
  __device__ int area() const override {
    int sum = 0;
    for (int i = 0; i < n_; ++i) sum += static_cast<const Shape*>(parts_[i])->area();
    return sum;
  }

 private:
  int n_;
  Square** parts_;
};

__global__ void make(Shape** shapes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i % 3 == 0)
    shapes[i] = new Pile(i % 4, i);
  else
    shapes[i] = new Square(i);
}
__global__ void measure(Shape* const* shapes, int* areas, int* corners, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  areas[i] = shapes[i]->area();
  corners[i] = shapes[i]->corners();
}
__global__ void destroy(Shape** shapes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) delete shapes[i];
}

int main() {
  const int n = 100;
  Shape** shapes;
  int *areas, *corners, host_areas[n], host_corners[n];
  OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 * 1024));
  OK(cudaMalloc(&shapes, n * sizeof *shapes));
  OK(cudaMalloc(&areas, sizeof host_areas));
  OK(cudaMalloc(&corners, sizeof host_corners));
  for (int round = 0; round < 6; ++round) {  // more than the heap holds, if nothing were freed
    make<<<2, 64>>>(shapes, n);
    measure<<<2, 64>>>(shapes, areas, corners, n);
    destroy<<<2, 64>>>(shapes, n);
  }
  OK(cudaMemcpy(host_areas, areas, sizeof host_areas, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(host_corners, corners, sizeof host_corners, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    int area = i % 3 == 0 ? 0 : i * i;
    if (i % 3 == 0)
      for (int k = 0; k < i % 4; ++k) area += (i + k) * (i + k);
    CHECK(host_areas[i] == area);
    CHECK(host_corners[i] == (i % 3 == 0 ? 0 : 4));
  }
  EXPECT(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitMallocHeapSize, 128 * 1024));
  return finish();
}
