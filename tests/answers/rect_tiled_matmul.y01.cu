// SPDX-License-Identifier: Apache-2.0
// mistake: Whether loads of four floats are possible is decided by l alone, also for M, whose rows have k elements: a
//   float4 has to lie on a multiple of 16 bytes. Case: j 2, k 5, l 4: row 1 of M begins at byte 20, and its float4
//   load is misaligned. Where k is a multiple of 4, or l is not, all is right.
// want: At which byte does row 1 of M begin when k is 5, and what does a float4 load ask of its address?
#include "rect_tiled_matmul.h"

constexpr int T = 32;

// Four neighbours of a row, zeros where the row has ended.
__device__ float4 load4(const float* row, int at, int length, bool aligned) {
  if (aligned && at + 3 < length) return *reinterpret_cast<const float4*>(row + at);
  float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
  if (at < length) v.x = row[at];
  if (at + 1 < length) v.y = row[at + 1];
  if (at + 2 < length) v.z = row[at + 2];
  if (at + 3 < length) v.w = row[at + 3];
  return v;
}

// 256 threads; each loads four elements of both tiles and computes four elements of P.
__global__ void rect_tiled4(const float* M, const float* N, float* P, int j, int k, int l, bool aligned) {
  __shared__ float4 Mds[T][T / 4];
  __shared__ float4 Nds[T][T / 4];

  const int y = threadIdx.x / 8;
  const int x = threadIdx.x % 8;
  const int row = blockIdx.y * T + y;
  const int col = blockIdx.x * T + 4 * x;

  const float4 none = make_float4(0.f, 0.f, 0.f, 0.f);
  float4 sum = none;
  for (int base = 0; base < k; base += T) {
    Mds[y][x] = row < j ? load4(M + row * k, base + 4 * x, k, aligned) : none;
    Nds[y][x] = base + y < k ? load4(N + (base + y) * l, col, l, aligned) : none;
    __syncthreads();

    const float* m = reinterpret_cast<const float*>(Mds[y]);
    for (int i = 0; i < T; ++i) {
      const float4 n = Nds[i][x];
      sum.x += m[i] * n.x;
      sum.y += m[i] * n.y;
      sum.z += m[i] * n.z;
      sum.w += m[i] * n.w;
    }
    __syncthreads();
  }

  if (row >= j) return;
  float* p = P + row * l;
  if (col < l) p[col] = sum.x;
  if (col + 1 < l) p[col + 1] = sum.y;
  if (col + 2 < l) p[col + 2] = sum.z;
  if (col + 3 < l) p[col + 3] = sum.w;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const bool aligned = l % 4 == 0;  // else a row does not begin at a multiple of 16 bytes
  const dim3 grid((l + T - 1) / T, (j + T - 1) / T);
  rect_tiled4<<<grid, 256>>>(M, N, P, j, k, l, aligned);
}
