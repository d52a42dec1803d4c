// SPDX-License-Identifier: Apache-2.0
#pragma once

// Computes P = M x N, the product of two rectangular matrices.
//
//   M, N, P   matrices of floats in device memory, stored row by row. M is j x k, N is k x l, P is j x l: a
//             row of M has k elements, a row of N or P has l
//   j, k, l   0 or more. If j or l is 0, P has no elements. If k is 0, each element of P is 0 (an empty sum)
//
// Graded:
//   - P is right for all j, k and l.
//   - P[r][c] is the sum of exactly k products: M[r][i] x N[i][c] for each i below k. Add no further terms
//     such as 0 x an element of M: M may hold infinities, and 0 x infinity is NaN.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l);
