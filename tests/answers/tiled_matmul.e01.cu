// SPDX-License-Identifier: Apache-2.0
// mistake: loads float4 wherever four columns exist, also if width is not a multiple of 4. Then the rows do
//   not begin at multiples of 16 bytes, and the load has a misaligned address (width 5, row 1).
// want: Your check makes sure that four elements exist. What else does a float4 load ask of its address?
//   At which byte does row 1 begin when width is 5?

#include "tiled_matmul.h"

#define TILE 32

// four neighbours of a row; zeros where the matrix has none
__device__ float4 fetch(const float* A, int row, int col, int width) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (row >= width) return v;

  const float* p = A + row * width + col;
  if (col + 3 < width) {
    v = *reinterpret_cast<const float4*>(p);
  } else {
    // the ragged end of the row
    if (col < width) v.x = p[0];
    if (col + 1 < width) v.y = p[1];
    if (col + 2 < width) v.z = p[2];
  }
  return v;
}

// 256 threads for a tile of 32 x 32: each loads and computes four elements side by side
__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Ms[TILE][TILE];
  __shared__ __align__(16) float Ns[TILE][TILE];

  const int r = threadIdx.x / (TILE / 4);
  const int c = threadIdx.x % (TILE / 4) * 4;
  const int row = blockIdx.y * TILE + r;
  const int col = blockIdx.x * TILE + c;

  float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int p = 0; p < width; p += TILE) {
    *reinterpret_cast<float4*>(&Ms[r][c]) = fetch(M, row, p + c, width);
    *reinterpret_cast<float4*>(&Ns[r][c]) = fetch(N, p + r, col, width);
    __syncthreads();

    for (int k = 0; k < TILE; ++k) {
      const float m = Ms[r][k];
      const float4 n = *reinterpret_cast<const float4*>(&Ns[k][c]);
      acc.x += m * n.x;
      acc.y += m * n.y;
      acc.z += m * n.z;
      acc.w += m * n.w;
    }
    __syncthreads();
  }

  if (row < width) {
    float* out = P + row * width + col;
    if (col < width) out[0] = acc.x;
    if (col + 1 < width) out[1] = acc.y;
    if (col + 2 < width) out[2] = acc.z;
    if (col + 3 < width) out[3] = acc.w;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  tiled_matmul_kernel<<<dim3(tiles, tiles), TILE * TILE / 4>>>(M, N, P, width);
}
