// SPDX-License-Identifier: Apache-2.0
// mistake: one barrier a phase is enough only with two buffers, and only M's tile has two. A warp that is ahead
//   overwrites Ns with the next phase's elements while another still adds up this phase. A race for every
//   width above 16 (width = 17: phase 1's store to Ns against phase 0's reads). N's check of the flat index
//   is right: past the last column it loads an element that ends up in no stored sum.
// want: a fast warp has begun the next phase while a slow one still adds. Go through the arrays: which may it write to?
#include "tiled_matmul.h"

#define T 16

__global__ void mm_kernel(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width) {
  __shared__ float Ms[2][T][T];
  __shared__ float Ns[T][T];

  const int r = blockIdx.y * T + threadIdx.y;
  const int c = blockIdx.x * T + threadIdx.x;
  const int size = width * width;
  const int phases = (width - 1) / T + 1;

  float acc = 0.f;
  int buf = 0;
  for (int ph = 0; ph < phases; ph++) {
    const int mc = ph * T + threadIdx.x;
    const int nidx = (ph * T + threadIdx.y) * width + c;

    Ms[buf][threadIdx.y][threadIdx.x] = (r < width && mc < width) ? M[r * width + mc] : 0.f;
    Ns[threadIdx.y][threadIdx.x] = (nidx < size) ? N[nidx] : 0.f;
    // double buffered: a single barrier does it
    __syncthreads();

#pragma unroll
    for (int i = 0; i < T; i++) acc += Ms[buf][threadIdx.y][i] * Ns[i][threadIdx.x];
    buf ^= 1;
  }

  if (r < width && c < width) P[r * width + c] = acc;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  dim3 threads(T, T);
  dim3 blocks((width - 1) / T + 1, (width - 1) / T + 1);
  mm_kernel<<<blocks, threads>>>(M, N, P, width);
}
