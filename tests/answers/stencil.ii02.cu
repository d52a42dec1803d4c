// SPDX-License-Identifier: Apache-2.0
// mistake: Threads outside the input return at the start. But all 256 threads of the block fill the tile together, by
//   their number and not by their own point, so the elements of the threads that returned are never loaded, and
//   the points there and next to them are wrong, on faces as well. Shows if width is no multiple of 32 or height none
//   of 8, from 1 x 1 x 1 on. A barrier after a return of some threads is not allowed either.
// want: Take width 40: which threads of the second block in x return? Which elements of the tile would they have
//   loaded, and does a remaining thread need one of them?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define FRAME_X (TILE_X + 2)
#define FRAME_Y (TILE_Y + 2)

// Three planes in shared memory, used in turn. 256 threads load 34 x 10 elements.
__device__ void load_plane(float* tile, const float* input, int z, int width, int height, int depth) {
  const int thread = threadIdx.y * TILE_X + threadIdx.x;
  for (int e = thread; e < FRAME_X * FRAME_Y; e += TILE_X * TILE_Y) {
    const int x = (int)blockIdx.x * TILE_X + e % FRAME_X - 1;
    const int y = (int)blockIdx.y * TILE_Y + e / FRAME_X - 1;
    if (x >= 0 && x < width && y >= 0 && y < height && z < depth) {
      tile[e] = input[(z * height + y) * width + x];
    }
  }
}

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tiles[3][FRAME_X * FRAME_Y];

  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  if (x >= width || y >= height) {
    return;
  }
  const int c = (threadIdx.y + 1) * FRAME_X + threadIdx.x + 1;

  load_plane(tiles[0], input, 0, width, height, depth);
  for (int z = 0; z < depth; z++) {
    load_plane(tiles[(z + 1) % 3], input, z + 1, width, height, depth);
    __syncthreads();

    const float* t = tiles[z % 3];
    const int i = (z * height + y) * width + x;
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
      output[i] = t[c];
    } else {
      const float sum = t[c - 1] + t[c + 1] + t[c - FRAME_X] + t[c + FRAME_X] + tiles[(z + 2) % 3][c] +
                        tiles[(z + 1) % 3][c];
      output[i] = kCentre * t[c] + kNeighbour * sum;
    }
    __syncthreads();
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  dim3 threads(TILE_X, TILE_Y);
  dim3 blocks((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y);
  stencil_kernel<<<blocks, threads>>>(input, output, width, height, depth);
}
