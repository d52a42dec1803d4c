// SPDX-License-Identifier: Apache-2.0
// mistake: a tile of 16 x 16 with a pitch of 17, and blocks of 16 x 16: a warp touches two rows (columns) of the tile.
//   Lane 0 is at word 17 ty, lane 31 at 17 (ty + 1) + 15 = 17 ty + 32: the same bank. One 2-way conflict in each request,
//   storing and loading.
// want: In a block of 16 x 16, which two rows does a warp write? In which bank is the first element of the one, and in
//   which the last of the other? One column more helps a warp that owns a row of 32.
#include "transpose_padded.h"

#define SIDE 16

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[SIDE][SIDE + 1];  // one more, so that columns spread over the banks

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int r0 = blockIdx.y * SIDE;
  const int c0 = blockIdx.x * SIDE;

  if (r0 + ty < rows && c0 + tx < columns) {
    tile[ty][tx] = X[(r0 + ty) * columns + c0 + tx];
  }
  __syncthreads();

  // the mirrored tile: its rows start at c0, its columns at r0
  if (c0 + ty < columns && r0 + tx < rows) {
    Y[(c0 + ty) * rows + r0 + tx] = tile[tx][ty];
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 threads(SIDE, SIDE);
  const dim3 blocks((columns + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE);
  transpose_kernel<<<blocks, threads>>>(X, Y, rows, columns);
}
