// SPDX-License-Identifier: Apache-2.0
// mistake: threadIdx.x runs along y, as rows come first in C. The 32 lanes of a warp load elements that are a whole row
//   apart: 32 sectors for 32 points, about 40 with the frame, where 24 are allowed (3 per 4 points). The bytes that
//   threads load are fine and the values are right; every large input shows it.
// want: Which elements do lanes 0 and 1 of a warp load, and how far apart are they? Which of x and y lies next to each
//   other in memory?

#include "stencil.h"

const int ROWS = 32, COLS = 8, STEPS = 32;

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[ROWS + 2][COLS + 2];

  // tile[row][column], like a matrix in C: first index first
  const int r = threadIdx.x + 1;
  const int c = threadIdx.y + 1;
  const int y = blockIdx.x * ROWS + threadIdx.x;
  const int x = blockIdx.y * COLS + threadIdx.y;
  const bool inside = y < height && x < width;
  const int plane = height * width;

  const int zBegin = blockIdx.z * STEPS;
  const int zEnd = min(depth, zBegin + STEPS);
  int i = (zBegin * height + y) * width + x;

  float before = 0, current = 0, after = 0;
  if (inside) {
    current = input[i];
    if (zBegin > 0) {
      before = input[i - plane];
    }
  }
  for (int z = zBegin; z < zEnd; ++z) {
    if (inside) {
      tile[r][c] = current;
      if (r == 1 && y > 0) tile[0][c] = input[i - width];
      if (r == ROWS && y < height - 1) tile[ROWS + 1][c] = input[i + width];
      if (c == 1 && x > 0) tile[r][0] = input[i - 1];
      if (c == COLS && x < width - 1) tile[r][COLS + 1] = input[i + 1];
      if (z < depth - 1) after = input[i + plane];
    }
    __syncthreads();
    if (inside) {
      const bool face = x == 0 || y == 0 || z == 0 || x == width - 1 || y == height - 1 || z == depth - 1;
      output[i] = face ? current
                       : kCentre * current + kNeighbour * (before + after + tile[r - 1][c] + tile[r + 1][c] +
                                                           tile[r][c - 1] + tile[r][c + 1]);
    }
    __syncthreads();
    before = current;
    current = after;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 threads(ROWS, COLS);
  const dim3 blocks((height + ROWS - 1) / ROWS, (width + COLS - 1) / COLS, (depth + STEPS - 1) / STEPS);
  stencil_kernel<<<blocks, threads>>>(input, output, width, height, depth);
}
