// SPDX-License-Identifier: Apache-2.0
// differs: no shared memory at all, hence no bank conflicts: a warp holds a tile of 32 x 32 in registers, one column a
// lane, and turns it in five rounds of exchanges by __shfl_xor_sync.

#include "transpose_padded.h"

template <int MASK>
__device__ __forceinline__ void exchange(float (&v)[32], int lane) {
  const bool upper = lane & MASK;
#pragma unroll
  for (int r = 0; r < 32; ++r) {
    if ((r & MASK) == 0) {
      // A lane with the bit keeps its row r + MASK and gives away row r; one without it the other way round.
      const float give = upper ? v[r] : v[r + MASK];
      const float got = __shfl_xor_sync(0xffffffffu, give, MASK);
      if (upper) v[r] = got; else v[r + MASK] = got;
    }
  }
}

__global__ void __launch_bounds__(32) shuffled(const float* X, float* Y, int rows, int columns) {
  const int lane = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;
  float v[32];
#pragma unroll
  for (int r = 0; r < 32; ++r) v[r] = top + r < rows && left + lane < columns ? X[(top + r) * columns + left + lane] : 0.0f;
  exchange<16>(v, lane);
  exchange<8>(v, lane);
  exchange<4>(v, lane);
  exchange<2>(v, lane);
  exchange<1>(v, lane);
#pragma unroll
  for (int c = 0; c < 32; ++c)
    if (left + c < columns && top + lane < rows) Y[(left + c) * rows + top + lane] = v[c];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  shuffled<<<dim3((columns + 31) / 32, (rows + 31) / 32), 32>>>(X, Y, rows, columns);
}
