// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: element e is taken apart with j, the number of P's rows, instead of l, the length of a row:
//   with j = 2, l = 3, e = 2 is P[0][2] but is computed as row 1, column 0. And the grid counts a thread for each element
//   where each takes a warp: B blocks
//   compute only the first 8 x B elements. With j = l = 4, k = 1 there is one block, whose 8 warps leave P[8] to P[15]
//   unwritten.
// want: How many elements of P does one of your blocks compute? How many blocks does a P of 4 x 4 get?
#include "rect_matmul.h"

#define BLOCK 256

// A warp for each element of P: lane i takes the products i, i + 32, i + 64, ...
__global__ void warp_dot(const float* M, const float* N, float* P, int j, int k, int l) {
  const int lane = threadIdx.x % 32;
  const int e = blockIdx.x * (BLOCK / 32) + threadIdx.x / 32;
  if (e >= j * l) return;  // the whole warp leaves

  const int row = e / j;
  const int col = e % j;

  float part = 0.0f;
  for (int i = lane; i < k; i += 32) part += M[row * k + i] * N[i * l + col];

  for (int step = 16; step > 0; step /= 2) part += __shfl_xor_sync(0xffffffffu, part, step);

  if (lane == 0) P[e] = part;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int elements = j * l;
  if (elements == 0) return;
  warp_dot<<<(elements + BLOCK - 1) / BLOCK, BLOCK>>>(M, N, P, j, k, l);
}
