// SPDX-License-Identifier: Apache-2.0
// mistake: A block of 32 x 16 threads loads a tile with its frame and computes only the 30 x 14 points inside, but the
//   grid is computed as if it were 32 x 16. So there may be too few blocks: the last points in x or y are never
//   written. Shows for example for width 31, 32, 61 to 64 and 91 to 96, height 15, 16 and 29 to 32, and always from
//   width 481 or height 113 on. In between there are sizes for which the blocks just suffice.
// want: How many points along x does one block write? How many blocks do you launch for width 64, and how many points
//   do these write?

#include "stencil.h"

#define BLOCK_X 32
#define BLOCK_Y 16
#define OUT_X (BLOCK_X - 2)
#define OUT_Y (BLOCK_Y - 2)

// Every thread loads one element of a plane. The threads at the border of the block are only there to load the frame.
__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[BLOCK_Y][BLOCK_X];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = (int)blockIdx.x * OUT_X + tx - 1;
  const int y = (int)blockIdx.y * OUT_Y + ty - 1;
  const bool loads = x >= 0 && x < width && y >= 0 && y < height;
  const bool writes = loads && tx > 0 && tx < BLOCK_X - 1 && ty > 0 && ty < BLOCK_Y - 1;
  const bool inner = x > 0 && x < width - 1 && y > 0 && y < height - 1;

  float previous = 0.0f;
  float current = loads ? input[y * width + x] : 0.0f;
  for (int z = 0; z < depth; z++) {
    const int i = (z * height + y) * width + x;
    float next = 0.0f;
    if (loads && z + 1 < depth) {
      next = input[i + width * height];
    }
    tile[ty][tx] = current;
    __syncthreads();
    if (writes) {
      if (inner && z > 0 && z < depth - 1) {
        output[i] = kCentre * current + kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                                      tile[ty + 1][tx] + previous + next);
      } else {
        output[i] = current;
      }
    }
    __syncthreads();
    previous = current;
    current = next;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 block(BLOCK_X, BLOCK_Y);
  const dim3 grid((width + BLOCK_X - 1) / BLOCK_X, (height + BLOCK_Y - 1) / BLOCK_Y);
  stencil_kernel<<<grid, block>>>(input, output, width, height, depth);
}
