// SPDX-License-Identifier: Apache-2.0
// mistake: a block carries up to four tiles through one tile of shared memory, and there is no barrier between reading
//   one tile and loading the next: with rows above 32 a warp that is done with the first tile overwrites elements that
//   another warp has not read yet, a race.
// want: A warp begins its second turn of the loop. What may the block's other warps still be doing with the tile?
#include "transpose_padded.h"

namespace {

constexpr int kTile = 32;
constexpr int kRows = 8;   // rows of threads
constexpr int kTurns = 4;  // tiles of a block, one below the other

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[kTile * (kTile + 1)];
  const auto at = [](int r, int c) { return r * (kTile + 1) + c; };

  const int tx = threadIdx.x;
  const int left = blockIdx.x * kTile;

  for (int turn = 0; turn < kTurns; ++turn) {
    const int top = (blockIdx.y * kTurns + turn) * kTile;
    if (top >= rows) break;  // the same for all threads

    for (int ty = threadIdx.y; ty < kTile; ty += kRows) {
      if (top + ty < rows && left + tx < columns) {
        tile[at(ty, tx)] = X[(top + ty) * columns + left + tx];
      }
    }
    __syncthreads();

    for (int ty = threadIdx.y; ty < kTile; ty += kRows) {
      if (left + ty < columns && top + tx < rows) {
        Y[(left + ty) * rows + top + tx] = tile[at(tx, ty)];
      }
    }
  }
}

int ceil_div(int a, int b) { return (a + b - 1) / b; }

}  // namespace

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 grid(ceil_div(columns, kTile), ceil_div(rows, kTile * kTurns));
  transpose_kernel<<<grid, dim3(kTile, kRows)>>>(X, Y, rows, columns);
}
