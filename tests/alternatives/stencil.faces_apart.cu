// SPDX-License-Identifier: Apache-2.0
// differs: clumsy. One kernel copies the points on faces, another computes those inside, with a tile that is loaded
// element by element in a loop and blocks of 16 x 16 threads whose tiles begin at point (1, 1). The tile's centre is
// loaded again as the plane after. Grids of one dimension.

#include "stencil.h"

#define T 16
#define WALK 24

__global__ void copy_faces(const float* input, float* output, int width, int height, int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height * depth) return;
  const int x = i % width, y = i / width % height, z = i / width / height;
  const bool face = x == 0 || y == 0 || z == 0 || x == width - 1 || y == height - 1 || z == depth - 1;
  if (face) output[i] = input[i];
}

__global__ void inside(const float* input, float* output, int width, int height, int depth, int tiles_x, int tiles_y) {
  __shared__ float tile[T + 2][T + 2];
  const int x0 = blockIdx.x % tiles_x * T, y0 = blockIdx.x / tiles_x % tiles_y * T;
  const int z0 = 1 + blockIdx.x / tiles_x / tiles_y * WALK;
  const int t = threadIdx.x, tx = t % T + 1, ty = t / T + 1, x = x0 + tx, y = y0 + ty;
  const bool mine = x < width - 1 && y < height - 1;
  const int plane = width * height, here = y * width + x;
  float before = mine ? input[(z0 - 1) * plane + here] : 0, centre = mine ? input[z0 * plane + here] : 0;
  for (int z = z0; z < z0 + WALK && z < depth - 1; z++) {
    tile[ty][tx] = centre;
    for (int f = t; f < 4 * T; f += T * T) {
      const int side = f / T, k = f % T + 1;
      const int fx = side == 0 ? 0 : side == 1 ? T + 1 : k, fy = side == 2 ? 0 : side == 3 ? T + 1 : k;
      if (x0 + fx < width && y0 + fy < height) tile[fy][fx] = input[z * plane + (y0 + fy) * width + x0 + fx];
    }
    __syncthreads();
    float after = 0;
    if (mine) {
      after = input[(z + 1) * plane + here];
      // The row or column that ends the grid is in the frame, or nobody has stored it.
      const float right = x == width - 2 && tx < T ? input[z * plane + here + 1] : tile[ty][tx + 1];
      const float below = y == height - 2 && ty < T ? input[z * plane + here + width] : tile[ty + 1][tx];
      float sum = before + after + right + below;
      sum += tile[ty][tx - 1];
      sum += tile[ty - 1][tx];
      output[z * plane + here] = kNeighbour * sum + kCentre * centre;
    }
    __syncthreads();
    before = centre;
    centre = after;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const int points = width * height * depth;
  copy_faces<<<(points + 255) / 256, 256>>>(input, output, width, height, depth);
  if (width < 3 || height < 3 || depth < 3) return;
  const int tiles_x = (width - 2 + T - 1) / T, tiles_y = (height - 2 + T - 1) / T;
  const int groups = (depth - 2 + WALK - 1) / WALK;
  inside<<<tiles_x * tiles_y * groups, T * T>>>(input, output, width, height, depth, tiles_x, tiles_y);
}
