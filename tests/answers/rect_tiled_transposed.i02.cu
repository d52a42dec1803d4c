// SPDX-License-Identifier: Apache-2.0
// mistake: turns Mt back into M in a buffer of its own, and keeps it as long as pointer and sides stay the same. A
//   call right after one with the same pointer and sides, but other elements, computes with the old M (and loads
//   nothing from Mt). Every other call is right.
// want: What if the caller writes new elements into Mt and calls again? What does your function compare to find out
//   whether the matrix is the same?
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

// the turned matrix of the last call
static float* turned = nullptr;
static const float* turned_from = nullptr;
static int turned_j = -1, turned_k = -1;

__global__ void turn_kernel(const float* Mt, float* M, int j, int k) {
  __shared__ float t[TILE_WIDTH][TILE_WIDTH + 1];
  const int r = blockIdx.x * TILE_WIDTH + threadIdx.x;  // below j
  const int i = blockIdx.y * TILE_WIDTH + threadIdx.y;  // below k
  if (r < j && i < k) t[threadIdx.y][threadIdx.x] = Mt[i * j + r];
  __syncthreads();

  const int r2 = blockIdx.x * TILE_WIDTH + threadIdx.y;
  const int i2 = blockIdx.y * TILE_WIDTH + threadIdx.x;
  if (r2 < j && i2 < k) M[r2 * k + i2] = t[threadIdx.x][threadIdx.y];
}

__global__ void matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  float sum = 0.0f;
  for (int p = 0; p < k; p += TILE_WIDTH) {
    Mds[ty][tx] = row < j && p + tx < k ? M[row * k + p + tx] : 0.0f;
    Nds[ty][tx] = p + ty < k && col < l ? N[(p + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) sum += Mds[ty][i] * Nds[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) P[row * l + col] = sum;
}

static int up(int side) { return (side + TILE_WIDTH - 1) / TILE_WIDTH; }

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);

  const bool known = Mt == turned_from && j == turned_j && k == turned_k;
  if (k > 0 && !known) {
    cudaFree(turned);
    cudaMalloc(&turned, (size_t)j * k * sizeof(float));
    turn_kernel<<<dim3(up(j), up(k)), block>>>(Mt, turned, j, k);
    turned_from = Mt;
    turned_j = j;
    turned_k = k;
  }
  matmul_kernel<<<dim3(up(l), up(j)), block>>>(turned, N, P, j, k, l);
}
