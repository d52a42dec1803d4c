// SPDX-License-Identifier: Apache-2.0
// mistake: the tile's rows are 36 floats long, so that the elements of a column lie in banks 36 * r % 32 = 4 * r: 8
//   banks for 32 lanes, a 4-way conflict at each read of a column. Values and global accesses are right.
// want: You padded, and the report still counts conflicts. Elements [0][0], [1][0], ... [8][0] of your tile: in which
//   banks do they lie?
#include "transpose_padded.h"

constexpr int kTile = 32;
constexpr int kRows = 8;   // rows of threads in a block
constexpr int kPitch = 36; // padded; rows still start at 16 bytes

// blockIdx.x walks down X here, so that neighbouring blocks write neighbouring pieces of Y
__global__ void transpose_kernel(const float* __restrict__ X, float* __restrict__ Y, int rows, int columns) {
  __shared__ float tile[kTile * kPitch];

  const int r0 = blockIdx.x * kTile;
  const int c0 = blockIdx.y * kTile;

  const int c = c0 + threadIdx.x;
  for (int j = threadIdx.y; j < kTile; j += kRows) {
    const int r = r0 + j;
    if (r < rows && c < columns) tile[j * kPitch + threadIdx.x] = X[(size_t)r * columns + c];
  }
  __syncthreads();

  const int yc = r0 + threadIdx.x;
  for (int j = threadIdx.y; j < kTile; j += kRows) {
    const int yr = c0 + j;
    if (yr < columns && yc < rows) Y[(size_t)yr * rows + yc] = tile[threadIdx.x * kPitch + j];
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  dim3 threads(kTile, kRows);
  dim3 blocks((rows + kTile - 1) / kTile, (columns + kTile - 1) / kTile);
  transpose_kernel<<<blocks, threads>>>(X, Y, rows, columns);
}
