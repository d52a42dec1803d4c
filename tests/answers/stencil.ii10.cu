// SPDX-License-Identifier: Apache-2.0
// mistake: The values are right. But a cube of 8 x 8 x 8 points has a frame on six sides, 6 x 64 elements for 512
//   points: 1.75 floats or 7 bytes per point inside a large input (about 6.6 for 64 x 64 x 64), where 6 are allowed.
//   The block does not walk, so the planes before and after are loaded once more by the blocks next to it. Shows for
//   every large input.
// want: How many elements does a block load for its 512 points? How does that number change if the cube grows along z,
//   and what would have to stay in memory at the same time?

#include "stencil.h"

#define B 8

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  // cube with frame
  __shared__ float cube[B + 2][B + 2][B + 2];

  const int x = blockIdx.x * B + threadIdx.x;
  const int y = blockIdx.y * B + threadIdx.y;
  const int z = blockIdx.z * B + threadIdx.z;
  const int cx = threadIdx.x + 1, cy = threadIdx.y + 1, cz = threadIdx.z + 1;
  const int row = width, plane = width * height;
  const int i = z * plane + y * row + x;
  const bool in = x < width && y < height && z < depth;

  if (in) {
    cube[cz][cy][cx] = input[i];
    // six sides
    if (cx == 1 && x > 0) cube[cz][cy][0] = input[i - 1];
    if (cx == B && x < width - 1) cube[cz][cy][B + 1] = input[i + 1];
    if (cy == 1 && y > 0) cube[cz][0][cx] = input[i - row];
    if (cy == B && y < height - 1) cube[cz][B + 1][cx] = input[i + row];
    if (cz == 1 && z > 0) cube[0][cy][cx] = input[i - plane];
    if (cz == B && z < depth - 1) cube[B + 1][cy][cx] = input[i + plane];
  }
  __syncthreads();

  if (in) {
    const float centre = cube[cz][cy][cx];
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
      output[i] = centre;
    } else {
      output[i] = kCentre * centre +
                  kNeighbour * (cube[cz][cy][cx - 1] + cube[cz][cy][cx + 1] + cube[cz][cy - 1][cx] +
                                cube[cz][cy + 1][cx] + cube[cz - 1][cy][cx] + cube[cz + 1][cy][cx]);
    }
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + B - 1) / B, (height + B - 1) / B, (depth + B - 1) / B);
  stencil_kernel<<<grid, dim3(B, B, B)>>>(input, output, width, height, depth);
}
