// SPDX-License-Identifier: Apache-2.0
// mistake: the stride of the grid-stride loop is gridDim.x, the number of blocks, and not the number of threads in the
//   grid. All values come out right, but many threads compute and store the same elements, and with one block thread 0
//   stores all of P.
// want: Two blocks of 256 threads: with which elements does thread 0 go on after its first, and who computes those
//   already? How many threads has the whole grid?
#include "rect_matmul.h"

// Grid-stride loop: every thread takes an element, then the next one a whole grid further.
__global__ void rect_matmul_stride(const float* M, const float* N, float* P, int j, int k, int l) {
  const long long total = (long long)j * l;
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;

  for (long long e = first; e < total; e += gridDim.x) {
    const int row = (int)(e / l);
    const int col = (int)(e % l);

    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      sum += M[(size_t)row * k + i] * N[(size_t)i * l + col];
    }
    P[e] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const long long total = (long long)j * l;
  if (total == 0) return;

  const int threads = 256;
  long long blocks = (total + threads - 1) / threads;
  if (blocks > 65535) blocks = 65535;
  rect_matmul_stride<<<(unsigned)blocks, threads>>>(M, N, P, j, k, l);
}
