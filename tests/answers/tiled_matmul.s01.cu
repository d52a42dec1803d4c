// SPDX-License-Identifier: Apache-2.0
// mistake: A row's four elements are loaded as one float4 wherever all four exist, but row r begins at r * width floats,
//   which is a multiple of 16 bytes only where 4 divides width (or r * width). With width = 5, M[1][0] has index 5,
//   byte 20: a misaligned load. All checks are right; where 4 divides width everything is.
// want: With width 5, at which byte does row 1 of M begin? What does a load of a float4 demand of its address?
#include "tiled_matmul.h"

#define TILE_WIDTH 16

// Elements (r, c) to (r, c + 3); zeros for those that do not exist.
__device__ float4 load4(const float* A, int r, int c, int width) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (r >= width) return v;
  const float* p = A + r * width + c;
  if (c + 3 < width) return *reinterpret_cast<const float4*>(p);  // all four are there
  if (c < width) v.x = p[0];
  if (c + 1 < width) v.y = p[1];
  if (c + 2 < width) v.z = p[2];
  return v;
}

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ __align__(16) float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * TILE_WIDTH;
  const int left = blockIdx.x * TILE_WIDTH;

  // 64 threads bring M's tile, the next 64 N's, four elements each
  const int t = ty * TILE_WIDTH + tx;
  const int r = t % 64 / 4;
  const int c = t % 4 * 4;

  float sum = 0.0f;
  for (int base = 0; base < width; base += TILE_WIDTH) {
    if (t < 64) {
      *reinterpret_cast<float4*>(&Mds[r][c]) = load4(M, top + r, base + c, width);
    } else if (t < 128) {
      *reinterpret_cast<float4*>(&Nds[r][c]) = load4(N, base + r, left + c, width);
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) sum += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }

  if (top + ty < width && left + tx < width) P[(top + ty) * width + left + tx] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, width);
}
