// SPDX-License-Identifier: Apache-2.0
#pragma once

// output[i] = input[0] + input[1] + ... + input[i] for 0 <= i < length: an inclusive scan, or prefix sum.
//
// input and output have `length` ints in device memory; length may be 0. All sums fit into an int.
//
// A long input has 262,144 elements or more. There, each thread adds up several neighbouring elements on
// its own; the threads of a block combine their sums, and the blocks theirs. That way, threads seldom wait
// at barriers.
//
// Graded:
//   - output is right for every length.
//   - For a long input:
//     - warps arrive at barriers at most length / 8 times.
//     - warps execute at most 3.5 x length instructions.
//     - loads from global memory fetch at most 20 sectors of 32 bytes per 32 elements.
//     - stores to global memory write at most 20 sectors of 32 bytes per 32 elements.
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void scan(const int* input, int* output, int length);
