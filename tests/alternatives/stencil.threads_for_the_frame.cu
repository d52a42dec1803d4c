// SPDX-License-Identifier: Apache-2.0
// differs: a block has a thread for each element of tile and frame; those of the frame only load. Tiles overlap.
// A block walks through all planes.

#include "stencil.h"

constexpr int kSide = 18, kStep = kSide - 2;

__global__ void framed(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[kSide][kSide];
  const int x = static_cast<int>(blockIdx.x) * kStep + static_cast<int>(threadIdx.x) - 1;
  const int y = static_cast<int>(blockIdx.y) * kStep + static_cast<int>(threadIdx.y) - 1;
  const bool loads = x >= 0 && x < width && y >= 0 && y < height;
  const bool stores = loads && threadIdx.x > 0 && threadIdx.x <= kStep && threadIdx.y > 0 && threadIdx.y <= kStep;
  const bool border = x == 0 || x == width - 1 || y == 0 || y == height - 1;
  const long plane = static_cast<long>(width) * height;
  const float* const from = input + static_cast<long>(y) * width + x;
  float* const to = output + static_cast<long>(y) * width + x;

  float front = 0, here = loads ? from[0] : 0, behind = 0;
  for (int z = 0; z < depth; ++z) {
    tile[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    if (loads && z + 1 < depth) behind = from[(z + 1) * plane];
    if (stores) {
      float result = here;
      if (!border && z > 0 && z < depth - 1) {
        const float* const t = &tile[threadIdx.y][threadIdx.x];
        result = (t[-1] + t[1]) * kNeighbour + (t[-kSide] + t[kSide]) * kNeighbour + (front + behind) * kNeighbour +
                 here * kCentre;
      }
      to[z * plane] = result;
    }
    __syncthreads();
    front = here;
    here = behind;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  framed<<<dim3((width + kStep - 1) / kStep, (height + kStep - 1) / kStep), dim3(kSide, kSide)>>>(input, output, width,
                                                                                             height, depth);
}
