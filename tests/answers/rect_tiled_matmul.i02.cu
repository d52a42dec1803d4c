// SPDX-License-Identifier: Apache-2.0
// mistake: copies M and N into padded buffers that live on from call to call; they are set to zero only when they
//   are allocated. A later call that fits into them finds the elements of earlier calls in the padding: wrong where k
//   is no multiple of 16 and an earlier call filled those places. The first call is always right.
// want: The same product is right in a fresh program and wrong after another one. What stands in the columns from k
//   on of pad_m before your second call, and who would have to set it to zero?
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

static float* pad_m = nullptr;
static float* pad_n = nullptr;
static size_t room_m = 0;
static size_t room_n = 0;

// a x b elements into a matrix whose rows are `pitch` long
__global__ void pad_kernel(const float* from, float* to, int a, int b, int pitch) {
  const int r = blockIdx.y * TILE_WIDTH + threadIdx.y;
  const int c = blockIdx.x * TILE_WIDTH + threadIdx.x;
  if (r < a && c < b) to[r * pitch + c] = from[r * b + c];
}

// All sides of A and B are multiples of TILE_WIDTH here, so no checks.
__global__ void product_kernel(const float* A, const float* B, float* P, int k16, int l16, int j, int l) {
  __shared__ float as[TILE_WIDTH][TILE_WIDTH];
  __shared__ float bs[TILE_WIDTH][TILE_WIDTH];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  float sum = 0.0f;
  for (int p = 0; p < k16; p += TILE_WIDTH) {
    as[ty][tx] = A[row * k16 + p + tx];
    bs[ty][tx] = B[(p + ty) * l16 + col];
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) P[row * l + col] = sum;
}

static int tiles_of(int side) { return (side + TILE_WIDTH - 1) / TILE_WIDTH; }

static void make_room(float** buffer, size_t* room, size_t elements) {
  if (elements <= *room) return;  // malloc is slow, keep the old one
  cudaFree(*buffer);
  cudaMalloc(buffer, elements * sizeof(float));
  cudaMemset(*buffer, 0, elements * sizeof(float));
  *room = elements;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const int j16 = tiles_of(j) * TILE_WIDTH;
  const int k16 = tiles_of(k) * TILE_WIDTH;
  const int l16 = tiles_of(l) * TILE_WIDTH;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);

  if (k > 0) {
    make_room(&pad_m, &room_m, (size_t)j16 * k16);
    make_room(&pad_n, &room_n, (size_t)k16 * l16);
    pad_kernel<<<dim3(tiles_of(k), tiles_of(j)), block>>>(M, pad_m, j, k, k16);
    pad_kernel<<<dim3(tiles_of(l), tiles_of(k)), block>>>(N, pad_n, k, l, l16);
  }
  product_kernel<<<dim3(tiles_of(l), tiles_of(j)), block>>>(pad_m, pad_n, P, k16, l16, j, l);
}
