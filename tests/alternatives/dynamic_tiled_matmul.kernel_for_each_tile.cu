// SPDX-License-Identifier: Apache-2.0
// differs: one instance of a template kernel for each tile, 1 to 32, found by recursion at compile time on the host;
// the dynamic array is seen as a pair of two-dimensional arrays.

#include "dynamic_tiled_matmul.h"

namespace {

template <int T>
__global__ void __launch_bounds__(T* T) fixed_tile(const float* __restrict__ M, const float* __restrict__ N,
                                                   float* __restrict__ P, int width) {
  extern __shared__ float words[];
  using Tile = float[T][T];
  Tile& m = reinterpret_cast<Tile*>(words)[0];
  Tile& n = reinterpret_cast<Tile*>(words)[1];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int first = 0; first < width; first += T) {
    m[ty][tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
    n[ty][tx] = first + ty < width && col < width ? N[(first + ty) * width + col] : 0.0f;
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < T; ++k) sum += m[ty][k] * n[k][tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

template <int T>
void launch(const float* M, const float* N, float* P, int width, int tile) {
  if (T == tile) {
    const int tiles = (width + T - 1) / T;
    fixed_tile<T><<<dim3(tiles, tiles), dim3(T, T), 2 * sizeof(float[T][T])>>>(M, N, P, width);
  } else if constexpr (T > 1) {
    launch<T - 1>(M, N, P, width, tile);
  }
}

}  // namespace

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  launch<32>(M, N, P, width, tile);
}
