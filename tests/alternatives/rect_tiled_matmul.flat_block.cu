// SPDX-License-Identifier: Apache-2.0
// differs: 1-D blocks of 256 threads, 1-D grid; a struct describes a matrix and knows what lies outside of it.

#include "rect_tiled_matmul.h"

namespace {

constexpr unsigned kSide = 16;

struct View {
  const float* data;
  unsigned rows, columns;
  __device__ float at(unsigned r, unsigned c) const { return r < rows && c < columns ? data[r * columns + c] : 0.0f; }
};

struct Tile {
  float cell[kSide * kSide];
  __device__ float& operator()(unsigned r, unsigned c) { return cell[r * kSide + c]; }
};

__global__ void product(View m, View n, float* P, unsigned tiles_across) {
  __shared__ Tile a, b;
  const unsigned y = threadIdx.x / kSide, x = threadIdx.x % kSide;
  const unsigned row = blockIdx.x / tiles_across * kSide + y;
  const unsigned col = blockIdx.x % tiles_across * kSide + x;
  float sum = 0.0f;
  for (unsigned start = 0; start < m.columns; start += kSide) {
    a(y, x) = m.at(row, start + x);
    b(y, x) = n.at(start + y, col);
    __syncthreads();
    for (unsigned i = 0; i < kSide; ++i) sum += a(y, i) * b(i, x);
    __syncthreads();
  }
  if (row < m.rows && col < n.columns) P[row * n.columns + col] = sum;
}

}  // namespace

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const unsigned rows = j, shared = k, columns = l;
  const unsigned across = (columns + kSide - 1) / kSide, down = (rows + kSide - 1) / kSide;
  if (across * down == 0) return;
  product<<<across * down, kSide * kSide>>>(View{M, rows, shared}, View{N, shared, columns}, P, across);
}
