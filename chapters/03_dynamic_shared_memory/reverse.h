// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reverses an array piece by piece.
//
// `in` and `out` are arrays of n >= 0 ints in device memory. `in` is cut into pieces of `piece` elements;
// the last may be shorter. Each piece keeps its place and is reversed, here with n = 7 and piece = 3:
//
//     in    10 11 12 | 13 14 15 | 16
//     out   12 11 10 | 15 14 13 | 16
//
// One block reverses one piece: it loads the piece into a shared array, then stores it, reversed, to `out`.
//
//   use_dynamic false   piece is kStaticPiece, and the array has this fixed size
//   use_dynamic true    piece is 1 to 1024, and the array is extern __shared__: the launch passes its size
//
// Graded:
//   - out is right for every n and every piece.
//   - There are exactly ceil(n / piece) blocks; if n is 0, nothing is launched.
//   - Each element is stored to shared memory and loaded from there.
//   - Each launch asks for exactly 4 x piece bytes of dynamic shared memory if use_dynamic is true, and for
//     none if it is false.
//   - If use_dynamic is true, the kernel has no shared array of a fixed size.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.

constexpr int kStaticPiece = 256;

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic);
