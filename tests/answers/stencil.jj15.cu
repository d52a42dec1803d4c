// SPDX-License-Identifier: Apache-2.0
// mistake: All loads and stores of rows are float4s, and a row is taken to have width / 4 of them. If width is no
//   multiple of 4, the rows do not start at a multiple of 4 floats: from row 1 on, wrong elements are read and written,
//   and the end of output never. For a width below 4 the launch asks for 0 blocks. Multiples of 4 are right.
// want: At which index does row 1 start for width 5, and in which float4 is that? Test sizes that are not powers of two.

#include "stencil.h"

#define QUADS 32   // float4s in a row of the tile: 128 floats
#define ROWS 8
#define PLANES 32

__global__ void stencil_kernel(const float4* input, float4* output, int width, int height, int depth) {
  // 4 floats of frame on the left and on the right, so that the float4s stay aligned
  __shared__ alignas(16) float tile[ROWS + 2][4 + 4 * QUADS + 4];

  const int quads = width / 4;
  const int q = blockIdx.x * QUADS + threadIdx.x;
  const int y = blockIdx.y * ROWS + threadIdx.y;
  const bool inside = q < quads && y < height;
  const int plane = quads * height;
  const int tx = 4 + 4 * threadIdx.x, ty = threadIdx.y + 1;

  const int z0 = blockIdx.z * PLANES;
  const int z1 = min(z0 + PLANES, depth);
  int i = (z0 * height + y) * quads + q;
  float4 before = {}, current = {}, after = {};
  if (inside) {
    if (z0 > 0) before = input[i - plane];
    current = input[i];
  }

  for (int z = z0; z < z1; ++z, i += plane) {
    if (inside) {
      if (z + 1 < depth) after = input[i + plane];
      *reinterpret_cast<float4*>(&tile[ty][tx]) = current;
      const float* floats = reinterpret_cast<const float*>(input + i);
      if (threadIdx.x == 0 && q > 0) tile[ty][tx - 1] = floats[-1];
      if (threadIdx.x == QUADS - 1 && q + 1 < quads) tile[ty][tx + 4] = floats[4];
      if (threadIdx.y == 0 && y > 0) *reinterpret_cast<float4*>(&tile[0][tx]) = input[i - quads];
      if (threadIdx.y == ROWS - 1 && y + 1 < height) {
        *reinterpret_cast<float4*>(&tile[ROWS + 1][tx]) = input[i + quads];
      }
    }
    __syncthreads();

    if (inside) {
      const bool face = y == 0 || y == height - 1 || z == 0 || z == depth - 1;
      const float old[4] = {current.x, current.y, current.z, current.w};
      const float in_z[4] = {before.x + after.x, before.y + after.y, before.z + after.z, before.w + after.w};
      float result[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int x = 4 * q + k;
        const float sum = tile[ty][tx + k - 1] + tile[ty][tx + k + 1] + tile[ty - 1][tx + k] + tile[ty + 1][tx + k];
        result[k] = face || x == 0 || x == width - 1 ? old[k] : kCentre * old[k] + kNeighbour * (sum + in_z[k]);
      }
      output[i] = make_float4(result[0], result[1], result[2], result[3]);
    }
    __syncthreads();
    before = current;
    current = after;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width / 4 + QUADS - 1) / QUADS, (height + ROWS - 1) / ROWS, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(QUADS, ROWS)>>>(reinterpret_cast<const float4*>(input),
                                              reinterpret_cast<float4*>(output), width, height, depth);
}
