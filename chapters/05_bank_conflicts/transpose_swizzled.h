// SPDX-License-Identifier: Apache-2.0
#pragma once

// Y = X transposed: Y[c * rows + r] = X[r * columns + c]. Both lie in device memory, row by row: X has `rows`
// rows of `columns` floats, Y has `columns` rows of `rows` floats. rows and columns are at least 1 and need
// not be multiples of anything. The function launches its kernel on the default stream; X stays as it is.
//
// Graded besides the result: each warp reads X and writes Y along rows, so that whole 32-byte sectors are
// moved; no request to shared memory has a bank conflict; and a block uses at most 4096 bytes of shared
// memory, which is a tile of 32 x 32 floats without any padding.
void transpose_swizzled(const float* X, float* Y, int rows, int columns);
