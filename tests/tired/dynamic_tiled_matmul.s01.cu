// SPDX-License-Identifier: Apache-2.0
// mistake: The rows of both tiles are padded to tile + 1 floats, so the launch passes 8 x tile x (tile + 1) bytes where
//   the contract says exactly 8 x tile x tile. With tile = 16 it passes 2176 bytes instead of 2048, with tile = 1 16
//   instead of 8. The indices fit the padding: all values are right, nothing is out of range.
// want: How many floats does a tile of tile x tile elements have, and how many does your launch pay for? What does the
//   contract say about the bytes?
#include "dynamic_tiled_matmul.h"

// A row of a tile gets one float more, so that columns are spread over the banks.
__host__ __device__ constexpr int pitch(int tile) { return tile + 1; }

__global__ void matmul_dyn(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float smem[];
  const int ld = pitch(tile);
  float* a = smem;
  float* b = a + tile * ld;

  const int x = threadIdx.x, y = threadIdx.y;
  const int r = blockIdx.y * tile + y;
  const int c = blockIdx.x * tile + x;

  float acc = 0.f;
  for (int base = 0; base < width; base += tile) {
    a[y * ld + x] = (r < width && base + x < width) ? M[r * width + base + x] : 0.f;
    b[y * ld + x] = (c < width && base + y < width) ? N[(base + y) * width + c] : 0.f;
    __syncthreads();

    const float* pa = a + y * ld;
    const float* pb = b + x;
    for (int i = 0; i < tile; ++i, ++pa, pb += ld) acc += *pa * *pb;
    __syncthreads();
  }
  if (r < width && c < width) P[r * width + c] = acc;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int n = (width - 1) / tile + 1;
  const size_t bytes = 2 * sizeof(float) * tile * pitch(tile);
  matmul_dyn<<<dim3(n, n), dim3(tile, tile), bytes>>>(M, N, P, width, tile);
}
