// SPDX-License-Identifier: Apache-2.0
// A batch of small double products (one block each, gridDim.z), and a sparse matrix (CSR) times a vector
// with a warp for each row.
#include "tests/kernels/expect.h"

constexpr int kSize = 6;

__global__ void batched(const double* a, const double* b, double* c) {
  const int at = blockIdx.z * kSize * kSize, i = threadIdx.y, j = threadIdx.x;
  double sum = 0;
  for (int k = 0; k < kSize; ++k) sum += a[at + i * kSize + k] * b[at + k * kSize + j];
  c[at + i * kSize + j] = sum;
}

__global__ void sparse(const int* starts, const int* columns, const float* values, const float* x, float* y,
                       int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) sum += values[k] * x[columns[k]];
  for (int offset = 16; offset; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (lane == 0) y[row] = sum;
}

int main() {
  const int batch = 9, count = batch * kSize * kSize;
  std::vector<double> a, b;
  for (float value : Eighths(count, 1)) a.push_back(value);
  for (float value : Eighths(count, 2)) b.push_back(value);
  double *da = OnDevice(a), *db = OnDevice(b), *dc = OnDevice<double>(count);
  batched<<<dim3(1, 1, batch), dim3(kSize, kSize)>>>(da, db, dc);
  FINISH();
  const auto c = FromDevice(dc, count);
  for (int i = 0; i < count; ++i) {
    const int at = i / 36 * 36, row = i % 36 / 6, col = i % 6;
    double sum = 0;
    for (int k = 0; k < 6; ++k) sum += a[at + row * 6 + k] * b[at + k * 6 + col];
    ExpectEqual("c", i, c[i], sum);
  }
  const int rows = 50;
  std::vector<int> starts = {0}, columns;
  const std::vector<int> numbers = Integers(10000);
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < (r * 37) % 90; ++k) columns.push_back((numbers[columns.size()] & 0xffff) % rows);
    starts.push_back(static_cast<int>(columns.size()));
  }
  const std::vector<float> values = Eighths(columns.size(), 7), x = Eighths(rows, 8);
  int *dstarts = OnDevice(starts), *dcolumns = OnDevice(columns);
  float *dvalues = OnDevice(values), *dx = OnDevice(x), *dy = OnDevice<float>(rows);
  sparse<<<(rows * 32 + 127) / 128, 128>>>(dstarts, dcolumns, dvalues, dx, dy, rows);
  FINISH();
  const auto y = FromDevice(dy, rows);
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int k = starts[r]; k < starts[r + 1]; ++k) sum += double(values[k]) * x[columns[k]];
    ExpectEqual("y", r, y[r], sum);
  }
  return Result();
}
