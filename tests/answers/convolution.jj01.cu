// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: while loading, threadIdx.x counts the rows of the tile and threadIdx.y the columns. The
//   lanes of a warp load from 32 different rows, a sector each: about 1296 sectors per 1024 elements, 5 per 4
//   elements. The limit is 3, for large inputs. Values and bytes are fine.
// want: Lane 0 and lane 1 of a warp differ in threadIdx.x. How far apart in memory are the two elements that they
//   load? What changes if x and y swap roles?

#include "convolution.h"

#define N_FILTER (2 * kRadius + 1)
#define T 32
#define THREADS_Y 8
#define T_IN (T + 2 * kRadius)

__constant__ float F[N_FILTER][N_FILTER];

__global__ void conv(const float* in, float* out, int rows, int columns) {
  __shared__ float s[T_IN][T_IN + 1];  // + 1: no bank conflicts
  const int r0 = blockIdx.y * T;
  const int c0 = blockIdx.x * T;

  for (int i = threadIdx.x; i < T_IN; i += T) {
    for (int j = threadIdx.y; j < T_IN; j += THREADS_Y) {
      const int r = r0 + i - kRadius;
      const int c = c0 + j - kRadius;
      s[i][j] = (r >= 0 && r < rows && c >= 0 && c < columns) ? in[r * columns + c] : 0.0f;
    }
  }
  __syncthreads();

  for (int y = threadIdx.y; y < T; y += THREADS_Y) {
    const int r = r0 + y;
    const int c = c0 + threadIdx.x;
    if (r < rows && c < columns) {
      float sum = 0.0f;
#pragma unroll
      for (int i = 0; i < N_FILTER; i++)
#pragma unroll
        for (int j = 0; j < N_FILTER; j++) sum += F[i][j] * s[y + i][threadIdx.x + j];
      out[r * columns + c] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice);
  conv<<<dim3((columns + T - 1) / T, (rows + T - 1) / T), dim3(T, THREADS_Y)>>>(input, output, rows, columns);
}
