// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: every thread loads the 25 coefficients from global memory into registers, once for the 4
//   elements that it computes. That is 100 bytes per 4 elements: 25 bytes per element, and 5 more for the input.
//   The limit is 8, filter included, for large inputs. Values are right.
// want: How many bytes does one thread load before its loop, and how many elements does it compute? All threads
//   need the same 25 numbers: which memory is made for that?

#include "convolution.h"

#define N_FILTER (2 * kRadius + 1)
#define T 32
#define THREADS_Y 8
#define T_IN (T + 2 * kRadius)

__global__ void conv(const float* in, const float* filter, float* out, int rows, int columns) {
  __shared__ float s[T_IN][T_IN];

  // Registers are faster than constant memory. Loaded once, used 4 times.
  float f[N_FILTER * N_FILTER];
#pragma unroll
  for (int k = 0; k < N_FILTER * N_FILTER; k++) f[k] = filter[k];

  const int r0 = blockIdx.y * T;
  const int c0 = blockIdx.x * T;
  for (int y = threadIdx.y; y < T_IN; y += THREADS_Y) {
    for (int x = threadIdx.x; x < T_IN; x += T) {
      const int r = r0 + y - kRadius;
      const int c = c0 + x - kRadius;
      s[y][x] = (r >= 0 && r < rows && c >= 0 && c < columns) ? in[r * columns + c] : 0.0f;
    }
  }
  __syncthreads();

  for (int y = threadIdx.y; y < T; y += THREADS_Y) {
    const int r = r0 + y;
    const int c = c0 + threadIdx.x;
    if (r < rows && c < columns) {
      float sum = 0.0f;
#pragma unroll
      for (int i = 0; i < N_FILTER; i++) {
#pragma unroll
        for (int j = 0; j < N_FILTER; j++) sum += f[i * N_FILTER + j] * s[y + i][threadIdx.x + j];
      }
      out[r * columns + c] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  conv<<<dim3((columns + T - 1) / T, (rows + T - 1) / T), dim3(T, THREADS_Y)>>>(input, filter, output, rows,
                                                                                columns);
}
