// SPDX-License-Identifier: Apache-2.0
// mistake: The values are right, but threadIdx.x runs along y and threadIdx.y along x. The 32 lanes of a warp load from
//   32 different rows: 32 sectors for 32 points, which is 4 sectors per 4 points, and more with the frame, where 3 are
//   allowed. Shows for every large input. (The stores are just as scattered.)
// want: Which elements do lanes 0 and 1 of a warp load at the same time, and how far apart are they? Which coordinate
//   changes fastest in memory?

#include "stencil.h"

#define TILE 32  // rows
#define COLS 16
#define DEPTH_PER_BLOCK 32

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float plane_tile[TILE + 2][COLS + 2];

  // like a matrix: first index row, second index column
  const int row = threadIdx.x + 1;
  const int col = threadIdx.y + 1;
  const int y = blockIdx.x * TILE + threadIdx.x;
  const int x = blockIdx.y * COLS + threadIdx.y;
  const bool valid = y < height && x < width;

  const int z0 = blockIdx.z * DEPTH_PER_BLOCK;
  const int z1 = min(z0 + DEPTH_PER_BLOCK, depth);
  const int plane = width * height;
  int i = z0 * plane + y * width + x;

  float behind = 0.0f, centre = 0.0f, front = 0.0f;
  if (valid) {
    if (z0 > 0) behind = input[i - plane];
    centre = input[i];
  }

  for (int z = z0; z < z1; z++) {
    if (valid) {
      if (z < depth - 1) front = input[i + plane];
      plane_tile[row][col] = centre;
      if (row == 1 && y > 0) plane_tile[0][col] = input[i - width];
      if (row == TILE && y < height - 1) plane_tile[TILE + 1][col] = input[i + width];
      if (col == 1 && x > 0) plane_tile[row][0] = input[i - 1];
      if (col == COLS && x < width - 1) plane_tile[row][COLS + 1] = input[i + 1];
    }
    __syncthreads();

    if (valid) {
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        output[i] = centre;
      } else {
        output[i] = kCentre * centre + kNeighbour * (plane_tile[row - 1][col] + plane_tile[row + 1][col] +
                                                     plane_tile[row][col - 1] + plane_tile[row][col + 1] +
                                                     behind + front);
      }
    }
    __syncthreads();
    behind = centre;
    centre = front;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 threads(TILE, COLS);
  const dim3 blocks((height + TILE - 1) / TILE, (width + COLS - 1) / COLS,
                    (depth + DEPTH_PER_BLOCK - 1) / DEPTH_PER_BLOCK);
  stencil_kernel<<<blocks, threads>>>(input, output, width, height, depth);
}
