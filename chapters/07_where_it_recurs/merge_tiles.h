// SPDX-License-Identifier: Apache-2.0
#pragma once

// Merges two sorted arrays: output holds all elements of a and b, in ascending order.
//
//   a, b     a_length and b_length ints in device memory, each in ascending order. Values may repeat
//   output   length = a_length + b_length ints in device memory. a_length and b_length may each be 0
//
// An input is long if length is 262,144 or more. For a long input, each block merges one tile of output: it
// finds the elements of a and b that belong to its tile, and loads these into shared memory.
//
// Graded:
//   - output is right for all lengths of a and b.
//   - For a long input:
//     - loads from global memory fetch at most 16 sectors of 32 bytes per 32 elements of output.
//     - stores to global memory write at most 12 sectors of 32 bytes per 32 elements of output.
//     - warps execute at most 10 x length instructions.
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output);
