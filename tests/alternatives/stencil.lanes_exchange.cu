// SPDX-License-Identifier: Apache-2.0
// differs: no shared memory. A warp has 32 neighbouring x, and its lanes exchange neighbours by shuffles; a thread
// has 8 rows in registers, and walks along z.

#include "stencil.h"

constexpr int kRows = 8, kPlanes = 64;

__global__ void warps(const float* input, float* output, int width, int height, int depth) {
  const int lane = threadIdx.x;
  const int x = blockIdx.x * 32 + lane;
  const int y0 = (blockIdx.y * blockDim.y + threadIdx.y) * kRows;
  const int z0 = blockIdx.z * kPlanes, z1 = min(depth, z0 + kPlanes);
  const auto at = [&](int px, int py, int pz) {
    const bool exists = px >= 0 && px < width && py >= 0 && py < height && pz >= 0 && pz < depth;
    return exists ? input[(static_cast<size_t>(pz) * height + py) * width + px] : 0.0f;
  };
  float front[kRows], here[kRows], behind[kRows];
  for (int r = 0; r < kRows; ++r) {
    front[r] = at(x, y0 + r, z0 - 1);
    here[r] = at(x, y0 + r, z0);
  }
  for (int z = z0; z < z1; ++z) {
    const float top = at(x, y0 - 1, z), bottom = at(x, y0 + kRows, z);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int y = y0 + r;
      behind[r] = at(x, y, z + 1);
      float left = __shfl_up_sync(0xffffffff, here[r], 1), right = __shfl_down_sync(0xffffffff, here[r], 1);
      if (lane == 0) left = at(x - 1, y, z);
      if (lane == 31) right = at(x + 1, y, z);
      if (x >= width || y >= height) continue;
      const float above = r > 0 ? here[r - 1] : top, below = r < kRows - 1 ? here[r + 1] : bottom;
      const bool inner = x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1;
      const float sum = left + right + above + below + front[r] + behind[r];
      output[(static_cast<size_t>(z) * height + y) * width + x] =
          inner ? fmaf(kNeighbour, sum, kCentre * here[r]) : here[r];
    }
    for (int r = 0; r < kRows; ++r) {
      front[r] = here[r];
      here[r] = behind[r];
    }
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  warps<<<dim3((width + 31) / 32, (height + 4 * kRows - 1) / (4 * kRows), (depth + kPlanes - 1) / kPlanes),
          dim3(32, 4)>>>(input, output, width, height, depth);
}
