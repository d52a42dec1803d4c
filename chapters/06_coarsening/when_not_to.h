// SPDX-License-Identifier: Apache-2.0
#pragma once

// C[i] = A[i] + B[i] for 0 <= i < length.
//
// A, B and C are arrays of `length` floats in device memory; length is at least 1. Each thread computes
// coarse_factor elements of C; coarse_factor is 1, 2, 4 or 8. Launch just enough blocks to cover the arrays.
//
// Graded:
//   - C is right for every length and every coarse_factor.
//   - Each block has 256 threads.
//   - There are at most ceil(length / (256 x coarse_factor)) + 4 blocks. (The 4 is slack.)
//   - In each step, neighbouring threads work on neighbouring elements: at most 3 x ceil(length / 8) + 32
//     sectors of 32 bytes are loaded and stored in all.
//   - Your answers to the three questions in when_not_to.toml are right.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor);
