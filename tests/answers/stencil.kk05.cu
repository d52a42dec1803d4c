// SPDX-License-Identifier: Apache-2.0
// mistake: The shuffles for the neighbours in x stand inside the branch for inner points. The lanes of the faces x =
//   0 and x = width - 1 (and lanes beyond width) do not take part, though the mask names them: what the points next
//   to these faces get is undefined, and a real GPU may hang. Shows for every size with inner points.
// want: Point x = 1 takes its left neighbour from lane 0. Does lane 0 execute this __shfl_up_sync? What must be true
//   for every lane that the mask names?

#include "stencil.h"

#define BX 32
#define BY 8
#define BZ 32

// Neighbours in x: warp shuffles. Neighbours in y: shared memory. Neighbours in z: registers.
__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float rows[BY + 2][BX];
  const int lane = threadIdx.x;
  const int x = blockIdx.x * BX + lane;
  const int y = blockIdx.y * BY + threadIdx.y;
  const int ry = threadIdx.y + 1;
  const bool inside = x < width && y < height;
  const int plane = width * height;
  const int z0 = blockIdx.z * BZ, z1 = min(z0 + BZ, depth);
  int i = z0 * plane + y * width + x;

  float before = inside && z0 > 0 ? input[i - plane] : 0.0f;
  float current = inside ? input[i] : 0.0f;
  for (int z = z0; z < z1; ++z) {
    const float after = inside && z + 1 < depth ? input[i + plane] : 0.0f;
    rows[ry][lane] = current;
    if (inside && threadIdx.y == 0 && y > 0) rows[0][lane] = input[i - width];
    if (inside && threadIdx.y == BY - 1 && y + 1 < height) rows[BY + 1][lane] = input[i + width];
    __syncthreads();

    if (inside) {
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        output[i] = current;
      } else {
        float left = __shfl_up_sync(0xffffffff, current, 1);
        float right = __shfl_down_sync(0xffffffff, current, 1);
        if (lane == 0) left = input[i - 1];
        if (lane == 31) right = input[i + 1];
        output[i] = kCentre * current +
                    kNeighbour * (left + right + rows[ry - 1][lane] + rows[ry + 1][lane] + before + after);
      }
    }
    __syncthreads();
    before = current;
    current = after;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + BX - 1) / BX, (height + BY - 1) / BY, (depth + BZ - 1) / BZ);
  stencil_kernel<<<grid, dim3(BX, BY)>>>(input, output, width, height, depth);
}
