// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the tiles are 4 wide, so that every row of a tile is 16 bytes, half a sector of 32: at width
//   32 the sectors loaded have 2.0 times the bytes asked for (1.45 are allowed). The bytes themselves are exactly at
//   the limit: 2 x width^3. And P is added to (+=), not stored: what lay in P before is in the result; P that holds
//   1.0 everywhere comes out 1.0 too large, and a second call with the same P gives twice the product.
// want: What is in P before the kernel runs, and who says so? Then: how many bytes of a row does one tile fetch, and
//   how many does the memory bring at the least?
#include "tiled_matmul.h"

// small tiles: little is wasted at the edges
static const int S = 4;

static __device__ float get(const float* A, int r, int c, int width) {
  if (r >= width) return 0.0f;
  if (c >= width) return 0.0f;
  return A[r * width + c];
}

__global__ void small_tiles(const float* M, const float* N, float* P, int width) {
  __shared__ float m[S * S];
  __shared__ float n[S * S];
  const int me = threadIdx.y * S + threadIdx.x;
  const int r = blockIdx.y * S + threadIdx.y;
  const int c = blockIdx.x * S + threadIdx.x;

  float s = 0.0f;
  for (int k0 = 0; k0 < width; k0 += S) {
    m[me] = get(M, r, k0 + threadIdx.x, width);
    n[me] = get(N, k0 + threadIdx.y, c, width);
    __syncthreads();
    for (int i = 0; i < S; ++i) s += m[threadIdx.y * S + i] * n[i * S + threadIdx.x];
    __syncthreads();
  }
  if (r < width && c < width) P[r * width + c] += s;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int blocks = (width + S - 1) / S;
  small_tiles<<<dim3(blocks, blocks), dim3(S, S)>>>(M, N, P, width);
}
