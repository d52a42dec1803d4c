// SPDX-License-Identifier: Apache-2.0
// mistake: too many barriers: tiles of 64 x 64, depth 32, two barriers a phase. At width 256 that is 16 blocks x 8 warps x
//   8 phases x 2 = 2048 arrivals, and 1365 are allowed. Values, sectors (65536) and loads from shared memory (65536)
//   are within their bounds.
// want: How many times does a warp arrive at a barrier at width 256, and how many warps are there? What would halve it:
//   a barrier less in a phase, deeper phases, larger tiles?
#include "fast_matmul.h"

#define TILE 64
#define DEPTH 32
#define PITCH (DEPTH + 4)  // a row of M's tile, still a multiple of 16 bytes

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Mds[TILE][PITCH];
  __shared__ __align__(16) float Nds[DEPTH][TILE];

  const int tx = threadIdx.x;  // 16 x 16 threads, each 4 x 4 of P
  const int ty = threadIdx.y;
  const int t = ty * 16 + tx;
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE;

  float4 sum[4];
  for (int i = 0; i < 4; i++) sum[i] = make_float4(0, 0, 0, 0);

  for (int k0 = 0; k0 < width; k0 += DEPTH) {
#pragma unroll
    for (int e = t; e < TILE * DEPTH; e += 256) {
      const int r = e / DEPTH, k = e % DEPTH;
      Mds[r][k] = row0 + r < width && k0 + k < width ? M[(row0 + r) * width + k0 + k] : 0.0f;
    }
#pragma unroll
    for (int e = t; e < DEPTH * TILE; e += 256) {
      const int k = e / TILE, c = e % TILE;
      Nds[k][c] = k0 + k < width && col0 + c < width ? N[(k0 + k) * width + col0 + c] : 0.0f;
    }
    __syncthreads();

    // four k at a time: four float4 along M's rows, four along N's
#pragma unroll
    for (int k = 0; k < DEPTH; k += 4) {
      float4 b[4];
#pragma unroll
      for (int q = 0; q < 4; q++) b[q] = *(const float4*)&Nds[k + q][4 * tx];
#pragma unroll
      for (int i = 0; i < 4; i++) {
        const float4 a = *(const float4*)&Mds[4 * ty + i][k];
        sum[i].x += a.x * b[0].x + a.y * b[1].x + a.z * b[2].x + a.w * b[3].x;
        sum[i].y += a.x * b[0].y + a.y * b[1].y + a.z * b[2].y + a.w * b[3].y;
        sum[i].z += a.x * b[0].z + a.y * b[1].z + a.z * b[2].z + a.w * b[3].z;
        sum[i].w += a.x * b[0].w + a.y * b[1].w + a.z * b[2].w + a.w * b[3].w;
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 4; i++) {
    const int r = row0 + 4 * ty + i, c = col0 + 4 * tx;
    if (r >= width) continue;
    float* p = P + r * width + c;
    if (c + 0 < width) p[0] = sum[i].x;
    if (c + 1 < width) p[1] = sum[i].y;
    if (c + 2 < width) p[2] = sum[i].z;
    if (c + 3 < width) p[3] = sum[i].w;
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), dim3(16, 16)>>>(M, N, P, width);
}
