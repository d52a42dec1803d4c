// SPDX-License-Identifier: Apache-2.0
// mistake: a do-while loop, which goes round once before it looks at k. Where k is 0 it reads from M and N, which have
//   no elements, and P does not get zeros.
// want: How often does a do-while loop go round where k is 0? What should P hold then?
#include "rect_matmul.h"

// walking pointers instead of indices, so I cannot mix up the sides
__global__ void mul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;

  if (x < l && y < j) {
    const float* m = M + (size_t)y * k;  // start of my row
    const float* n = N + x;              // top of my column
    float s = 0.f;
    int left = k;
    do {
      s += *m * *n;
      m += 1;  // to the right
      n += l;  // down
      left--;
    } while (left > 0);
    P[(size_t)y * l + x] = s;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j <= 0 || l <= 0) return;

  dim3 threads(16, 16);
  dim3 blocks((l + 15) / 16, (j + 15) / 16);
  mul_kernel<<<blocks, threads>>>(M, N, P, j, k, l);
}
