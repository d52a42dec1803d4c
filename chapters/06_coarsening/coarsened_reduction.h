// SPDX-License-Identifier: Apache-2.0
#pragma once

// *output = input[0] + input[1] + ... + input[length - 1].
//
// input has `length` floats in device memory; length may be 0, and the sum of no elements is 0. output is
// one float in device memory; do not rely on its value before the call.
//
// An input is long if it has 65,536 elements or more. For a long input, each thread adds up at least 8
// elements before its block adds up the sums of its threads. In the limits below, n is length rounded up to
// a multiple of 8192 (1024 threads with 8 elements each).
//
// Graded:
//   - *output is right for every length. Floats may be added in any order.
//   - For a long input:
//     - at most n / 8 + 1024 threads are launched.
//     - warps arrive at barriers at most 352 x (n / 8192 + 1) times. (A block of 1024 threads needs 352:
//       32 warps x 11 barriers. Several smaller blocks together need fewer. The + 1 is for a block that
//       adds up the others' sums.)
//     - at most n / 256 + 16 atomic additions are executed.
//     - loads from input fetch at most 5 sectors of 32 bytes per 32 elements.
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void coarsened_reduction(const float* input, float* output, int length);
