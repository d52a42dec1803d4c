// SPDX-License-Identifier: Apache-2.0
// mistake: (cost) threadIdx.x runs along y and threadIdx.y along x. So the 32 threads of a warp load elements a whole
//   row apart: 32 sectors per 32 points in each plane, more than 4 per 4 points with the frame, where 3 per 4 points
//   are allowed. The values are right. Shows for every large input.
// want: Which index is the one that changes from thread to neighbouring thread in a warp? How far apart are two points
//   in memory whose y differs by 1?

#include "stencil.h"

#define NX 8
#define NY 32
#define NZ 32

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[NX + 2][NY + 2];  // tile[x][y], as in the formula

  // threads are 32 x 8, the tile is 8 x 32
  const int dx = threadIdx.y, dy = threadIdx.x;
  const int x = blockIdx.x * NX + dx;
  const int y = blockIdx.y * NY + dy;
  const bool ok = x < width && y < height;
  const int plane = width * height;

  const int z_from = blockIdx.z * NZ;
  const int z_to = min(z_from + NZ, depth);

  int i = z_from * plane + y * width + x;
  float prev = 0, cur = 0, next = 0;
  if (ok) {
    cur = input[i];
    if (z_from > 0) {
      prev = input[i - plane];
    }
  }

  for (int z = z_from; z < z_to; z++) {
    if (ok) {
      if (z < depth - 1) {
        next = input[i + plane];
      }
      tile[dx + 1][dy + 1] = cur;
      if (dx == 0 && x > 0) {
        tile[0][dy + 1] = input[i - 1];
      }
      if (dx == NX - 1 && x < width - 1) {
        tile[NX + 1][dy + 1] = input[i + 1];
      }
      if (dy == 0 && y > 0) {
        tile[dx + 1][0] = input[i - width];
      }
      if (dy == NY - 1 && y < height - 1) {
        tile[dx + 1][NY + 1] = input[i + width];
      }
    }
    __syncthreads();

    if (ok) {
      if (x == 0 || y == 0 || z == 0 || x == width - 1 || y == height - 1 || z == depth - 1) {
        output[i] = cur;
      } else {
        output[i] = kCentre * cur + kNeighbour * (prev + next + tile[dx][dy + 1] + tile[dx + 2][dy + 1] +
                                                  tile[dx + 1][dy] + tile[dx + 1][dy + 2]);
      }
    }
    __syncthreads();
    prev = cur;
    cur = next;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  dim3 threads(32, 8);
  dim3 blocks((width + NX - 1) / NX, (height + NY - 1) / NY, (depth + NZ - 1) / NZ);
  stencil_kernel<<<blocks, threads>>>(input, output, width, height, depth);
}
