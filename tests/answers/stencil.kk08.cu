// SPDX-License-Identifier: Apache-2.0
// mistake: Rows are loaded as float4, which needs a width that is a multiple of 4. Otherwise row 1 and most others
//   begin at an address that is no multiple of 16 bytes (misaligned address, an error), and the last width % 4
//   columns are computed by no thread; below width 4 the grid has no blocks. Right for width a multiple of 4.
// want: For width 65, at which byte does row 1 begin? What may the address of a float4 be? Who computes column 64?

#include "stencil.h"

#define BX 16  // threads, 4 points each
#define BY 16
#define PLANES 32

__device__ float4 load4(const float* p) { return *reinterpret_cast<const float4*>(p); }

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[BY + 2][4 * BX + 2];
  const int x = (blockIdx.x * BX + threadIdx.x) * 4;
  const int y = blockIdx.y * BY + threadIdx.y;
  const int sx = 4 * threadIdx.x + 1, sy = threadIdx.y + 1;
  const bool inside = x + 3 < width && y < height;
  const int plane = width * height;
  const int first = blockIdx.z * PLANES, last = min(first + PLANES, depth);
  const float4 zero = make_float4(0, 0, 0, 0);

  int i = first * plane + y * width + x;
  float4 before = inside && first > 0 ? load4(input + i - plane) : zero;
  float4 current = inside ? load4(input + i) : zero;
  for (int z = first; z < last; ++z, i += plane) {
    const float4 after = inside && z + 1 < depth ? load4(input + i + plane) : zero;
    if (inside) {
      tile[sy][sx] = current.x;
      tile[sy][sx + 1] = current.y;
      tile[sy][sx + 2] = current.z;
      tile[sy][sx + 3] = current.w;
      if (threadIdx.x == 0 && x > 0) tile[sy][0] = input[i - 1];
      if (threadIdx.x == BX - 1 && x + 4 < width) tile[sy][sx + 4] = input[i + 4];
      const bool top = threadIdx.y == 0 && y > 0, bottom = threadIdx.y == BY - 1 && y + 1 < height;
      if (top || bottom) {
        const float4 edge = load4(top ? input + i - width : input + i + width);
        float* to = &tile[top ? 0 : BY + 1][sx];
        to[0] = edge.x, to[1] = edge.y, to[2] = edge.z, to[3] = edge.w;
      }
    }
    __syncthreads();
    if (inside) {
      const float c[4] = {current.x, current.y, current.z, current.w};
      const float b[4] = {before.x, before.y, before.z, before.w};
      const float a[4] = {after.x, after.y, after.z, after.w};
      float r[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        r[k] = c[k];
        if (x + k > 0 && x + k < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1) {
          r[k] = kCentre * c[k] + kNeighbour * (tile[sy][sx + k - 1] + tile[sy][sx + k + 1] + tile[sy - 1][sx + k] +
                                                tile[sy + 1][sx + k] + b[k] + a[k]);
        }
      }
      *reinterpret_cast<float4*>(output + i) = make_float4(r[0], r[1], r[2], r[3]);
    }
    __syncthreads();
    before = current;
    current = after;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width / 4 + BX - 1) / BX, (height + BY - 1) / BY, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(BX, BY)>>>(input, output, width, height, depth);
}
