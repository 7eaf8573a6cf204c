// SPDX-License-Identifier: Apache-2.0
// Cube maps: directions made from a face and a place on it, of a cube and of layers of cubes, by
// object and by reference; faces written as surfaces; arrays that are no cubes.
#include <vector>

#include "check.h"

const int kSide = 8, kLayers = 2, kFaces = 6;

texture<float, cudaTextureTypeCubemap> referred;

/// The direction to the middle of texel (x, y) of a face.
__host__ __device__ float3 direction(int face, int x, int y) {
  const float s = (2 * x + 1.0f) / kSide - 1, t = (2 * y + 1.0f) / kSide - 1;
  switch (face) {
    case 0:
      return make_float3(1, -t, -s);
    case 1:
      return make_float3(-1, -t, s);
    case 2:
      return make_float3(s, 1, t);
    case 3:
      return make_float3(s, -1, -t);
    case 4:
      return make_float3(s, -t, 1);
    default:
      return make_float3(-s, -t, -1);
  }
}

__global__ void look(cudaTextureObject_t cube, cudaTextureObject_t layers, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x, layer = blockIdx.y;
  const float3 d = direction(face, x, y);
  const int at = ((layer * kFaces + face) * kSide + y) * kSide + x;
  float* const to = out + 3 * at;
  to[0] = texCubemapLayered<float>(layers, 3 * d.x, 3 * d.y, 3 * d.z, layer);
  if (layer == 0) {
    texCubemap(to + 1, cube, d.x, d.y, d.z);
    to[2] = texCubemap(referred, d.x / 4, d.y / 4, d.z / 4);
  } else {
    to[1] = to[2] = -1;
  }
}
__global__ void turn(cudaSurfaceObject_t cube) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
  const float v = surfCubemapread<float>(cube, x * sizeof(float), y, face);
  surfCubemapwrite(v + 1000 * face, cube, x * sizeof(float), y, face);
}

static cudaArray_t array_of(const std::vector<float>& data, int depth, unsigned flags) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(kSide, kSide, depth), flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr =
      make_cudaPitchedPtr(const_cast<float*>(data.data()), kSide * sizeof(float), kSide, kSide);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(kSide, kSide, depth);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  return array;
}
static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
static cudaTextureObject_t texture_of(cudaArray_t array) {
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc how = {};  // wrapping, which cubes have not
  how.normalizedCoords = 1;
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

int main() {
  const int texels = kSide * kSide * kFaces;
  std::vector<float> data(texels * kLayers), out(3 * data.size());
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i * 7 % 997);
  const cudaArray_t cube = array_of(data, kFaces, cudaArrayCubemap | cudaArraySurfaceLoadStore);
  const cudaArray_t layers = array_of(data, kFaces * kLayers, cudaArrayCubemap | cudaArrayLayered);
  OK(cudaBindTextureToArray(referred, cube));
  float* device;
  OK(cudaMalloc(&device, out.size() * sizeof(float)));
  const dim3 block(kSide, kSide), grid(kFaces, kLayers);
  look<<<grid, block>>>(texture_of(cube), texture_of(layers), device);
  OK(cudaMemcpy(out.data(), device, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < data.size(); ++i) {
    CHECK(out[3 * i] == data[i]);
    CHECK(out[3 * i + 1] == (i < size_t(texels) ? data[i] : -1));
    CHECK(out[3 * i + 2] == (i < size_t(texels) ? data[i] : -1));
  }

  cudaSurfaceObject_t surface;
  const cudaResourceDesc resource = resource_of(cube);
  OK(cudaCreateSurfaceObject(&surface, &resource));
  turn<<<kFaces, block>>>(surface);
  look<<<grid, block>>>(texture_of(cube), texture_of(layers), device);
  OK(cudaMemcpy(out.data(), device, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < texels; ++i) CHECK(out[3 * i + 1] == data[i] + 1000 * (i / (kSide * kSide)));

  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t none;
  EXPECT(cudaErrorInvalidValue,
         cudaMalloc3DArray(&none, &format, make_cudaExtent(8, 8, 5), cudaArrayCubemap));
  EXPECT(cudaErrorInvalidValue,
         cudaMalloc3DArray(&none, &format, make_cudaExtent(8, 4, 6), cudaArrayCubemap));
  EXPECT(cudaErrorInvalidValue,
         cudaMalloc3DArray(&none, &format, make_cudaExtent(8, 8, 12), cudaArrayCubemap));
  EXPECT(cudaErrorInvalidValue, cudaMalloc3DArray(&none, &format, make_cudaExtent(8, 8, 8),
                                                  cudaArrayCubemap | cudaArrayLayered));
  cudaGetLastError();
  return finish();
}
