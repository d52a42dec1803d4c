// SPDX-License-Identifier: Apache-2.0
// mistake: M is loaded with neighbouring threads in neighbouring rows, so that the turned store to shared memory has no conflicts: 32
//   lanes read 4 bytes each from 32 rows, 32 sectors where 4 would do. At width 256 M alone takes 2 x 65536 = 131072
//   sectors (each element one, for two columns of blocks), 65536 are allowed in all. All else is right.
// want: Shared memory is in good order. Now look at M in global memory: which elements do the 32 lanes of a warp load in one
//   step, and in how many sectors do they lie?
#include "fast_matmul.h"

#define BM 128
#define BN 128
#define BK 16
#define NT 256

__device__ __forceinline__ void load4(float* to, const float* from) {
  const float4 v = *reinterpret_cast<const float4*>(from);
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
  to[3] = v.w;
}

__global__ void __launch_bounds__(NT) sgemm(const float* M, const float* N, float* P, int width) {
  // M's tile is turned, so that a patch's operands of M are neighbours, too
  __shared__ __align__(16) float As[BK][BM];
  __shared__ __align__(16) float Bs[BK][BN];

  const int tid = threadIdx.x;
  const int tx = tid & 15;
  const int ty = tid >> 4;

  const int line = tid & 127;   // 0 .. 127
  const int upper = tid >> 7;   // 0 or 1

  const int m_row = blockIdx.y * BM + line;
  const int n_col = blockIdx.x * BN + line;

  float acc[8][8];
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll
    for (int c = 0; c < 8; ++c) acc[r][c] = 0.0f;

  for (int k0 = 0; k0 < width; k0 += BK) {
#pragma unroll
    for (int i = 0; i < BK / 2; ++i) {
      const int k = 2 * i + upper;
      const bool in = k0 + k < width;
      // line runs through the banks in both: no conflicts
      As[k][line] = in && m_row < width ? M[m_row * width + k0 + k] : 0.0f;
      Bs[k][line] = in && n_col < width ? N[(k0 + k) * width + n_col] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[8], b[8];
      load4(a, &As[k][4 * ty]);
      load4(a + 4, &As[k][64 + 4 * ty]);
      load4(b, &Bs[k][4 * tx]);
      load4(b + 4, &Bs[k][64 + 4 * tx]);
#pragma unroll
      for (int r = 0; r < 8; ++r)
#pragma unroll
        for (int c = 0; c < 8; ++c) acc[r][c] += a[r] * b[c];
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int row = blockIdx.y * BM + (r / 4) * 64 + 4 * ty + r % 4;
    if (row >= width) continue;
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      const int col = blockIdx.x * BN + (c / 4) * 64 + 4 * tx + c % 4;
      if (col < width) P[row * width + col] = acc[r][c];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + BN - 1) / BN, (width + BM - 1) / BM);
  sgemm<<<grid, NT>>>(M, N, P, width);
}
