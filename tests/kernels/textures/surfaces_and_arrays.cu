// SPDX-License-Identifier: Apache-2.0
// Surfaces of each geometry, read and written, with each border; copies to, from and between CUDA arrays.
#include "tests/kernels/expect.h"

constexpr int kWidth = 6, kHeight = 4, kDepth = 3;

__global__ void WriteAll(cudaSurfaceObject_t s1, cudaSurfaceObject_t s2, cudaSurfaceObject_t s3,
                         cudaSurfaceObject_t layers) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  if (y == 0 && z == 0) surf1Dwrite(x + 0.5f, s1, x * 4);
  if (z == 0) surf2Dwrite(make_int2(x, 100 * y), s2, x * 8, y);
  surf3Dwrite((unsigned char)(x + 10 * y + 100 * (z & 1)), s3, x, y, z);
  surf2DLayeredwrite(make_short2(x - y, z), layers, x * 4, y, z);
}
__global__ void ReadAll(cudaSurfaceObject_t s1, cudaSurfaceObject_t s2, cudaSurfaceObject_t s3,
                        cudaSurfaceObject_t layers, int* out) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int2 pair = surf2Dread<int2>(s2, x * 8, y);
  const short2 layer = surf2DLayeredread<short2>(layers, x * 4, y, z);
  out[(z * kHeight + y) * kWidth + x] = int(2 * surf1Dread<float>(s1, x * 4)) + pair.x + pair.y +
                                        surf3Dread<unsigned char>(s3, x, y, z) + 1000 * layer.x + layer.y;
}
/// Beyond the surface: nothing is read, or what lies at the edge; nothing is written, or the edge.
__global__ void Borders(cudaSurfaceObject_t s2, int2* out) {
  out[0] = surf2Dread<int2>(s2, -8, 1, cudaBoundaryModeZero);
  out[1] = surf2Dread<int2>(s2, kWidth * 8, 2, cudaBoundaryModeZero);
  out[2] = surf2Dread<int2>(s2, -8, 1, cudaBoundaryModeClamp);
  out[3] = surf2Dread<int2>(s2, kWidth * 8 + 64, 99, cudaBoundaryModeClamp);
  surf2Dwrite(make_int2(-1, -1), s2, kWidth * 8, 0, cudaBoundaryModeZero);
  surf2Dwrite(make_int2(-7, -7), s2, -80, 0, cudaBoundaryModeClamp);
  out[4] = surf2Dread<int2>(s2, 0, 0);
  out[5] = surf2Dread<int2>(s2, (kWidth - 1) * 8, 0);
}

template <class T>
cudaArray_t MakeArray(int width, int height, int depth, unsigned flags) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  CUDA(cudaMalloc3DArray(&array, &channels, make_cudaExtent(width, height, depth),
                         flags | cudaArraySurfaceLoadStore));
  return array;
}
cudaSurfaceObject_t Surface(cudaArray_t array) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  CUDA(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

void Surfaces() {
  cudaArray_t arrays[4] = {MakeArray<float>(kWidth, 0, 0, 0), MakeArray<int2>(kWidth, kHeight, 0, 0),
                           MakeArray<unsigned char>(kWidth, kHeight, kDepth, 0),
                           MakeArray<short2>(kWidth, kHeight, kDepth, cudaArrayLayered)};
  cudaSurfaceObject_t s[4];
  for (int i = 0; i < 4; ++i) s[i] = Surface(arrays[i]);
  int* out = OnDevice<int>(kWidth * kHeight * kDepth);
  int2* at_borders = OnDevice<int2>(6);
  const dim3 block(kWidth, kHeight, kDepth);
  WriteAll<<<1, block>>>(s[0], s[1], s[2], s[3]);
  ReadAll<<<1, block>>>(s[0], s[1], s[2], s[3], out);
  Borders<<<1, 1>>>(s[1], at_borders);
  FINISH();
  const auto got = FromDevice(out, kWidth * kHeight * kDepth);
  for (int z = 0; z < kDepth; ++z) {
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const int wanted = 2 * x + 1 + x + 100 * y + (x + 10 * y + 100 * (z & 1)) + 1000 * (x - y) + z;
        const int i = (z * kHeight + y) * kWidth + x;
        ExpectEqual("surfaces", i, got[i], wanted);
      }
    }
  }
  const auto borders = FromDevice(at_borders, 6);
  const int wanted[6][2] = {{0, 0}, {0, 0}, {0, 100}, {kWidth - 1, 300}, {-7, -7}, {kWidth - 1, 0}};
  for (int i = 0; i < 6; ++i) {
    ExpectEqual("border x", i, borders[i].x, wanted[i][0]);
    ExpectEqual("border y", i, borders[i].y, wanted[i][1]);
  }
  for (int i = 0; i < 4; ++i) {
    CUDA(cudaDestroySurfaceObject(s[i]));
    CUDA(cudaFreeArray(arrays[i]));
  }
  CUDA(cudaFree(out));
  CUDA(cudaFree(at_borders));
}

void Copies() {
  std::vector<int> in(kWidth * kHeight), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = int(i) + 1;
  const std::size_t row = kWidth * sizeof(int);
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
  cudaArray_t a = nullptr, b = nullptr;
  CUDA(cudaMallocArray(&a, &channels, kWidth, kHeight));
  CUDA(cudaMallocArray(&b, &channels, kWidth, kHeight));
  CUDA(cudaMemcpy2DToArray(a, 0, 0, in.data(), row, row, kHeight, cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, row, kHeight, cudaMemcpyDeviceToDevice));
  // From the second element of the second row on.
  CUDA(cudaMemcpy2DFromArray(out.data(), row, b, sizeof(int), 1, row - sizeof(int), kHeight - 1,
                             cudaMemcpyDeviceToHost));
  for (int y = 0; y < kHeight - 1; ++y)
    for (int x = 0; x < kWidth - 1; ++x)
      ExpectEqual("from an array", y * kWidth + x, out[y * kWidth + x], in[(y + 1) * kWidth + x + 1]);
  cudaChannelFormatDesc told;
  cudaExtent extent;
  unsigned flags = 99;
  CUDA(cudaArrayGetInfo(&told, &extent, &flags, a));
  ExpectEqual("width", 0, extent.width, kWidth);
  ExpectEqual("height", 0, extent.height, kHeight);
  ExpectEqual("depth", 0, extent.depth, 0);
  ExpectEqual("flags", 0, flags, 0u);
  ExpectEqual("bits", 0, told.x, 32);
  // A box from one array into another, counted in elements.
  cudaMemcpy3DParms copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcArray = a;
  copy.srcPos = make_cudaPos(1, 1, 0);
  copy.dstArray = b;
  copy.dstPos = make_cudaPos(0, 0, 0);
  copy.extent = make_cudaExtent(3, 2, 1);
  copy.kind = cudaMemcpyDeviceToDevice;
  CUDA(cudaMemcpy3D(&copy));
  CUDA(cudaMemcpy2DFromArray(out.data(), row, b, 0, 0, row, kHeight, cudaMemcpyDeviceToHost));
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const bool copied = x < 3 && y < 2;
      ExpectEqual("box", y * kWidth + x, out[y * kWidth + x],
                  copied ? in[(y + 1) * kWidth + x + 1] : in[y * kWidth + x]);
    }
  }
  CUDA(cudaFreeArray(a));
  CUDA(cudaFreeArray(b));
}

int main() {
  Surfaces();
  Copies();
  return Result();
}
