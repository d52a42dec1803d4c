// SPDX-License-Identifier: Apache-2.0
// Worked example of chapter 1's handout: tiles whose edges hang over, with three different checks.
#include <cstdio>
#include <vector>

#define TILE 8

// [kernel]
// sums[r] = A[r][0] + A[r][1] + ... + A[r][columns - 1]. A block of TILE x TILE threads adds up
// TILE rows.
__global__ void row_sums(const float* A, float* sums, int rows, int columns) {
  __shared__ float part[TILE][TILE];
  const int row = blockIdx.x * TILE + threadIdx.y;

  float total = 0.0f;
  for (int start = 0; start < columns; start += TILE) {
    const int column = start + threadIdx.x;
    const bool exists = row < rows && column < columns;  // who has something to load?
    part[threadIdx.y][threadIdx.x] = exists ? A[row * columns + column] : 0.0f;
    __syncthreads();

    if (threadIdx.x == 0) {  // who adds?
      for (int i = 0; i < TILE; ++i) total += part[threadIdx.y][i];
    }
    __syncthreads();
  }

  if (threadIdx.x == 0 && row < rows) {  // who has something to store?
    sums[row] = total;
  }
}
// [end]

int main() {
  const int rows = 13, columns = 21;
  std::vector<float> A(rows * columns);
  for (int i = 0; i < rows * columns; ++i) A[i] = static_cast<float>(i % 7);
  float *device_A, *device_sums;
  cudaMalloc(&device_A, A.size() * sizeof(float));
  cudaMalloc(&device_sums, rows * sizeof(float));
  cudaMemcpy(device_A, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice);
  // [launch]
  const dim3 block(TILE, TILE);
  const int blocks = (rows + TILE - 1) / TILE;
  row_sums<<<blocks, block>>>(device_A, device_sums, rows, columns);
  // [end]
  std::vector<float> sums(rows);
  cudaMemcpy(sums.data(), device_sums, rows * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < rows; ++r) {
    float expected = 0.0f;
    for (int c = 0; c < columns; ++c) expected += A[r * columns + c];
    wrong += sums[r] != expected;
  }
  cudaFree(device_A);
  cudaFree(device_sums);
  std::puts(wrong == 0 ? "ok" : "wrong");
}
