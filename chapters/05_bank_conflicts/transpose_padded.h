// SPDX-License-Identifier: Apache-2.0
#pragma once

// Y = X transposed: Y[c * rows + r] = X[r * columns + c].
//
// X has `rows` rows of `columns` floats, Y has `columns` rows of `rows` floats. Both are in device memory,
// stored row by row. rows and columns are at least 1 and need not be multiples of anything.
//
// Graded:
//   - Y is right for every shape.
//   - X is read and Y is written in whole sectors: if both sides are multiples of 32, at most 1.5 x rows x
//     columns / 8 sectors of 32 bytes for each of the two.
//   - No load and no store of shared memory has a bank conflict.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all limits in full.
void transpose_padded(const float* X, float* Y, int rows, int columns);
