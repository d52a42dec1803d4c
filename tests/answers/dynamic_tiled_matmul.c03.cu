// SPDX-License-Identifier: Apache-2.0
// mistake: the kernel is a template for the widths 1, 2, 4, 8, 16 and 32, and any other tile is rounded down to the next of
//   these: the values are right, but with tile 20 the blocks have 16 x 16 threads, pass bytes for 16 x 16 tiles and load
//   more in all than tiles of 20 may.
// want: The caller says tile = 20. How many threads does your block have then, and how many are wanted?
#include "dynamic_tiled_matmul.h"

template <int T>
__global__ void kernel(const float* M, const float* N, float* P, int width) {
  extern __shared__ float shared[];
  float* Mds = shared;
  float* Nds = shared + T * T;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  float sum = 0.0f;
  for (int start = 0; start < width; start += T) {
    Mds[ty * T + tx] = row < width && start + tx < width ? M[row * width + start + tx] : 0.0f;
    Nds[ty * T + tx] = start + ty < width && col < width ? N[(start + ty) * width + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < T; ++k) sum += Mds[ty * T + k] * Nds[k * T + tx];
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

template <int T>
static void launch(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + T - 1) / T;
  kernel<T><<<dim3(tiles, tiles), dim3(T, T), 2 * T * T * sizeof(float)>>>(M, N, P, width);
}

// The compiler can unroll only what it knows, so there is one kernel for each sensible width.
void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  if (tile >= 32) return launch<32>(M, N, P, width);
  if (tile >= 16) return launch<16>(M, N, P, width);
  if (tile >= 8) return launch<8>(M, N, P, width);
  if (tile >= 4) return launch<4>(M, N, P, width);
  if (tile >= 2) return launch<2>(M, N, P, width);
  launch<1>(M, N, P, width);
}
