// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N, the matrix product, with tiles whose width the caller chooses.
//
// M, N and P are width x width matrices of floats in device memory, stored row by row. The parameter
// `tile`, 1 to 32, is the width of a tile: a block of `tile` x `tile` threads computes one tile of P. Its
// tile of M and its tile of N lie back to back in one extern __shared__ array. width is at least 1 and need
// not be a multiple of `tile`.
//
// Graded:
//   - P is right for every width and every `tile`.
//   - Put 0 into M's tile past M's last column, and into N's tile past N's last row. Zeros in N's tile
//     alone are not enough: M may hold infinities, and one that an earlier phase left in M's tile gives
//     NaN when multiplied by 0.
//   - Each block has `tile` x `tile` threads.
//   - Each launch asks for exactly 8 x `tile` x `tile` bytes of dynamic shared memory, for the two tiles.
//   - The kernel has no shared array of a fixed size.
//   - In each of its ceil(width / `tile`) phases, a block loads at most two whole tiles from global
//     memory.
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile);
