// SPDX-License-Identifier: Apache-2.0
// A seven-point stencil in three dimensions, coarsened along z: planes in shared memory and registers.
#include "tests/kernels/expect.h"

constexpr int kTile = 8;

__global__ void stencil(const float* in, float* out, int n) {
  __shared__ float plane[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * (kTile - 2) + tx, y = blockIdx.y * (kTile - 2) + ty;
  const bool inside = x < n && y < n;
  float below = inside ? in[(0 * n + y) * n + x] : 0, here = inside ? in[(1 * n + y) * n + x] : 0;
  for (int z = 1; z < n - 1; ++z) {
    const float above = inside ? in[((z + 1) * n + y) * n + x] : 0;
    plane[ty][tx] = here;
    __syncthreads();
    if (tx > 0 && tx < kTile - 1 && ty > 0 && ty < kTile - 1 && x < n - 1 && y < n - 1)
      out[(z * n + y) * n + x] = here * -6 + plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] +
                                 plane[ty + 1][tx] + below + above;
    __syncthreads();
    below = here;
    here = above;
  }
}

int main() {
  const int n = 19, count = n * n * n, blocks = (n - 2 + kTile - 3) / (kTile - 2);
  const std::vector<float> in = Eighths(count);
  float *din = OnDevice(in), *dout = OnDevice(std::vector<float>(count));
  stencil<<<dim3(blocks, blocks), dim3(kTile, kTile)>>>(din, dout, n);
  FINISH();
  const auto out = FromDevice(dout, count);
  for (int z = 0, i = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x, ++i) {
        const bool edge = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
        ExpectEqual("out", i, out[i],
                    edge ? 0.0f
                         : in[i] * -6 + in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] +
                               in[i + n * n]);
      }
  return Result();
}
