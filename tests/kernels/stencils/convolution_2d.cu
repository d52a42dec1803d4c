// SPDX-License-Identifier: Apache-2.0
// Two-dimensional convolution of an image of bytes with three channels; cached halo from global memory.
#include "tests/kernels/expect.h"

constexpr int kRadius = 2, kWidth = 2 * kRadius + 1, kTile = 16;
__constant__ int weights[kWidth][kWidth];

__global__ void blur(const uchar4* in, uchar4* out, int width, int height) {
  __shared__ uchar4 tile[kTile][kTile];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x < width && y < height ? in[y * width + x] : make_uchar4(0, 0, 0, 0);
  __syncthreads();
  if (x >= width || y >= height) return;
  int3 sum = make_int3(0, 0, 0);
  for (int dy = -kRadius; dy <= kRadius; ++dy)
    for (int dx = -kRadius; dx <= kRadius; ++dx) {
      const int tx = static_cast<int>(threadIdx.x) + dx, ty = static_cast<int>(threadIdx.y) + dy;
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
      const uchar4 p =
          tx >= 0 && tx < kTile && ty >= 0 && ty < kTile ? tile[ty][tx] : in[(y + dy) * width + x + dx];
      const int w = weights[dy + kRadius][dx + kRadius];
      sum.x += w * p.x;
      sum.y += w * p.y;
      sum.z += w * p.z;
    }
  out[y * width + x] = make_uchar4(min(sum.x / 25, 255), min(sum.y / 25, 255), min(sum.z / 25, 255), 255);
}

int main() {
  const int width = 50, height = 33;
  const std::vector<int> numbers = Integers(width * height);
  std::vector<uchar4> in(width * height);
  std::memcpy(in.data(), numbers.data(), in.size() * 4);
  int w[kWidth][kWidth];
  for (int i = 0; i < 25; ++i) w[i / 5][i % 5] = i % 4;
  CUDA(cudaMemcpyToSymbol(weights, w, sizeof w));
  uchar4 *din = OnDevice(in), *dout = OnDevice<uchar4>(width * height);
  blur<<<dim3(4, 3), dim3(kTile, kTile)>>>(din, dout, width, height);
  FINISH();
  const auto out = FromDevice(dout, width * height);
  for (int y = 0, i = 0; y < height; ++y)
    for (int x = 0; x < width; ++x, ++i) {
      int r = 0, g = 0, b = 0;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
          if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
          const uchar4 p = in[i + dy * width + dx];
          r += p.x * w[dy + 2][dx + 2], g += p.y * w[dy + 2][dx + 2], b += p.z * w[dy + 2][dx + 2];
        }
      ExpectEqual("red", i, out[i].x, r / 25 > 255 ? 255 : r / 25);
      ExpectEqual("green", i, out[i].y, g / 25 > 255 ? 255 : g / 25);
      ExpectEqual("blue", i, out[i].z, b / 25 > 255 ? 255 : b / 25);
      ExpectEqual("alpha", i, out[i].w, 255);
    }
  return Result();
}
