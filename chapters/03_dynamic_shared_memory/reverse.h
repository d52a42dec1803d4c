// SPDX-License-Identifier: Apache-2.0
#pragma once

// The width of a piece where its size is known when the program is compiled.
constexpr int kStaticPiece = 256;

// Reverses an array piece by piece. in and out are arrays of n ints in device memory. in is cut into pieces
// of `piece` elements, one after another; the last may be shorter. Each piece keeps its place, and its
// elements stand in it in reverse order: with n = 7 and piece = 3
//
//     in    10 11 12 | 13 14 15 | 16
//     out   12 11 10 | 15 14 13 | 16
//
// One thread block reverses one piece, in shared memory: it loads the piece, and stores it from there.
//
//   use_dynamic false   piece is kStaticPiece; the kernel's array has a fixed size, no bytes are passed
//   use_dynamic true    piece is 1 to 1024; the kernel has one extern __shared__ array, and the launch
//                       passes exactly the bytes of one piece
//
// n is at least 0; for n = 0 there is nothing to do, and nothing is launched. in stays as it is.
//
// Graded besides the values:
//   - Kernels that the call launches are the last to store each element of out; no copy and no memset is.
//   - They run before anything is copied from the device to the host, and before a kernel writes managed or
//     pinned memory; they do not both write and read such memory.
//   - Nothing is copied within the device before them.
//   - No thread stores more than ceil(piece / 16) + 2 elements of out, and no warp executes more than 400 +
//     40 instructions for each element that a thread may store.
//   - The kernel loads each element of in at least once. Warps store n / 32 wavefronts of 32 words into
//     shared memory or more, and load as many from there.
//   - All launches together have one block for each piece, ceil(n / piece): where n is 0, nothing is
//     launched.
//   - A launch passes exactly the bytes of one piece, and its kernel has no array of fixed size, where
//     use_dynamic is true; it passes none where it is false.
void reverse(const int* in, int* out, int n, int piece, bool use_dynamic);
