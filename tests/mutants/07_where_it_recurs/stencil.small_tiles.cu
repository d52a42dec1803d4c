// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a cube of 8 points a side, with a point for each thread.
#include "stencil.h"

#define SIDE 8

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float cube[SIDE + 2][SIDE + 2][SIDE + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, tz = threadIdx.z + 1;
  const int x = blockIdx.x * SIDE + threadIdx.x;
  const int y = blockIdx.y * SIDE + threadIdx.y;
  const int z = blockIdx.z * SIDE + threadIdx.z;
  const int row = width, plane = width * height;
  const int i = z * plane + y * row + x;
  const bool exists = x < width && y < height && z < depth;

  if (exists) {
    cube[tz][ty][tx] = input[i];
    if (tx == 1 && x > 0) cube[tz][ty][0] = input[i - 1];
    if (tx == SIDE && x < width - 1) cube[tz][ty][SIDE + 1] = input[i + 1];
    if (ty == 1 && y > 0) cube[tz][0][tx] = input[i - row];
    if (ty == SIDE && y < height - 1) cube[tz][SIDE + 1][tx] = input[i + row];
    if (tz == 1 && z > 0) cube[0][ty][tx] = input[i - plane];
    if (tz == SIDE && z < depth - 1) cube[SIDE + 1][ty][tx] = input[i + plane];
  }
  __syncthreads();

  if (!exists) return;
  if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
    output[i] = cube[tz][ty][tx];
  } else {
    output[i] = kCentre * cube[tz][ty][tx] +
                kNeighbour * (cube[tz][ty][tx - 1] + cube[tz][ty][tx + 1] + cube[tz][ty - 1][tx] +
                              cube[tz][ty + 1][tx] + cube[tz - 1][ty][tx] + cube[tz + 1][ty][tx]);
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE, (depth + SIDE - 1) / SIDE);
  stencil_kernel<<<grid, dim3(SIDE, SIDE, SIDE)>>>(input, output, width, height, depth);
}
