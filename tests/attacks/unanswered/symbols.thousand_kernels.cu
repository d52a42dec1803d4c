// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grader_fault; hang
// 1500 kernels by a macro; none solves anything.

#include "tiled_matmul.h"
#define K(n) __global__ void k##n(float* p) { p[0] = n; }
#define K10(n) K(n##0) K(n##1) K(n##2) K(n##3) K(n##4) K(n##5) K(n##6) K(n##7) K(n##8) K(n##9)
#define K100(n) K10(n##0) K10(n##1) K10(n##2) K10(n##3) K10(n##4) K10(n##5) K10(n##6) K10(n##7) K10(n##8) K10(n##9)
K100(1)
K100(2)
K100(3)
K100(4)
K100(5)
K100(6)
K100(7)
K100(8)
K100(9)
K100(10)
K100(11)
K100(12)
K100(13)
K100(14)
K100(15)

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k100<<<1, 1>>>(P);
}
