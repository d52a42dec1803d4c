// SPDX-License-Identifier: Apache-2.0
// mistake: the barrier stands before the store into the other buffer, not after it: a warp stores its part of the next
//   tiles and goes on at once to read all of them, also parts that other warps have not stored yet. A race from width 17
//   on (two phases). One barrier for each phase would be enough, after the store: two buffers.
// want: Follow buffer 1: who stores into it, who reads it next, and is there a barrier between the two?
#include "fast_matmul.h"

constexpr int BT = 128;  // tile of P
constexpr int KT = 16;   // depth of a phase
constexpr int NT = 256;  // threads

struct Tiles {
  float m[BT][KT];
  float n[KT][BT];
};

__global__ void __launch_bounds__(NT) fast_kernel(const float* __restrict__ M, const float* __restrict__ N,
                                                   float* __restrict__ P, int width) {
  __shared__ __align__(16) Tiles tiles[2];

  const int t = threadIdx.x;
  const int tx = t % 16, ty = t / 16;
  const int top = blockIdx.y * BT, left = blockIdx.x * BT;

  // what this thread carries: 8 of M, 8 of N
  const int mk = t % KT, mr = t / KT;
  const int nc = t % BT, nk = t / BT;
  float m_reg[8], n_reg[8];

  auto fetch = [&](int k0) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int r = top + mr + 16 * i, c = k0 + mk;
      m_reg[i] = r < width && c < width ? M[r * width + c] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int r = k0 + nk + 2 * i, c = left + nc;
      n_reg[i] = r < width && c < width ? N[r * width + c] : 0.0f;
    }
  };
  auto put = [&](Tiles& to) {
#pragma unroll
    for (int i = 0; i < 8; ++i) to.m[mr + 16 * i][mk] = m_reg[i];
#pragma unroll
    for (int i = 0; i < 8; ++i) to.n[nk + 2 * i][nc] = n_reg[i];
  };

  // rows ty, ty + 16, ...; columns 4 tx to 4 tx + 3, and the same 64 further right
  float acc[8][8] = {};

  fetch(0);
  put(tiles[0]);
  __syncthreads();

  int now = 0;
  for (int k0 = 0; k0 < width; k0 += KT) {
    const bool more = k0 + KT < width;
    if (more) fetch(k0 + KT);  // on their way while we multiply

    const Tiles& s = tiles[now];
#pragma unroll
    for (int k = 0; k < KT; k += 4) {
      float a[8][4];  // four steps of M at once
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        *reinterpret_cast<float4*>(a[i]) = *reinterpret_cast<const float4*>(&s.m[ty + 16 * i][k]);
      }
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        float b[8];
        *reinterpret_cast<float4*>(b) = *reinterpret_cast<const float4*>(&s.n[k + q][4 * tx]);
        *reinterpret_cast<float4*>(b + 4) = *reinterpret_cast<const float4*>(&s.n[k + q][64 + 4 * tx]);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
#pragma unroll
          for (int j = 0; j < 8; ++j) acc[i][j] = fmaf(a[i][q], b[j], acc[i][j]);
        }
      }
    }

    __syncthreads();  // everyone is done with this phase
    now ^= 1;
    if (more) put(tiles[now]);
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int r = top + ty + 16 * i;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int c = left + (j < 4 ? 4 * tx + j : 64 + 4 * tx + j - 4);
      if (r < width && c < width) P[r * width + c] = acc[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + BT - 1) / BT;
  fast_kernel<<<dim3(tiles, tiles), NT>>>(M, N, P, width);
}
