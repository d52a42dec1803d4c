// SPDX-License-Identifier: Apache-2.0
// mistake: (1) `case 8` has no break: tile 8 launches a second time with tile 16, with other blocks and bytes than
//   the caller chose. (2) the general kernel sums two products at a time: with an odd tile the last step reads
//   a column of the next row and a row past the end of the array.
// want: How many launches happen when tile is 8, and with which blocks? And which value has k + 1 in the last
//   turn of your inner loop when tile is 5?

#include "dynamic_tiled_matmul.h"

extern __shared__ float tiles[];

// The usual tiles, unrolled by the compiler.
template <int T>
__global__ void fixed_kernel(const float* M, const float* N, float* P, int width) {
  float* Mds = tiles;
  float* Nds = tiles + T * T;
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  float sum = 0.0f;
  for (int p = 0; p < width; p += T) {
    Mds[ty * T + tx] = row < width && p + tx < width ? M[row * width + p + tx] : 0.0f;
    Nds[ty * T + tx] = p + ty < width && col < width ? N[(p + ty) * width + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < T; ++k) sum += Mds[ty * T + k] * Nds[k * T + tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

// All others.
__global__ void general_kernel(const float* M, const float* N, float* P, int width, int tile) {
  float* Mds = tiles;
  float* Nds = tiles + tile * tile;
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;

  float even = 0.0f;
  float odd = 0.0f;
  for (int p = 0; p < width; p += tile) {
    Mds[ty * tile + tx] = row < width && p + tx < width ? M[row * width + p + tx] : 0.0f;
    Nds[ty * tile + tx] = p + ty < width && col < width ? N[(p + ty) * width + col] : 0.0f;
    __syncthreads();
    // two sums: the additions need not wait for each other
    for (int k = 0; k < tile; k += 2) {
      even += Mds[ty * tile + k] * Nds[k * tile + tx];
      odd += Mds[ty * tile + k + 1] * Nds[(k + 1) * tile + tx];
    }
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = even + odd;
}

template <int T>
static void launch_fixed(const float* M, const float* N, float* P, int width) {
  const int n = (width + T - 1) / T;
  fixed_kernel<T><<<dim3(n, n), dim3(T, T), 2 * T * T * sizeof(float)>>>(M, N, P, width);
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  switch (tile) {
    case 8:
      launch_fixed<8>(M, N, P, width);
    case 16:
      launch_fixed<16>(M, N, P, width);
      break;
    case 32:
      launch_fixed<32>(M, N, P, width);
      break;
    default: {
      const int n = (width + tile - 1) / tile;
      const size_t bytes = 2 * tile * tile * sizeof(float);
      general_kernel<<<dim3(n, n), dim3(tile, tile), bytes>>>(M, N, P, width, tile);
    }
  }
}
