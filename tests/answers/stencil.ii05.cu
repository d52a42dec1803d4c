// SPDX-License-Identifier: Apache-2.0
// mistake: The values are right, but a block walks through only 4 planes. Each group loads two planes more than it
//   computes, the one before and the one after: 6 / 4 = 1.5 floats per point even without the frame, which adds
//   about 0.25. That is about 7 bytes per point, where 6 are allowed. Shows for every large input.
// want: How many planes does a block load, and how many does it compute? What share of its loads is that with 4
//   planes, and with 16?

#include "stencil.h"

constexpr int kTileX = 32;
constexpr int kTileY = 8;
constexpr int kPlanes = 4;  // small groups: more blocks, the GPU is busy

__global__ void stencil_kernel(const float* in, float* out, int width, int height, int depth) {
  // two tiles in turn: then one barrier per plane is enough
  __shared__ float tiles[2][kTileY + 2][kTileX + 2];

  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  const int x = blockIdx.x * kTileX + threadIdx.x;
  const int y = blockIdx.y * kTileY + threadIdx.y;
  const bool inside = x < width && y < height;
  const int plane = width * height;
  const int z0 = blockIdx.z * kPlanes;

  float prev = 0, cur = 0, next = 0;
  int idx = z0 * plane + y * width + x;
  if (inside) {
    prev = z0 > 0 ? in[idx - plane] : 0;
    cur = in[idx];
  }

#pragma unroll
  for (int p = 0; p < kPlanes; ++p) {
    const int z = z0 + p;
    if (z >= depth) break;  // the same for all threads of the block
    auto& tile = tiles[p & 1];

    if (inside) {
      next = z < depth - 1 ? in[idx + plane] : 0;
      tile[ly][lx] = cur;
      if (lx == 1 && x > 0) tile[ly][0] = in[idx - 1];
      if (lx == kTileX && x < width - 1) tile[ly][kTileX + 1] = in[idx + 1];
      if (ly == 1 && y > 0) tile[0][lx] = in[idx - width];
      if (ly == kTileY && y < height - 1) tile[kTileY + 1][lx] = in[idx + width];
    }
    __syncthreads();

    if (inside) {
      const bool face = x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1;
      const float sum =
          face ? 0 : tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx] + prev + next;
      out[idx] = face ? cur : kCentre * cur + kNeighbour * sum;
    }
    prev = cur;
    cur = next;
    idx += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 block(kTileX, kTileY);
  const dim3 grid((width + kTileX - 1) / kTileX, (height + kTileY - 1) / kTileY, (depth + kPlanes - 1) / kPlanes);
  stencil_kernel<<<grid, block>>>(input, output, width, height, depth);
}
