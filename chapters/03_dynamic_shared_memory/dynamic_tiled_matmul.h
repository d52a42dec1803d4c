// SPDX-License-Identifier: Apache-2.0
#pragma once

// Computes P = M x N, the matrix product, with tiles whose width the caller chooses.
//
//   M, N, P   width x width matrices of floats in device memory, stored row by row
//   width     1 or more, not always a multiple of `tile`
//   tile      the width of a tile, 1 to 32: a block of `tile` x `tile` threads computes one tile of P. Its
//             tiles of M and of N lie one after the other in one extern __shared__ array
//
// Graded:
//   - P is right for every width and every `tile`.
//   - P is right even if M holds infinities. Infinity x 0 is NaN, so zeros in N's tile alone are not
//     enough: M's tile must hold 0 past M's last column, and N's tile must hold 0 past N's last row.
//   - Each block has `tile` x `tile` threads.
//   - Each launch asks for exactly 8 x `tile` x `tile` bytes of dynamic shared memory, for the two tiles.
//   - The kernel has no shared array of a fixed size.
//   - In each of its ceil(width / `tile`) phases, a block loads at most two whole tiles from global
//     memory.
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile);
