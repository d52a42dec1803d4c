// SPDX-License-Identifier: Apache-2.0
// mistake: The shuffles stand in the branch of the inner points, but their mask names all 32 lanes. Lanes on a face (x
//   = 0 is lane 0 of the first block) or outside the input are not there: what a lane reads from them is undefined,
//   and the warp may even hang. So x = 1 need not get the input of x = 0, nor x = width - 2 that of x = width - 1.
//   Shows for any input with inner points.
// want: Which lanes of the first warp come to the shuffle? Lane 1 asks lane 0 for its element: is lane 0 there?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 32

// A row of the tile is one warp. So the neighbours in x are in the registers of the neighbouring lanes, and only the
// neighbours in y need shared memory.
__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float rows[TILE_Y + 2][TILE_X];
  const int lane = threadIdx.x;
  const int r = threadIdx.y + 1;
  const int x = blockIdx.x * TILE_X + lane;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int plane = width * height;
  const bool exists = x < width && y < height;
  const int z_begin = blockIdx.z * PLANES, z_end = min(z_begin + PLANES, depth);

  int i = z_begin * plane + y * width + x;
  float before = exists && z_begin > 0 ? input[i - plane] : 0.0f;
  float here = exists ? input[i] : 0.0f;

  for (int z = z_begin; z < z_end; z++, i += plane) {
    const float after = exists && z + 1 < depth ? input[i + plane] : 0.0f;
    rows[r][lane] = here;
    if (exists) {
      if (r == 1 && y > 0) rows[0][lane] = input[i - width];
      if (r == TILE_Y && y + 1 < height) rows[TILE_Y + 1][lane] = input[i + width];
    }
    __syncthreads();

    if (exists) {
      if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1) {
        float left = __shfl_up_sync(0xffffffff, here, 1);
        float right = __shfl_down_sync(0xffffffff, here, 1);
        if (lane == 0) left = input[i - 1];
        if (lane == 31) right = input[i + 1];
        output[i] = kCentre * here +
                    kNeighbour * (left + right + rows[r - 1][lane] + rows[r + 1][lane] + before + after);
      } else {
        output[i] = here;
      }
    }
    __syncthreads();
    before = here;
    here = after;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
