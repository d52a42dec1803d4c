// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N, the product of two rectangular matrices, with tiles in shared memory. M comes transposed.
//
// M is a j x k, N a k x l and P a j x l matrix of floats. Device memory holds N, P and instead of M its
// transpose Mt, a k x j matrix, all stored row by row: M[row][i] is Mt[i * j + row]. Any side may be 0: if
// j or l is 0, P has no elements; if k is 0, each element of P is a sum of no products, and that is 0.
//
// Graded:
//   - P is right for all sides.
//   - M may hold infinities: an element of P depends on its own row of M and its own column of N alone.
//   - The kernel multiplies from tiles of both matrices in shared memory: it loads at most 2 x j x k x l
//     bytes from global memory, with each side rounded up to a multiple of 16. (Without tiles it would
//     load 8 x j x k x l.)
//   - Neighbouring threads load neighbouring elements: if all sides are multiples of 32, at most 1.45
//     bytes are fetched for each byte that a thread loads.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all limits in full.
void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l);
