// SPDX-License-Identifier: Apache-2.0
// mistake: only multiples of 128 are fast. All other widths go to the kernel of the starter, with two loads from shared
//   memory for each product; from width 64 on, they must do with as few as the next multiple of 128. Values are right.
// want: Which kernel multiplies at width 255, and how many loads from shared memory does it do for a product? Let the
//   fast kernel load zeros beyond the edge, and guard its stores.
#include "fast_matmul.h"

#define BIG 128
#define DEPTH 16
#define SMALL 32

__device__ __forceinline__ void add4(float* s, float a, float4 b) {
  s[0] += a * b.x;
  s[1] += a * b.y;
  s[2] += a * b.z;
  s[3] += a * b.w;
}

// width is a multiple of 128: no guards. 16 x 16 threads, 8 x 8 elements each.
__global__ void __launch_bounds__(256) big_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Ms[BIG][DEPTH];
  __shared__ __align__(16) float Ns[DEPTH][BIG];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int row0 = blockIdx.y * BIG;
  const int col0 = blockIdx.x * BIG;

  // rows ty, ty + 16, ...; columns 4 tx to 4 tx + 3, and the same in the right half
  float acc[8][8] = {};

  for (int k0 = 0; k0 < width; k0 += DEPTH) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      Ms[ty + 16 * j][tx] = M[(row0 + ty + 16 * j) * width + k0 + tx];
      Ns[t / 128 + 2 * j][t % 128] = N[(k0 + t / 128 + 2 * j) * width + col0 + t % 128];
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < DEPTH; k += 4) {
      float4 left[4], right[4];
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        left[q] = *reinterpret_cast<const float4*>(&Ns[k + q][4 * tx]);
        right[q] = *reinterpret_cast<const float4*>(&Ns[k + q][64 + 4 * tx]);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const float4 a = *reinterpret_cast<const float4*>(&Ms[ty + 16 * i][k]);
        add4(&acc[i][0], a.x, left[0]);
        add4(&acc[i][4], a.x, right[0]);
        add4(&acc[i][0], a.y, left[1]);
        add4(&acc[i][4], a.y, right[1]);
        add4(&acc[i][0], a.z, left[2]);
        add4(&acc[i][4], a.z, right[2]);
        add4(&acc[i][0], a.w, left[3]);
        add4(&acc[i][4], a.w, right[3]);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    float* out = P + (row0 + ty + 16 * i) * width + col0 + 4 * tx;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      out[j] = acc[i][j];
      out[64 + j] = acc[i][4 + j];
    }
  }
}

// for the odd sizes
__global__ void small_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[SMALL][SMALL];
  __shared__ float Nds[SMALL][SMALL];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * SMALL + ty;
  const int col = blockIdx.x * SMALL + tx;

  float sum = 0.0f;
  for (int k0 = 0; k0 < width; k0 += SMALL) {
    Mds[ty][tx] = row < width && k0 + tx < width ? M[row * width + k0 + tx] : 0.0f;
    Nds[ty][tx] = k0 + ty < width && col < width ? N[(k0 + ty) * width + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < SMALL; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  if (width % BIG == 0) {
    const dim3 grid(width / BIG, width / BIG);
    big_kernel<<<grid, 256>>>(M, N, P, width);
  } else {
    const int tiles = (width + SMALL - 1) / SMALL;
    small_kernel<<<dim3(tiles, tiles), dim3(SMALL, SMALL)>>>(M, N, P, width);
  }
}
