// SPDX-License-Identifier: Apache-2.0
// mistake: picks one of four widths known at compile time, 4, 8, 16 or 32, next to the caller's tile. The values are
//   right, but for every other tile the block has other than tile x tile threads, the launch passes other than
//   8 * tile * tile bytes, and for wide matrices more is loaded than the caller's tile allows.
// want: With tile = 12, how many threads has your block, and how many has it in the contract? Who chooses the tile's
//   width here?
#include "dynamic_tiled_matmul.h"

// T is a constant, so the compiler can unroll
template <int T>
__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  extern __shared__ float shared[];
  float* Mds = shared;
  float* Nds = shared + T * T;

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

template <int T>
static void launch(const float* M, const float* N, float* P, int width) {
  const int blocks = (width + T - 1) / T;
  const size_t bytes = 2 * T * T * sizeof(float);
  dynamic_tiled_matmul_kernel<T><<<dim3(blocks, blocks), dim3(T, T), bytes>>>(M, N, P, width);
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  if (tile >= 32) {
    launch<32>(M, N, P, width);
  } else if (tile >= 16) {
    launch<16>(M, N, P, width);
  } else if (tile >= 8) {
    launch<8>(M, N, P, width);
  } else {
    launch<4>(M, N, P, width);
  }
}
