// SPDX-License-Identifier: Apache-2.0
#pragma once

// Y = X transposed: Y[c * rows + r] = X[r * columns + c]. Both lie in device memory, row by row: X has `rows`
// rows of `columns` floats, Y has `columns` rows of `rows` floats. rows and columns are at least 1 and need
// not be multiples of anything. The function launches its kernel on the default stream, or waits until it has
// ended; X stays as it is.
//
// Graded besides the values:
//   - Kernels that the call launches are the last to store each element of Y; no copy and no memset is.
//   - They run before anything is copied from the device to the host, and before a kernel writes managed or
//     pinned memory; they do not both write and read such memory.
//   - Nothing is copied within the device before them.
//   - The kernel loads each element of X at least once; no thread stores more than 128 elements of Y, and no
//     warp executes more than 11680 instructions.
//   - No load and no store of shared memory has a bank conflict, and shared memory sees no atomics.
//   - Warps ask shared memory at most once for each 8 elements, sides rounded up to multiples of 32.
//   - At most 2 x rows x (ceil(columns / 8) + ceil(columns / 32)) sectors of 32 bytes are read, and as many
//     written with the sides interchanged.
//   - Where both sides are multiples of 32, at most 1.5 x rows x columns / 8 sectors are read, and as many
//     written.
//   - A block uses at most 4096 bytes of shared memory, a tile of 32 x 32 floats without any padding.
void transpose_swizzled(const float* X, float* Y, int rows, int columns);
