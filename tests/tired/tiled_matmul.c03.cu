// SPDX-License-Identifier: Apache-2.0
// mistake: loads four neighbours at once as a float4 wherever all four exist, without asking whether the address is a
//   multiple of 16 bytes; where width is no multiple of 4, most rows do not begin at one: misaligned access.
// want: With width 17, at which byte does row 1 begin? Which addresses may a float4 have?
#include "tiled_matmul.h"

#define TILE_WIDTH 32
#define VEC 4

// Four neighbours of row r, from column c on; zeros where there is nothing.
__device__ float4 load4(const float* A, int r, int c, int width) {
  if (r < width && c + 3 < width) {
    return *reinterpret_cast<const float4*>(A + r * width + c);
  }
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (r < width) {
    if (c < width) v.x = A[r * width + c];
    if (c + 1 < width) v.y = A[r * width + c + 1];
    if (c + 2 < width) v.z = A[r * width + c + 2];
  }
  return v;
}

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float4 Mds[TILE_WIDTH][TILE_WIDTH / VEC];
  __shared__ float4 Nds[TILE_WIDTH][TILE_WIDTH / VEC];

  const int tx = threadIdx.x;  // 0 to 7: four columns each
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx * VEC;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int phase = 0; phase < phases; ++phase) {
    Mds[ty][tx] = load4(M, row, phase * TILE_WIDTH + tx * VEC, width);
    Nds[ty][tx] = load4(N, phase * TILE_WIDTH + ty, col, width);
    __syncthreads();

    const float* m = reinterpret_cast<const float*>(Mds[ty]);
    for (int k = 0; k < TILE_WIDTH; ++k) {
      const float4 n = Nds[k][tx];
      sum.x += m[k] * n.x;
      sum.y += m[k] * n.y;
      sum.z += m[k] * n.z;
      sum.w += m[k] * n.w;
    }
    __syncthreads();
  }

  if (row < width) {
    if (col < width) P[row * width + col] = sum.x;
    if (col + 1 < width) P[row * width + col + 1] = sum.y;
    if (col + 2 < width) P[row * width + col + 2] = sum.z;
    if (col + 3 < width) P[row * width + col + 3] = sum.w;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH / VEC, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
