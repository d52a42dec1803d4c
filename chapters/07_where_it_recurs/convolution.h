// SPDX-License-Identifier: Apache-2.0
#pragma once

// The filter has 2 * kRadius + 1 rows and as many columns: 5 x 5 coefficients.
constexpr int kRadius = 2;

// Filters a matrix. All arrays are in device memory, row by row: element (r, c) of input and output is
// element r * columns + c, and coefficient (i, j) is filter[i * 5 + j]. rows and columns are each 1 to 8192.
//   output(r, c) = sum of filter(i, j) * input(r + i - kRadius, c + j - kRadius), for all i and j from 0 to 4
// Elements outside the matrix count as 0. A large input has 512 rows and 512 columns or more.
//
// Graded:
//   - output is right for every size and every filter. Floats may be added in any order.
//   - For a large input:
//     - threads load at most 8 bytes (2 floats) per element from global memory, including the filter if it
//       is read from there.
//     - loads from global memory fetch at most 3 sectors of 32 bytes per 4 elements.
//     - if rows and columns are multiples of 128, at most a fifth of the threads store nothing in output.
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void convolution(const float* input, const float* filter, float* output, int rows, int columns);
