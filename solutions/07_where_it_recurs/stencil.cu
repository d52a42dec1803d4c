// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7, where coarsening recurs: the solution. The result needs an element seven times, and the kernel
// loads it little more than once. Three ideas:
//
//   along z         a block walks from plane to plane. A thread keeps its elements of three planes in
//                   registers, so the neighbours in z need no load. Meanwhile the loads of one more plane
//                   run.
//   along x and y   the tile of the current plane is in shared memory, with a frame of one element. Two
//                   tiles take turns, so one barrier per plane is enough.
//   coarsening      a thread computes ROWS neighbouring rows. Most of its neighbours in y are in its own
//                   registers.

#include "stencil.h"

#define TILE_X 128
#define THREADS_Y 4
#define ROWS 6
#define TILE_Y (THREADS_Y * ROWS)
#define THREADS (TILE_X * THREADS_Y)
#define PLANES 32                    // that a block walks through
#define BLOCKS_PER_MULTIPROCESSOR 2  // at least: limits the registers of a thread to 64

// The elements of the frame. The block has at least as many threads, so each loads at most one.
#define FRAME (2 * TILE_X + 2 * TILE_Y)

__global__ __launch_bounds__(THREADS, BLOCKS_PER_MULTIPROCESSOR) void stencil_kernel(const float* input,
                                                                                     float* output, int width,
                                                                                     int height, int depth) {
  __shared__ float planes[2][TILE_Y + 2][TILE_X + 2];

  // Which tile, and which planes? One index for all three, since blockIdx.y and .z end at 65535.
  const int tiles_x = (width + TILE_X - 1) / TILE_X;
  const int tiles_y = (height + TILE_Y - 1) / TILE_Y;
  const int tile_x = blockIdx.x % tiles_x * TILE_X;
  const int tile_y = blockIdx.x / tiles_x % tiles_y * TILE_Y;
  const int z_begin = blockIdx.x / tiles_x / tiles_y * PLANES;
  const int z_end = min(z_begin + PLANES, depth);

  const int tx = threadIdx.x;
  const int row = threadIdx.y * ROWS;  // the thread's first in the tile
  const int x = tile_x + tx;
  const int y = tile_y + row;
  const size_t plane_size = static_cast<size_t>(width) * height;
  const size_t first = static_cast<size_t>(y) * width + x;
  const int rows = x < width ? min(height - y, ROWS) : 0;  // of this thread that exist

  // Loads the thread's elements of plane z. Elements that do not exist are 0 and have no effect.
  const auto load = [&](int z, float(&values)[ROWS]) {
    const float* const from = input + z * plane_size + first;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      values[r] = r < rows && 0 <= z && z < depth ? from[r * width] : 0.0f;
    }
  };

  // The thread's element of the frame: the rows above and below the tile, then the columns beside it.
  const int f = threadIdx.y * TILE_X + tx;
  int frame_row = 0, frame_column = 0;  // in planes[]
  if (f < 2 * TILE_X) {
    frame_row = f < TILE_X ? 0 : TILE_Y + 1;
    frame_column = f % TILE_X + 1;
  } else if (f < FRAME) {
    frame_row = (f - 2 * TILE_X) % TILE_Y + 1;
    frame_column = f - 2 * TILE_X < TILE_Y ? 0 : TILE_X + 1;
  }
  const int frame_x = tile_x + frame_column - 1;
  const int frame_y = tile_y + frame_row - 1;
  const bool frame_exists = f < FRAME && 0 <= frame_x && frame_x < width && 0 <= frame_y && frame_y < height;
  const size_t frame_first = static_cast<size_t>(frame_y) * width + frame_x;
  const auto load_frame = [&](int z) {
    return frame_exists && z < depth ? input[z * plane_size + frame_first] : 0.0f;
  };

  float below[ROWS], here[ROWS], above[ROWS], next[ROWS] = {};
  load(z_begin - 1, below);
  load(z_begin, here);
  load(z_begin + 1, above);
  float frame = load_frame(z_begin);

  for (int z = z_begin; z < z_end; ++z) {
    float(&plane)[TILE_Y + 2][TILE_X + 2] = planes[z % 2];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) plane[row + r + 1][tx + 1] = here[r];
    if (f < FRAME) plane[frame_row][frame_column] = frame;

    // The next round needs these. They load while this round computes.
    if (z + 1 < z_end) {
      load(z + 2, next);
      frame = load_frame(z + 1);
    }
    __syncthreads();

    const bool column_inner = 0 < x && x < width - 1 && 0 < z && z < depth - 1;
    float* const to = output + z * plane_size + first;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      const float up = r > 0 ? here[r - 1] : plane[row][tx + 1];
      const float down = r < ROWS - 1 ? here[r + 1] : plane[row + ROWS + 1][tx + 1];
      const float left = plane[row + r + 1][tx];
      const float right = plane[row + r + 1][tx + 2];
      const float sum = below[r] + above[r] + up + down + left + right;
      const bool inner = column_inner && 0 < y + r && y + r < height - 1;
      if (r < rows) to[r * width] = inner ? kCentre * here[r] + kNeighbour * sum : here[r];
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      below[r] = here[r];
      here[r] = above[r];
      above[r] = next[r];
    }
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const int tiles_x = (width + TILE_X - 1) / TILE_X;
  const int tiles_y = (height + TILE_Y - 1) / TILE_Y;
  const int blocks = tiles_x * tiles_y * ((depth + PLANES - 1) / PLANES);
  if (blocks > 0) stencil_kernel<<<blocks, dim3(TILE_X, THREADS_Y)>>>(input, output, width, height, depth);
}
