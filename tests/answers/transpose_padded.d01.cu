// SPDX-License-Identifier: Apache-2.0
// mistake: pads the rows of the tile by 4 floats, to keep float4 stores aligned, and reads columns of it one float at
//   a time: element [r][c] lies in bank (4 r + c) % 32, so that rows 8 apart meet, a 4-way conflict in each read. The
//   values are right.
// want: Rows are 36 floats long: in which banks do the first nine elements of a column lie? How many different banks
//   are these for all 32, and which pitches give 32?
#include <cstdint>

#include "transpose_padded.h"

#define TILE 32
#define PAD 4  // a row must begin at a multiple of 16 bytes

// With kVector eight threads load a row of the tile, a warp four rows at once.
template <bool kVector>
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ __align__(16) float tile[TILE][TILE + PAD];

  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;

  if (kVector) {
    const int r = t / 8;
    const int c = t % 8 * 4;
    const int x_row = blockIdx.y * TILE + r;
    const int x_column = blockIdx.x * TILE + c;
    if (x_row < rows && x_column < columns) {
      *reinterpret_cast<float4*>(&tile[r][c]) = *reinterpret_cast<const float4*>(X + x_row * columns + x_column);
    }
  } else {
    const int x_column = blockIdx.x * TILE + lane;
    for (int k = warp; k < TILE; k += 8) {
      const int x_row = blockIdx.y * TILE + k;
      if (x_row < rows && x_column < columns) tile[k][lane] = X[x_row * columns + x_column];
    }
  }
  __syncthreads();

  const int y_column = blockIdx.y * TILE + lane;
  for (int k = warp; k < TILE; k += 8) {
    const int y_row = blockIdx.x * TILE + k;
    if (y_row < columns && y_column < rows) {
      Y[y_row * rows + y_column] = tile[lane][k];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  const bool aligned = columns % 4 == 0 && reinterpret_cast<std::uintptr_t>(X) % 16 == 0;
  if (aligned) {
    transpose_kernel<true><<<grid, 256>>>(X, Y, rows, columns);
  } else {
    transpose_kernel<false><<<grid, 256>>>(X, Y, rows, columns);
  }
}
