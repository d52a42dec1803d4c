// SPDX-License-Identifier: Apache-2.0
#pragma once

// Transposes X into Y, with a tile that has no padding: Y[c * rows + r] = X[r * columns + c].
//
//   X, Y            matrices of floats in device memory, stored row by row. X has `rows` rows of `columns`
//                   elements, Y has `columns` rows of `rows` elements
//   rows, columns   1 or more, not always multiples of 32
//
// Graded:
//   - Y is right for every shape.
//   - Loads of X and stores of Y are coalesced: if rows and columns are multiples of 32, loads fetch at
//     most 1.5 x rows x columns / 8 sectors of 32 bytes, and stores write at most that many.
//   - No access to shared memory has a bank conflict.
//   - A block uses at most 4096 bytes of shared memory: a tile of 32 x 32 floats, and no padding.
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void transpose_swizzled(const float* X, float* Y, int rows, int columns);
