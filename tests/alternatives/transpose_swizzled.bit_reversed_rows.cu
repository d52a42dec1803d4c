// SPDX-License-Identifier: Apache-2.0
// differs: exclusive or with the row's five bits read backwards (__brev); 1-D blocks of 512 threads, two elements each.
// Byte order mark, Chinese comments, no newline at the end.

#include "transpose_swizzled.h"

// 行号的五个比特倒过来,再与列号异或。
static __device__ __forceinline__ unsigned place(unsigned row, unsigned column) { return row << 5 | (column ^ __brev(row) >> 27); }

__global__ void __launch_bounds__(512, 4) reversed(const float* __restrict__ X, float* __restrict__ Y, const int rows, const int columns) {
  __shared__ float tile[1024];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll
  for (int half = 0; half < 32; half += 16)
    if (top + warp + half < rows && left + lane < columns) tile[place(warp + half, lane)] = __ldg(&X[(top + warp + half) * columns + left + lane]);
  __syncthreads();
#pragma unroll
  for (int half = 0; half < 32; half += 16)
    if (left + warp + half < columns && top + lane < rows) __stcs(&Y[(left + warp + half) * rows + top + lane], tile[place(lane, warp + half)]);
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  reversed<<<dim3((columns + 31) / 32, (rows + 31) / 32), 512>>>(X, Y, rows, columns);
}