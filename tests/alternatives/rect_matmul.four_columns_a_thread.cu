// SPDX-License-Identifier: Apache-2.0
// differs: a thread computes up to four neighbouring columns and reads M once for them; matrices are structs with
// operator(); blocks of 16 x 4; unrolled by hand. Byte order mark at the start, Chinese comments.

#include "rect_matmul.h"

// 行优先存储的矩阵。
struct Matrix {
  const float* elements;
  int length;  // 一行的元素个数
  __device__ __forceinline__ const float& operator()(int row, int column) const { return elements[row * length + column]; }
};

__global__ void strips(Matrix m, Matrix n, float* P, int rows, int products, int columns) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (row >= rows || column >= columns) return;

  // 每个线程最多计算四列:最后一个线程可能不足四列。
  const int have = min(4, columns - column);
  float a = 0, b = 0, c = 0, d = 0;
  for (int i = 0; i < products; ++i) {
    const float x = m(row, i);
    a += x * n(i, column);
    if (have > 1) b += x * n(i, column + 1);
    if (have > 2) c += x * n(i, column + 2);
    if (have > 3) d += x * n(i, column + 3);
  }
  float* const p = P + row * columns + column;
  switch (have) {
    case 4: p[3] = d; [[fallthrough]];
    case 3: p[2] = c; [[fallthrough]];
    case 2: p[1] = b; [[fallthrough]];
    default: p[0] = a;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j <= 0 || l <= 0) return;
  const int groups = (l + 3) / 4;
  strips<<<dim3((groups + 15) / 16, (j + 3) / 4), dim3(16, 4)>>>(Matrix{M, k}, Matrix{N, l}, P, j, k, l);
}
