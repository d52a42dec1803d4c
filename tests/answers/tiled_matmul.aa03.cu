// SPDX-License-Identifier: Apache-2.0
// mistake: M's tile is loaded down its columns: neighbouring threads take neighbouring rows of M, width floats
//   apart. Values are right, but a warp's load of M touches 16 sectors (512 bytes) for 128 bytes; N's touches 4.
//   At width 32 or any multiple together 2.5 times the bytes asked for, where 1.45 is allowed.
// want: Which addresses do threads 0, 1 and 2 read in the load of M, and which in that of N?
#include "tiled_matmul.h"

constexpr int kTile = 16;

// One-dimensional blocks of 256 threads. Thread t: a = t / 16, b = t % 16.
__global__ void mm_1d(const float* M, const float* N, float* P, int width, int tiles_across) {
  // M's tile lies the other way round, m_t[k][row]: the inner loop then goes down both arrays in step
  __shared__ float m_t[kTile * kTile];
  __shared__ float n_s[kTile * kTile];

  const int t = threadIdx.x;
  const int a = t / kTile;
  const int b = t % kTile;
  const int top = blockIdx.x / tiles_across * kTile;
  const int left = blockIdx.x % tiles_across * kTile;

  float sum = 0;
  for (int first = 0; first < width; first += kTile) {
    {
      const int r = top + b, c = first + a;
      m_t[t] = r < width && c < width ? M[r * width + c] : 0;
    }
    {
      const int r = first + a, c = left + b;
      n_s[t] = r < width && c < width ? N[r * width + c] : 0;
    }
    __syncthreads();

    const float* pm = m_t + a;
    const float* pn = n_s + b;
    for (int k = 0; k < kTile; ++k, pm += kTile, pn += kTile) sum += *pm * *pn;
    __syncthreads();
  }

  const int row = top + a, col = left + b;
  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width - 1) / kTile + 1;
  mm_1d<<<tiles * tiles, kTile * kTile>>>(M, N, P, width, tiles);
}
