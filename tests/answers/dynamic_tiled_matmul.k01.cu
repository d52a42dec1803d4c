// SPDX-License-Identifier: Apache-2.0
// mistake: the array is declared as bytes, and N's tile begins tile * tile bytes behind its start, a quarter of M's tile:
//   the two overlap, and where tile is odd the floats of N's tile are misaligned besides.
// want: In what does `raw + something` count here, and how many of those does M's tile take?
#include "dynamic_tiled_matmul.h"

__global__ void dyn_kernel(const float* M, const float* N, float* P, int width, int tile) {
  // raw memory, I cut it myself
  extern __shared__ __align__(16) unsigned char raw[];
  float* tileM = reinterpret_cast<float*>(raw);
  float* tileN = reinterpret_cast<float*>(raw + tile * tile);

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * tile + ty;
  const int c = blockIdx.x * tile + tx;
  const int here = ty * tile + tx;

  float s = 0.0f;
  for (int at = 0; at < width; at += tile) {
    tileM[here] = r < width && at + tx < width ? M[r * width + at + tx] : 0.0f;
    tileN[here] = at + ty < width && c < width ? N[(at + ty) * width + c] : 0.0f;
    __syncthreads();

    for (int k = 0; k < tile; ++k) {
      s += tileM[ty * tile + k] * tileN[k * tile + tx];
    }
    __syncthreads();
  }

  if (r < width && c < width) {
    P[r * width + c] = s;
  }
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int n = (width + tile - 1) / tile;
  const size_t one = tile * tile * sizeof(float);
  dyn_kernel<<<dim3(n, n), dim3(tile, tile), 2 * one>>>(M, N, P, width, tile);
}
