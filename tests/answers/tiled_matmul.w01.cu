// SPDX-License-Identifier: Apache-2.0
// mistake: Each thread loads two elements of M's tile, in rows row0 and row0 + 16, but one check, made for
//   row0, covers both: where row0 exists and row0 + 16 does not, the second load reads past the end of M.
//   Width 20, block (0, 0), ty = 4: row0 + 16 = 20, index 20 * 20 + 0 = 400, and M has 400 elements (0 to
//   399). The values that are stored stay right, since those rows of the tile only go into sums that are not
//   stored.
// want: For which rows of M does the condition in_m speak? Take width 20 and the thread with ty = 4: which two
//   rows does it load, and do both exist?
#include "tiled_matmul.h"

// 2x2 outputs per thread: a 16x16 block makes a 32x32 piece of P
#define BS 16
#define OUT (2 * BS)

__global__ void mm2x2(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width) {
  __shared__ float Ms[OUT][BS];
  __shared__ float Ns[BS][OUT];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row0 = blockIdx.y * OUT + ty;
  const int col0 = blockIdx.x * OUT + tx;
  const int col1 = col0 + BS;

  float c00 = 0, c01 = 0, c10 = 0, c11 = 0;

  for (int base = 0; base < width; base += BS) {
    const int m_col = base + tx;
    const int n_row = base + ty;

    // a 32 x 16 tile of M, zeros outside
    const bool in_m = row0 < width && m_col < width;
    Ms[ty][tx] = in_m ? M[row0 * width + m_col] : 0.0f;
    Ms[ty + BS][tx] = in_m ? M[(row0 + BS) * width + m_col] : 0.0f;

    // a 16 x 32 tile of N
    Ns[ty][tx] = n_row < width && col0 < width ? N[n_row * width + col0] : 0.0f;
    Ns[ty][tx + BS] = n_row < width && col1 < width ? N[n_row * width + col1] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < BS; ++i) {
      const float a0 = Ms[ty][i], a1 = Ms[ty + BS][i];
      const float b0 = Ns[i][tx], b1 = Ns[i][tx + BS];
      c00 += a0 * b0;
      c01 += a0 * b1;
      c10 += a1 * b0;
      c11 += a1 * b1;
    }
    __syncthreads();
  }

  const int row1 = row0 + BS;
  if (row0 < width && col0 < width) P[row0 * width + col0] = c00;
  if (row0 < width && col1 < width) P[row0 * width + col1] = c01;
  if (row1 < width && col0 < width) P[row1 * width + col0] = c10;
  if (row1 < width && col1 < width) P[row1 * width + col1] = c11;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int g = (width + OUT - 1) / OUT;
  mm2x2<<<dim3(g, g), dim3(BS, BS)>>>(M, N, P, width);
}
