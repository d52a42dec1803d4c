// SPDX-License-Identifier: Apache-2.0
// mistake: The walk along z keeps three planes in registers, but the four neighbours in x and y are loaded from global
//   memory each time: almost 5 floats, 18 to 20 bytes per point, and 6 are allowed. Caches do not change what threads load.
//   Values are right; every large input shows it.
// want: How many floats does a thread load for each point now? Four of them were loaded by other threads of your block
//   as well: where could those leave them for you?

#include "stencil.h"

constexpr int kTileX = 32;
constexpr int kTileY = 8;
constexpr int kPlanes = 64;

__global__ void stencil_kernel(const float* __restrict__ input, float* __restrict__ output, int width, int height,
                               int depth) {
  const int x = blockIdx.x * kTileX + threadIdx.x;
  const int y = blockIdx.y * kTileY + threadIdx.y;
  if (x >= width || y >= height) {
    return;  // allowed here: there is no barrier below
  }
  const int plane = width * height;
  const bool edge = x == 0 || x == width - 1 || y == 0 || y == height - 1;
  const int first = blockIdx.z * kPlanes;
  const int last = min(first + kPlanes, depth);

  int i = first * plane + y * width + x;
  float below = first > 0 ? input[i - plane] : 0.0f;
  float centre = input[i];
  for (int z = first; z < last; ++z, i += plane) {
    const float above = z + 1 < depth ? input[i + plane] : 0.0f;
    if (edge || z == 0 || z == depth - 1) {
      output[i] = centre;
    } else {
      // __restrict__ lets these go through the read-only cache. The whole tile fits in there, so a copy in
      // shared memory would only be a second cache.
      const float left = __ldg(&input[i - 1]);
      const float right = __ldg(&input[i + 1]);
      const float up = __ldg(&input[i - width]);
      const float down = __ldg(&input[i + width]);
      output[i] = kCentre * centre + kNeighbour * (left + right + up + down + below + above);
    }
    below = centre;
    centre = above;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 block(kTileX, kTileY);
  const dim3 grid((width + kTileX - 1) / kTileX, (height + kTileY - 1) / kTileY, (depth + kPlanes - 1) / kPlanes);
  stencil_kernel<<<grid, block>>>(input, output, width, height, depth);
}
