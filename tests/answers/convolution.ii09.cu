// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: the tile in shared memory has no halo. What lies outside the tile is loaded from global
//   memory at each use, in the hope that a cache has it. A halo element is used up to 20 times: in all, 2908
//   loads for 1024 elements, 11.4 bytes per element. The limit is 8, for large inputs. Values are right.
// want: How often is the element just left of the tile loaded from global memory by this block, and how often if
//   the halo were in shared memory? A hit in a cache is still a load.

#include "convolution.h"

#define FILTER_RADIUS kRadius
#define FILTER_WIDTH (2 * FILTER_RADIUS + 1)
#define TILE_DIM 32

__constant__ float F_c[FILTER_WIDTH][FILTER_WIDTH];

// The halo cells of this tile are inner cells of the neighbours, so they should be in L2 already.
__global__ void convolution_cached_tiled_2D_const_mem_kernel(const float* N, float* P, int width, int height) {
  int col = blockIdx.x * TILE_DIM + threadIdx.x;
  int row = blockIdx.y * TILE_DIM + threadIdx.y;
  __shared__ float N_s[TILE_DIM][TILE_DIM];
  if (row < height && col < width) {
    N_s[threadIdx.y][threadIdx.x] = N[row * width + col];
  } else {
    N_s[threadIdx.y][threadIdx.x] = 0.0f;
  }
  __syncthreads();

  if (col < width && row < height) {
    float Pvalue = 0.0f;
    for (int fRow = 0; fRow < FILTER_WIDTH; fRow++) {
      for (int fCol = 0; fCol < FILTER_WIDTH; fCol++) {
        int x = (int)threadIdx.x - FILTER_RADIUS + fCol;
        int y = (int)threadIdx.y - FILTER_RADIUS + fRow;
        if (x >= 0 && x < TILE_DIM && y >= 0 && y < TILE_DIM) {
          Pvalue += F_c[fRow][fCol] * N_s[y][x];
        } else {
          int r = row - FILTER_RADIUS + fRow;
          int c = col - FILTER_RADIUS + fCol;
          if (r >= 0 && r < height && c >= 0 && c < width) {
            Pvalue += F_c[fRow][fCol] * N[r * width + c];
          }
        }
      }
    }
    P[row * width + col] = Pvalue;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F_c, filter, FILTER_WIDTH * FILTER_WIDTH * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  dim3 dimBlock(TILE_DIM, TILE_DIM);
  dim3 dimGrid((columns + TILE_DIM - 1) / TILE_DIM, (rows + TILE_DIM - 1) / TILE_DIM);
  convolution_cached_tiled_2D_const_mem_kernel<<<dimGrid, dimBlock>>>(input, output, columns, rows);
}
