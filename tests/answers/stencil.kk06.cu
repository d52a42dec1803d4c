// SPDX-License-Identifier: Apache-2.0
// mistake: threadIdx.x runs along y, as the first index of a C array does. The 32 lanes of a warp load from 32 rows:
//   32 sectors for 32 points, 4 per 4 points from the centres alone, where 3 are allowed. Values are right.
// want: Which elements do lanes 0, 1 and 2 of a warp load, and how far apart are they in memory? Which of x, y and z
//   has neighbours next to each other?

#include "stencil.h"

#define ROWS 32
#define COLS 8
#define STEPS 32

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[ROWS + 2][COLS + 2];
  // tile[row][col]: first index = threadIdx.x, second index = threadIdx.y
  const int r = threadIdx.x + 1;
  const int c = threadIdx.y + 1;
  const int y = blockIdx.x * ROWS + threadIdx.x;
  const int x = blockIdx.y * COLS + threadIdx.y;
  const bool active = y < height && x < width;
  const int plane = width * height;

  int z = blockIdx.z * STEPS;
  const int stop = min(z + STEPS, depth);
  int i = (z * height + y) * width + x;
  float prev = 0, cur = 0, next = 0;
  if (active) {
    if (z > 0) prev = input[i - plane];
    cur = input[i];
  }
  while (z < stop) {
    if (active && z + 1 < depth) next = input[i + plane];
    tile[r][c] = cur;
    if (active) {
      if (r == 1 && y > 0) tile[0][c] = input[i - width];
      if (r == ROWS && y + 1 < height) tile[ROWS + 1][c] = input[i + width];
      if (c == 1 && x > 0) tile[r][0] = input[i - 1];
      if (c == COLS && x + 1 < width) tile[r][COLS + 1] = input[i + 1];
    }
    __syncthreads();
    if (active) {
      if (y == 0 || y == height - 1 || x == 0 || x == width - 1 || z == 0 || z == depth - 1) {
        output[i] = cur;
      } else {
        float sum = prev + next;
        sum += tile[r - 1][c] + tile[r + 1][c];
        sum += tile[r][c - 1] + tile[r][c + 1];
        output[i] = kCentre * cur + kNeighbour * sum;
      }
    }
    __syncthreads();
    prev = cur;
    cur = next;
    i += plane;
    ++z;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 block(ROWS, COLS);
  const dim3 grid((height + ROWS - 1) / ROWS, (width + COLS - 1) / COLS, (depth + STEPS - 1) / STEPS);
  stencil_kernel<<<grid, block>>>(input, output, width, height, depth);
}
