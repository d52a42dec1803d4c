// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the last phase adds up width % T products, which is 0 and not 16 where 16 divides
//   width: width 16 gives P = 0 everywhere, width 32 half of each sum. And N's tile is loaded with the fast
//   index c (neighbouring threads) walking down the rows of N, so a warp touches 16 rows and two columns: 16
//   sectors for 32 floats, 4 times the bytes asked for (2.5 times over both matrices), more than 1.45. (The
//   single barrier for each phase is enough, since both tiles have two buffers.)
// want: How many products does the last phase hold when width is 32? Work out depth for it. (Then: which
//   elements of N do threads 0, 1 and 2 of a warp load?)
#include "tiled_matmul.h"

constexpr int T = 16;

// 256 threads in a row, 1D grid over the tiles of P, two buffers per tile -> one barrier per phase
__global__ void mm(const float* M, const float* N, float* P, int width, int tiles) {
  __shared__ float Mds[2][T][T];
  __shared__ float Nds[2][T][T];

  const int r = threadIdx.x / T;
  const int c = threadIdx.x % T;
  const int top = blockIdx.x / tiles * T;
  const int left = blockIdx.x % tiles * T;
  const int row = top + r;
  const int col = left + c;

  float sum = 0;
  for (int p = 0; p < tiles; ++p) {
    const int buf = p & 1;
    const int k0 = p * T;

    if (row < width && k0 + c < width) Mds[buf][r][c] = M[row * width + k0 + c];

    // N is read down its columns, so here the thread goes down as well
    if (k0 + c < width && left + r < width) Nds[buf][c][r] = N[(k0 + c) * width + left + r];
    __syncthreads();

    // no zeros needed: in the last phase only the part that is there gets added
    const int depth = p == tiles - 1 ? width % T : T;
    for (int i = 0; i < depth; ++i) sum += Mds[buf][r][i] * Nds[buf][i][c];
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + T - 1) / T;
  mm<<<tiles * tiles, T * T>>>(M, N, P, width, tiles);
}
