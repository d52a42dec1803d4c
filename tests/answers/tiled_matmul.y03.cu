// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: The store is guarded by the index only, so that a thread whose column does not exist stores
//   its 0 into the next row: width 17, row 0, column 17 writes P[17], which is P[1][0], in a race with its owner. And
//   M has no tile: each thread loads its element of M from global memory for each product, 4 bytes a product and
//   4.25 x width^3 in all for N's tiles with it, where 2 x width^3 are allowed (shows with width 16 already).
// want: Which element of P does the thread with row 0 and column 17 store when width is 17? (Then: who loads M[0][0], how often?)
#include "tiled_matmul.h"

template <int T>
__global__ void product(const float* M, const float* N, float* P, int width) {
  __shared__ float strip[T][T];

  const int x = blockIdx.x * T + threadIdx.x;
  const int y = blockIdx.y * T + threadIdx.y;
  float acc = 0.f;

  for (int base = 0; base < width; base += T) {
    const int n_row = base + threadIdx.y;
    strip[threadIdx.y][threadIdx.x] = (n_row < width && x < width) ? N[n_row * width + x] : 0.f;
    __syncthreads();

    // All threads of a row want the same element of M at the same time, so this is a broadcast.
    if (y < width) {
      const float* m = M + y * width + base;
      const int depth = min(T, width - base);
      for (int i = 0; i < depth; ++i) acc = fmaf(m[i], strip[i][threadIdx.x], acc);
    }
    __syncthreads();
  }

  const int index = y * width + x;
  if (index < width * width) P[index] = acc;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  constexpr int T = 16;
  const unsigned tiles = (width + T - 1) / T;
  product<T><<<dim3(tiles, tiles), dim3(T, T)>>>(M, N, P, width);
}
