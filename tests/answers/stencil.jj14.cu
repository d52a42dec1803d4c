// SPDX-License-Identifier: Apache-2.0
// mistake: The launch asks for (TILE_X + 2) * (TILE_Y + 2) = 340 bytes of shared memory, but the tile has that many
//   floats, 1360 bytes. From the third row on, the kernel uses shared memory out of bounds. It shows for every size:
//   even the smallest block fills rows 1 to 8 of its tile.
// want: In which unit is the third argument in <<<>>>? How many bytes does your tile have?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PITCH (TILE_X + 2)
#define PLANES 64

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  extern __shared__ float tile[];
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int t = (threadIdx.y + 1) * PITCH + threadIdx.x + 1;  // my place in the tile
  const int row = width, plane = width * height;
  const bool inside = x < width && y < height;

  const int z_begin = blockIdx.z * PLANES;
  const int z_end = z_begin + PLANES < depth ? z_begin + PLANES : depth;
  int i = z_begin * plane + y * row + x;
  float last = 0, now = 0, next = 0;
  if (inside) {
    now = input[i];
    if (z_begin > 0) last = input[i - plane];
  }

  for (int z = z_begin; z < z_end; ++z, i += plane) {
    tile[t] = now;
    if (inside) {
      if (z + 1 < depth) next = input[i + plane];
      if (threadIdx.x == 0 && x > 0) tile[t - 1] = input[i - 1];
      if (threadIdx.x == TILE_X - 1 && x + 1 < width) tile[t + 1] = input[i + 1];
      if (threadIdx.y == 0 && y > 0) tile[t - PITCH] = input[i - row];
      if (threadIdx.y == TILE_Y - 1 && y + 1 < height) tile[t + PITCH] = input[i + row];
    }
    __syncthreads();

    if (inside) {
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        output[i] = now;
      } else {
        output[i] = kCentre * now +
                    kNeighbour * (tile[t - 1] + tile[t + 1] + tile[t - PITCH] + tile[t + PITCH] + last + next);
      }
    }
    __syncthreads();
    last = now;
    now = next;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 block(TILE_X, TILE_Y);
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  const int shared_size = (TILE_X + 2) * (TILE_Y + 2);
  stencil_kernel<<<grid, block, shared_size>>>(input, output, width, height, depth);
}
