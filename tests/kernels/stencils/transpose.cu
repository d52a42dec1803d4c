// SPDX-License-Identifier: Apache-2.0
// Transposes: naive, in shared memory with and without padding, in place by pairs of tiles.
#include "tests/kernels/expect.h"

constexpr int kTile = 16;

__global__ void naive(const int* in, int* out, int rows, int columns) {
  const int c = blockIdx.x * kTile + threadIdx.x, r = blockIdx.y * kTile + threadIdx.y;
  if (r < rows && c < columns) out[c * rows + r] = in[r * columns + c];
}

template <int kPadding>
__global__ void tiled(const int* in, int* out, int rows, int columns) {
  __shared__ int tile[kTile][kTile + kPadding];
  int c = blockIdx.x * kTile + threadIdx.x, r = blockIdx.y * kTile + threadIdx.y;
  if (r < rows && c < columns) tile[threadIdx.y][threadIdx.x] = in[r * columns + c];
  __syncthreads();
  c = blockIdx.y * kTile + threadIdx.x, r = blockIdx.x * kTile + threadIdx.y;
  if (r < columns && c < rows) out[r * rows + c] = tile[threadIdx.x][threadIdx.y];
}

__global__ void in_place(int* matrix, int n) {
  __shared__ int upper[kTile][kTile + 1];
  __shared__ int lower[kTile][kTile + 1];
  if (blockIdx.x < blockIdx.y) return;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int here = (blockIdx.y * kTile + ty) * n + blockIdx.x * kTile + tx;
  const int there = (blockIdx.x * kTile + ty) * n + blockIdx.y * kTile + tx;
  upper[ty][tx] = matrix[here];
  lower[ty][tx] = matrix[there];
  __syncthreads();
  matrix[here] = lower[tx][ty];
  if (blockIdx.x != blockIdx.y) matrix[there] = upper[tx][ty];
}

int main() {
  const int rows = 40, columns = 53, count = rows * columns;
  const std::vector<int> in = Integers(count);
  int* din = OnDevice(in);
  for (auto kernel : {naive, tiled<0>, tiled<1>}) {
    int* dout = OnDevice<int>(count);
    kernel<<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(kTile, kTile)>>>(din, dout, rows, columns);
    FINISH();
    const auto out = FromDevice(dout, count);
    for (int i = 0; i < count; ++i) ExpectEqual("out", i, out[i], in[i % rows * columns + i / rows]);
    CUDA(cudaFree(dout));
  }
  const int n = 48;
  const std::vector<int> square = Integers(n * n);
  int* matrix = OnDevice(square);
  in_place<<<dim3(3, 3), dim3(kTile, kTile)>>>(matrix, n);
  FINISH();
  const auto out = FromDevice(matrix, n * n);
  for (int i = 0; i < n * n; ++i) ExpectEqual("in place", i, out[i], square[i % n * n + i / n]);
  return Result();
}
