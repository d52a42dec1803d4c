// SPDX-License-Identifier: Apache-2.0
// mistake: a thread stores four elements of P below each other, and only the first one's row is checked. With
//   j = 5, k = 1, l = 1 the thread with ty = 1 begins at row 4, which exists, and stores rows 5, 6 and 7 too,
//   past the end of P. Shows wherever 4 does not divide j.
// want: j = 5: which rows does the thread with ty = 1 store, and which of them has P?
#include "rect_tiled_matmul.h"

constexpr int kTile = 16;
constexpr int kPer = 4;  // rows of P for each thread

__global__ void rect4(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float ms[kTile * kPer][kTile];
  __shared__ float ns[kTile][kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row0 = (blockIdx.y * kTile + ty) * kPer;
  const int col = blockIdx.x * kTile + tx;

  float sum[kPer] = {0.0f, 0.0f, 0.0f, 0.0f};

  for (int base = 0; base < k; base += kTile) {
#pragma unroll
    for (int r = 0; r < kPer; ++r) {
      const bool there = row0 + r < j && base + tx < k;
      ms[ty * kPer + r][tx] = there ? M[(row0 + r) * k + base + tx] : 0.0f;
    }
    ns[ty][tx] = base + ty < k && col < l ? N[(base + ty) * l + col] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < kTile; ++i) {
      const float n = ns[i][tx];
#pragma unroll
      for (int r = 0; r < kPer; ++r) sum[r] += ms[ty * kPer + r][i] * n;
    }
    __syncthreads();
  }

  if (row0 < j && col < l) {
    float* p = P + row0 * l + col;
    for (float s : sum) {
      *p = s;
      p += l;
    }
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (!j || !l) return;
  const int high = kTile * kPer;
  rect4<<<dim3((l + kTile - 1) / kTile, (j + high - 1) / high), dim3(kTile, kTile)>>>(M, N, P, j, k, l);
}
