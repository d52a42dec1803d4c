// SPDX-License-Identifier: Apache-2.0
#pragma once

// The filter has 2 * kRadius + 1 rows and as many columns: 5 x 5 coefficients.
constexpr int kRadius = 2;

// Filters a matrix:
//   output(r, c) = sum of filter(i, j) * input(r + i - kRadius, c + j - kRadius) over i and j from 0 to 4
// input(r, c) is input[r * columns + c], or 0 outside the matrix; output(r, c) is output[r * columns + c];
// filter(i, j) is filter[i * 5 + j]. All arrays are in device memory. rows and columns are each 1 to 8192.
// An input is large if both are at least 512.
//
// Graded:
//   - output is right for every size and every filter. Floats may be added in any order.
//   - For a large input:
//     - threads load at most 8 bytes (2 floats) per element from global memory, including the filter if it
//       is read from there.
//     - loads from global memory fetch at most 3 sectors of 32 bytes per 4 elements.
//     - at most a fifth of the threads store nothing in output. (Counted only if rows and columns are
//       multiples of 128.)
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void convolution(const float* input, const float* filter, float* output, int rows, int columns);
