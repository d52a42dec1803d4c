// SPDX-License-Identifier: Apache-2.0
// mistake: In the last plane, z = depth - 1, every thread loads its element of a plane `depth` that does not exist:
//   up to a whole plane behind the end of input. The value is never used, so output is right if the load does not
//   fail, but it is an access outside the array, for every size. (The load of plane -1 is guarded.)
// want: For z = depth - 1, which element does the first line of the loop load? Does input have it? What would
//   compute-sanitizer say?

#include "stencil.h"

#define TX 32
#define TY 16
#define GROUP 32

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TY + 2][TX + 2];
  const int x = blockIdx.x * TX + threadIdx.x;
  const int y = blockIdx.y * TY + threadIdx.y;
  const int sx = threadIdx.x + 1;
  const int sy = threadIdx.y + 1;
  const bool valid = x < width && y < height;
  const int plane = width * height;
  const int z0 = blockIdx.z * GROUP;

  const float* p = input + (size_t)z0 * plane + y * width + x;
  float* out = output + (size_t)z0 * plane + y * width + x;

  float below = 0, here = 0, above = 0;
  if (valid) {
    if (z0 > 0) below = p[-plane];
    here = p[0];
  }
  for (int z = z0; z < z0 + GROUP && z < depth; z++) {
    if (valid) above = p[plane];
    if (valid) {
      tile[sy][sx] = here;
      if (threadIdx.x == 0 && x > 0) tile[sy][0] = p[-1];
      if (threadIdx.x == TX - 1 && x < width - 1) tile[sy][sx + 1] = p[1];
      if (threadIdx.y == 0 && y > 0) tile[0][sx] = p[-width];
      if (threadIdx.y == TY - 1 && y < height - 1) tile[sy + 1][sx] = p[width];
    }
    __syncthreads();
    if (valid) {
      const bool face = x == 0 || y == 0 || z == 0 || x == width - 1 || y == height - 1 || z == depth - 1;
      float result = here;
      if (!face) {
        const float sum = tile[sy][sx - 1] + tile[sy][sx + 1] + tile[sy - 1][sx] + tile[sy + 1][sx] + below + above;
        result = kCentre * here + kNeighbour * sum;
      }
      *out = result;
    }
    __syncthreads();
    below = here;
    here = above;
    p += plane;
    out += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  dim3 block(TX, TY);
  dim3 grid((width + TX - 1) / TX, (height + TY - 1) / TY, (depth + GROUP - 1) / GROUP);
  stencil_kernel<<<grid, block>>>(input, output, width, height, depth);
}
