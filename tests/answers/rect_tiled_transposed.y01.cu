// SPDX-License-Identifier: Apache-2.0
// mistake: M is turned into a scratch array of fixed size, 256 x 256 floats, and nobody asks whether j * k elements fit.
//   Case: j 300, k 300, l 16: index 65536 and more lie past its end. Up to j * k = 65536 all is right (turning M first
//   is allowed, and its loads stay within the bounds).
// want: How many elements must your scratch array hold for j = k = 300, and how many does it hold?
#include "rect_tiled_transposed.h"

#define T 16

// M as it would be without the transposition, row by row
__device__ float turned[256 * 256];

__global__ void turn(const float* Mt, int j, int k) {
  __shared__ float tile[T][T + 1];
  const int x = blockIdx.x * T + threadIdx.x;  // column of Mt
  const int y = blockIdx.y * T + threadIdx.y;  // row of Mt
  if (x < j && y < k) tile[threadIdx.y][threadIdx.x] = Mt[y * j + x];
  __syncthreads();
  const int r = blockIdx.x * T + threadIdx.y;  // row of M
  const int c = blockIdx.y * T + threadIdx.x;  // column of M
  if (r < j && c < k) turned[r * k + c] = tile[threadIdx.x][threadIdx.y];
}

__global__ void multiply(const float* N, float* P, int j, int k, int l) {
  __shared__ float a[T][T];
  __shared__ float b[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  float sum = 0.0f;
  for (int base = 0; base < k; base += T) {
    a[ty][tx] = row < j && base + tx < k ? turned[row * k + base + tx] : 0.0f;
    b[ty][tx] = base + ty < k && col < l ? N[(base + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += a[ty][i] * b[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  auto up = [](int side) { return (side + T - 1) / T; };
  const dim3 block(T, T);
  if (k > 0) turn<<<dim3(up(j), up(k)), block>>>(Mt, j, k);
  multiply<<<dim3(up(l), up(j)), block>>>(N, P, j, k, l);
}
