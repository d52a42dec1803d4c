// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N, the product of two rectangular matrices, with tiles in shared memory.
//
// M is a j x k, N a k x l and P a j x l matrix of floats in device memory, all stored row by row: a row of
// M has k elements, a row of N and of P has l. Any side may be 0: if j or l is 0, P has no elements; if k
// is 0, each element of P is an empty sum, which is 0.
//
// Graded:
//   - P is right for all j, k and l.
//   - M may hold infinities, and infinity x 0 is NaN: a 0 in one tile does not cancel a wrong element in
//     the other. For P[r][c], add up only products of row r of M and column c of N, and padding of 0 x 0.
//   - The kernel computes P from tiles of both matrices in shared memory: it loads at most 2 x j x k x l
//     bytes from global memory, with j, k and l rounded up to multiples of 16. (Without tiles it would
//     load 8 x j x k x l.)
//   - Neighbouring threads load neighbouring elements (coalesced loads). Memory is fetched in sectors of
//     32 bytes: if j, k and l are multiples of 32, at most 1.45 bytes are fetched per byte that a thread
//     loads.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l);
