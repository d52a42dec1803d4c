// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: hang; grow; grader_fault
// Templates that call two of themselves, 2^depth, up to the limit of depth and with memo defeated.

#include "tiled_matmul.h"
template <int N, long K> struct F { static const long v = F<N - 1, 2 * K>::v + F<N - 1, 2 * K + 1>::v; };
template <long K> struct F<0, K> { static const long v = 1; };
static_assert(F<40, 1>::v > 0, "");

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
