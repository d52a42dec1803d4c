// SPDX-License-Identifier: Apache-2.0
// differs: M's tile is read by ldmatrix, as rows of four floats: four lanes share a row and have one step of four each.
// They add up their sums by shuffles at the end. N's rows are broadcast as float4.

#include "rect_tiled_matmul.h"

__device__ float4 four_matrices(const float4* row) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  float4 v;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(reinterpret_cast<unsigned&>(v.x)), "=r"(reinterpret_cast<unsigned&>(v.y)),
                 "=r"(reinterpret_cast<unsigned&>(v.z)), "=r"(reinterpret_cast<unsigned&>(v.w))
               : "r"(at)
               : "memory");
  return v;
}

// A warp computes 32 x 8 elements. Lane 4 r + s has rows r, r + 8, r + 16 and r + 24, and steps s, s + 4, ...
__global__ void by_matrices(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float4 Mds[32][2], Nds[8][2];  // 32 x 8 and 8 x 8
  const int lane = threadIdx.x, top = blockIdx.y * 32, left = blockIdx.x * 8;
  float sum[4][8] = {};
  for (int first = 0; first < k; first += 8) {
    for (int i = 0; i < 8; ++i) {
      const int row = top + i * 4 + lane / 8, step = first + lane % 8;
      reinterpret_cast<float*>(Mds)[i * 32 + lane] = row < j && step < k ? M[row * k + step] : 0.0f;
    }
    for (int i = 0; i < 2; ++i) {
      const int step = first + i * 4 + lane / 8, col = left + lane % 8;
      reinterpret_cast<float*>(Nds)[i * 32 + lane] = step < k && col < l ? N[step * l + col] : 0.0f;
    }
    __syncwarp();
    for (int half = 0; half < 2; ++half) {
      const float4 m = four_matrices(&Mds[lane][half]);
      const float4 a = Nds[half * 4 + lane % 4][0], b = Nds[half * 4 + lane % 4][1];
      const float of_m[4] = {m.x, m.y, m.z, m.w}, of_n[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
      if (first + half * 4 + lane % 4 < k) {
        for (int r = 0; r < 4; ++r) {
          for (int c = 0; c < 8; ++c) sum[r][c] += of_m[r] * of_n[c];
        }
      }
    }
    __syncwarp();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      sum[r][c] += __shfl_xor_sync(0xffffffffu, sum[r][c], 1);
      sum[r][c] += __shfl_xor_sync(0xffffffffu, sum[r][c], 2);
      const int row = top + r * 8 + lane / 4, col = left + c;
      if (lane % 4 == c / 2 && row < j && col < l) P[row * l + col] = sum[r][c];
    }
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  by_matrices<<<dim3((l + 7) / 8, (j + 31) / 32), 32>>>(M, N, P, j, k, l);
}
