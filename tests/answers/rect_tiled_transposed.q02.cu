// SPDX-License-Identifier: Apache-2.0
// mistake: whether four elements are loaded at once is decided by j alone, for N too, whose rows have l elements. Where 4
//   divides j and not l, float4 loads of N are misaligned or run past its end: j = 4, k = 2, l = 3: the load of N's row 1
//   begins at byte 12; j = 4, k = 1, l = 3: it reads N[3], which is not there. All other shapes come out right.
// want: A float4 load needs what of its address? Try it for row 1 of N with j = 4, k = 2, l = 3.
#include "rect_tiled_transposed.h"

constexpr int kT = 32;

// 8 x 32 threads, each with four neighbouring elements of a row: of Mt's tile, of N's, and of P's.
__global__ void transposed_by_fours(const float* Mt, const float* N, float* P, int j, int k, int l, bool fours) {
  __shared__ __align__(16) float A[kT][kT];  // A[i][row]
  __shared__ __align__(16) float B[kT][kT];  // B[i][col]

  const int q = threadIdx.x * 4;
  const int y = threadIdx.y;
  const int r0 = blockIdx.y * kT;
  const int c0 = blockIdx.x * kT;

  float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i0 = 0; i0 < k; i0 += kT) {
    const int i = i0 + y;
    if (fours) {
      float4 m = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      float4 n = m;
      if (i < k && r0 + q < j) m = *reinterpret_cast<const float4*>(Mt + (size_t)i * j + r0 + q);
      if (i < k && c0 + q < l) n = *reinterpret_cast<const float4*>(N + (size_t)i * l + c0 + q);
      *reinterpret_cast<float4*>(&A[y][q]) = m;
      *reinterpret_cast<float4*>(&B[y][q]) = n;
    } else {
      for (int e = q; e < q + 4; ++e) {
        A[y][e] = i < k && r0 + e < j ? Mt[(size_t)i * j + r0 + e] : 0.0f;
        B[y][e] = i < k && c0 + e < l ? N[(size_t)i * l + c0 + e] : 0.0f;
      }
    }
    __syncthreads();

    for (int s = 0; s < kT; ++s) {
      const float m = A[s][y];
      const float4 n = *reinterpret_cast<const float4*>(&B[s][q]);
      acc.x += m * n.x;
      acc.y += m * n.y;
      acc.z += m * n.z;
      acc.w += m * n.w;
    }
    __syncthreads();
  }

  const int row = r0 + y;
  if (row < j) {
    float* p = P + (size_t)row * l;
    if (c0 + q + 0 < l) p[c0 + q + 0] = acc.x;
    if (c0 + q + 1 < l) p[c0 + q + 1] = acc.y;
    if (c0 + q + 2 < l) p[c0 + q + 2] = acc.z;
    if (c0 + q + 3 < l) p[c0 + q + 3] = acc.w;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const bool fours = j % 4 == 0;  // rows begin at multiples of 16 bytes
  const dim3 grid((l + kT - 1) / kT, (j + kT - 1) / kT);
  transposed_by_fours<<<grid, dim3(kT / 4, kT)>>>(Mt, N, P, j, k, l, fours);
}
