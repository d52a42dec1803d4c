// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N, the product of two rectangular matrices.
//
// M is a j x k, N a k x l and P a j x l matrix of floats in device memory, all stored row by row: a row of
// M has k elements, a row of N and of P has l. Any side may be 0: if j or l is 0, P has no elements; if k
// is 0, each element of P is an empty sum, which is 0.
//
// Graded:
//   - P is right for all j, k and l.
//   - P[r][c] is the sum of exactly k products: M[r][i] x N[i][c] for each i below k. Add no further terms
//     such as 0 x an element of M: M may hold infinities, and 0 x infinity is NaN.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l);
