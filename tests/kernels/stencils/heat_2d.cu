// SPDX-License-Identifier: Apache-2.0
// A five-point stencil in shared memory with a halo, double-buffered in global memory over several steps.
#include "tests/kernels/expect.h"

constexpr int kTile = 14;

__global__ void step(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x - 1, y = blockIdx.y * kTile + threadIdx.y - 1;
  const bool inside = x >= 0 && x < nx && y >= 0 && y < ny;
  if (inside) tile[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  const bool of_halo =
      threadIdx.x == 0 || threadIdx.x == kTile + 1 || threadIdx.y == 0 || threadIdx.y == kTile + 1;
  if (!inside || of_halo) return;
  if (x == 0 || x == nx - 1 || y == 0 || y == ny - 1) {
    out[y * nx + x] = tile[threadIdx.y][threadIdx.x];
    return;
  }
  out[y * nx + x] = 0.25f * (tile[threadIdx.y - 1][threadIdx.x] + tile[threadIdx.y + 1][threadIdx.x] +
                             tile[threadIdx.y][threadIdx.x - 1] + tile[threadIdx.y][threadIdx.x + 1]);
}

int main() {
  const int nx = 45, ny = 30, steps = 5;
  std::vector<float> now = Eighths(nx * ny), next(nx * ny);
  float *a = OnDevice(now), *b = OnDevice<float>(nx * ny);
  for (int s = 0; s < steps; ++s) {
    step<<<dim3((nx + kTile - 1) / kTile, (ny + kTile - 1) / kTile), dim3(kTile + 2, kTile + 2)>>>(a, b, nx,
                                                                                                   ny);
    std::swap(a, b);
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const int i = y * nx + x;
        next[i] = x == 0 || x == nx - 1 || y == 0 || y == ny - 1
                      ? now[i]
                      : 0.25f * (now[i - nx] + now[i + nx] + now[i - 1] + now[i + 1]);
      }
    now = next;
  }
  FINISH();
  const auto got = FromDevice(a, nx * ny);
  for (int i = 0; i < nx * ny; ++i) ExpectEqual("heat", i, got[i], now[i]);
  return Result();
}
