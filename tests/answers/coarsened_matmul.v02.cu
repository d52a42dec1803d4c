// SPDX-License-Identifier: Apache-2.0
// mistake: the loop over the four tiles is outside, around the loop over the phases: for each tile all tiles of M are loaded
//   again. At width 128 M is loaded four times, once is allowed (ceil(128 / 128)); N is loaded as often as it should.
//   Nothing is gained over blocks of one tile. Values are right, the last phase's short loop over k, too.
// want: How often is Mds[0][0] loaded by one block at width 128, and how often would one of the four tiles need it?
#include "coarsened_matmul.h"

#include <cuda_runtime.h>

constexpr int T = 32;
constexpr int kTiles = 4;

struct Tiles {
  float m[T][T];
  float n[T][T];
};

// One element of P, the whole block together.
__device__ float dot(Tiles& s, const float* M, const float* N, int row, int col, int width) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0.0f;
  for (int k0 = 0; k0 < width; k0 += T) {
    const int depth = min(T, width - k0);  // what there is of this phase
    if (row < width && tx < depth) s.m[ty][tx] = M[row * width + k0 + tx];
    if (col < width && ty < depth) s.n[ty][tx] = N[(k0 + ty) * width + col];
    __syncthreads();
    for (int k = 0; k < depth; ++k) acc = fmaf(s.m[ty][k], s.n[k][tx], acc);
    __syncthreads();
  }
  return acc;
}

__global__ void kernel(const float* M, const float* N, float* P, int width) {
  __shared__ Tiles shared;

  const int row = blockIdx.y * T + threadIdx.y;
  int col = blockIdx.x * (T * kTiles) + threadIdx.x;

  for (int tile = 0; tile < kTiles; ++tile, col += T) {
    const float p = dot(shared, M, N, row, col, width);
    if (row < width && col < width) P[row * width + col] = p;
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + T * kTiles - 1) / (T * kTiles), (width + T - 1) / T);
  kernel<<<grid, dim3(T, T)>>>(M, N, P, width);
}
