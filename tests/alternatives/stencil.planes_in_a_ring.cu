// SPDX-License-Identifier: Apache-2.0
// differs: five planes of the tile take turns in shared memory, filled by asynchronous copies; a point reads all seven
// elements from there. One barrier a plane. Template parameters.

#include <cuda_pipeline.h>

#include "stencil.h"

template <int kX, int kY, int kPlanes>
__global__ void ring(const float* input, float* output, int width, int height, int depth) {
  __shared__ float planes[5][kY + 2][kX + 2];
  const int x0 = blockIdx.x * kX - 1, y0 = blockIdx.y * kY - 1;
  const int begin = blockIdx.z * kPlanes, end = min(begin + kPlanes, depth);
  const int thread = threadIdx.y * kX + threadIdx.x;
  const auto fetch = [&](int z) {
    for (int i = thread; i < (kX + 2) * (kY + 2); i += kX * kY) {
      const int x = x0 + i % (kX + 2), y = y0 + i / (kX + 2);
      if (x >= 0 && x < width && y >= 0 && y < height && z >= 0 && z < depth)
        __pipeline_memcpy_async(&planes[(z + 5) % 5][i / (kX + 2)][i % (kX + 2)], &input[(z * height + y) * width + x], 4);
    }
    __pipeline_commit();
  };
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = x0 + tx, y = y0 + ty;
  if (begin > 0) fetch(begin - 1);
  fetch(begin);
  fetch(begin + 1);
  for (int z = begin; z < end; ++z) {
    if (z + 1 < end) fetch(z + 2);
    __pipeline_wait_prior(z + 1 < end ? 1 : 0);
    __syncthreads();
    if (x >= width || y >= height) continue;
    const auto& p = planes[z % 5];
    float value = p[ty][tx];
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1) {
      const float sum = p[ty][tx - 1] + p[ty][tx + 1] + p[ty - 1][tx] + p[ty + 1][tx];
      value = value * kCentre + (sum + planes[(z + 4) % 5][ty][tx] + planes[(z + 1) % 5][ty][tx]) * kNeighbour;
    }
    output[(z * height + y) * width + x] = value;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  ring<32, 16, 24><<<dim3((width + 31) / 32, (height + 15) / 16, (depth + 23) / 24), dim3(32, 16)>>>(input, output, width,
                                                                                                   height, depth);
}
