// SPDX-License-Identifier: Apache-2.0
// mistake: The load of the next plane has no guard for z. In the last plane of the input, each thread reads
//   input[i + plane], behind the end of the array. The value is not used, so output is right, but the read is out of
//   bounds, for every size.
// want: Which plane does a thread load in the step with z = depth - 1? Does it exist? Run it under memcheck.

#include "stencil.h"

#define TX 32
#define TY 8
#define TZ 64

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TY + 2][TX + 2];
  const int x = blockIdx.x * TX + threadIdx.x;
  const int y = blockIdx.y * TY + threadIdx.y;
  const int lx = threadIdx.x + 1;
  const int ly = threadIdx.y + 1;
  const int row = width;
  const int plane = width * height;
  const bool inside = x < width && y < height;
  const int first = blockIdx.z * TZ;
  const int behind_last = min(first + TZ, depth);

  int i = first * plane + y * row + x;
  float before = 0.0f;
  float current = 0.0f;
  float after = 0.0f;
  if (inside) {
    if (first > 0) {
      before = input[i - plane];
    }
    current = input[i];
  }

  for (int z = first; z < behind_last; ++z) {
    if (inside) {
      // Ask for the next plane early: it arrives while we fill the frame.
      after = input[i + plane];
      tile[ly][lx] = current;
      if (threadIdx.x == 0 && x > 0) {
        tile[ly][0] = input[i - 1];
      }
      if (threadIdx.x == TX - 1 && x < width - 1) {
        tile[ly][TX + 1] = input[i + 1];
      }
      if (threadIdx.y == 0 && y > 0) {
        tile[0][lx] = input[i - row];
      }
      if (threadIdx.y == TY - 1 && y < height - 1) {
        tile[TY + 1][lx] = input[i + row];
      }
    }
    __syncthreads();

    if (inside) {
      float result = current;
      if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1) {
        result = kCentre * current + kNeighbour * (tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] +
                                                   tile[ly + 1][lx] + before + after);
      }
      output[i] = result;
    }
    __syncthreads();

    before = current;
    current = after;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TX - 1) / TX, (height + TY - 1) / TY, (depth + TZ - 1) / TZ);
  stencil_kernel<<<grid, dim3(TX, TY)>>>(input, output, width, height, depth);
}
