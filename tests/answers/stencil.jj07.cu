// SPDX-License-Identifier: Apache-2.0
// mistake: Threads of points on a face go on with `continue`, past the second barrier of the loop. From then on their
//   next barrier is paired with the other threads' second one: some threads of the block pass one barrier per plane,
//   others two. Undefined: a hang, or a race on the tile, in every block that has both kinds of threads.
// want: How many barriers does the thread with x = 0 pass in one step, and how many the thread beside it?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define DEPTH_PER_BLOCK 32

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int row = width, plane = width * height;
  const bool inside = x < width && y < height;

  int z = blockIdx.z * DEPTH_PER_BLOCK;
  const int z_stop = min(z + DEPTH_PER_BLOCK, depth);
  int i = z * plane + y * row + x;

  float behind = 0.0f, here = 0.0f, ahead = 0.0f;
  if (inside) {
    here = input[i];
    if (z > 0) behind = input[i - plane];
  }

  for (; z < z_stop; ++z, i += plane, behind = here, here = ahead) {
    if (inside) {
      if (z < depth - 1) ahead = input[i + plane];
      tile[ty][tx] = here;
      if (tx == 1 && x > 0) tile[ty][0] = input[i - 1];
      if (tx == TILE_X && x < width - 1) tile[ty][TILE_X + 1] = input[i + 1];
      if (ty == 1 && y > 0) tile[0][tx] = input[i - row];
      if (ty == TILE_Y && y < height - 1) tile[TILE_Y + 1][tx] = input[i + row];
    }
    __syncthreads();

    // Nothing to do outside.
    if (!inside) continue;
    // A face keeps its input.
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
      output[i] = here;
      continue;
    }

    const float sum = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + behind + ahead;
    output[i] = kCentre * here + kNeighbour * sum;
    // The tile is filled again in the next step.
    __syncthreads();
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y,
                  (depth + DEPTH_PER_BLOCK - 1) / DEPTH_PER_BLOCK);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
