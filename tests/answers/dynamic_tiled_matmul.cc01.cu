// SPDX-License-Identifier: Apache-2.0
// mistake: the rows of both tiles are tile + 1 floats apart in the kernel, and the launch passes 8 * tile * tile bytes:
//   N's tile runs past the end of shared memory. tile = 4: N's begins at 20 and reaches place 38, and there are
//   32 floats. (The contract fixes the bytes, so there is no room for padding.)
// want: tile = 4: which is the highest place of the array that a thread uses, and how many floats does the launch pass?
#include "dynamic_tiled_matmul.h"

extern __shared__ float shared_mem[];

__global__ void dyn_kernel(const float* M, const float* N, float* P, int width, int tile) {
  // one float more per row, so that columns do not all fall into the same bank
  const int pitch = tile + 1;
  float* const m_tile = shared_mem;
  float* const n_tile = m_tile + tile * pitch;

  const int x = threadIdx.x, y = threadIdx.y;
  const int r = blockIdx.y * blockDim.y + y;
  const int c = blockIdx.x * blockDim.x + x;

  float acc = 0.0f;
  for (int start = 0; start < width; start += tile) {
    m_tile[y * pitch + x] = (r < width && start + x < width) ? M[r * width + start + x] : 0.0f;
    n_tile[y * pitch + x] = (start + y < width && c < width) ? N[(start + y) * width + c] : 0.0f;
    __syncthreads();

    const float* a = m_tile + y * pitch;
    const float* b = n_tile + x;
    for (int i = tile; i > 0; --i) {
      acc += *a++ * *b;
      b += pitch;
    }
    __syncthreads();
  }

  if (r < width && c < width) P[r * width + c] = acc;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int n = (width + tile - 1) / tile;
  const size_t bytes = sizeof(float) * 2 * tile * tile;
  dyn_kernel<<<dim3(n, n), dim3(tile, tile), bytes>>>(M, N, P, width, tile);
}
